/** Parses an id in a URL; undefined if invalid. */
export function parseId(text: string): number | undefined {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/** Parses a page number in a URL; 1 if invalid. */
export function parsePage(search: string | URLSearchParams): number {
  const page = parseId(new URLSearchParams(search).get('page') ?? '') ?? 1
  return page <= PAGE_MAX ? page : 1
}

/** The limit of the API. */
const PAGE_MAX = 1_000_000_000
