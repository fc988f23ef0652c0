/** What people write into addresses, and what cut-off links name: what is none of these is not asked for. */

/** The id that a part of an address names; undefined: none. */
export function parseId(text: string): number | undefined {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/** The page of a list that an address names; the first one where it names none. */
export function parsePage(search: string | URLSearchParams): number {
  const page = parseId(new URLSearchParams(search).get('page') ?? '') ?? 1
  return page <= PAGE_MAX ? page : 1
}

/** As the API has it. */
const PAGE_MAX = 1_000_000_000
