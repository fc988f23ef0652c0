/** Figures of the guard, in the order of its table. */
export const FIGURES = {
  'card-prices': 'GET /v1/cards/{id}/prices',
  card: 'GET /v1/cards/{id}',
  'search-uncached': 'a search by price whose cards are read',
  'search-cached': 'a search whose result is cached',
  history: 'a year of history of a card',
  movers: '20 movers of any game',
  'bulk-prices': 'prices of 500 cards',
  names: '1,000 names resolved: exact, misspelt and parts',
  lines: '500 lines of a list resolved',
  'sync-35': 'a sync with 35 % of the prices changed',
  'sync-2': 'a sync with 2 % of the prices changed',
  start: 'a start, until the server is at rest',
  rest: 'memory of the server at rest',
  script: 'script of the first page, compressed',
  photo: 'a photo identified',
} as const

export type FigureName = keyof typeof FIGURES

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[]

/**
 * Values of one measurement: processor time in microseconds under the name of the figure; memory, pages and files in
 * bytes. A sync has three, such as `sync-2`, `sync-2 memory` and `sync-2 pages`.
 */
export type Values = Record<string, number>

/** A measurement that is taken in turn of the limit and of each tree. */
export type Measurement = {
  figures: readonly FigureName[]
  /** How often it is taken. */
  rounds: number
  limit(): Promise<Values>
  /** In the order of the trees. */
  trees: readonly (() => Promise<Values>)[]
}

/** The values of the limit and of each tree, measured in turn. */
export type Round = { limit: Values; trees: readonly Values[] }

/** Measurements, and the end of the servers that they use. */
export type Opened = { measurements: readonly Measurement[]; close(): Promise<void> }

/** Returns the figure that a value belongs to. */
export function figureOf(value: string): FigureName {
  const [name = ''] = value.split(' ')
  const found = FIGURE_NAMES.find((figure) => figure === name)
  if (found === undefined) throw new Error(`no figure has the value "${value}"`)
  return found
}
