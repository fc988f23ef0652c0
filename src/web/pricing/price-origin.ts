/** Members of the API that state the origin of a price. */
export const ORIGIN_MEMBERS = ['source', 'currency', 'converted', 'rate', 'rate_date'] as const

/** Name of the source of the mirror's prices. */
export const MIRROR_SOURCE = 'tcgplayer'

/** Names a source; sources of operators keep their names. */
export function sourceName(source: string): string {
  return SOURCE_NAMES[source] ?? source
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  [MIRROR_SOURCE]: 'TCGplayer',
  cardmarket: 'Cardmarket',
}
