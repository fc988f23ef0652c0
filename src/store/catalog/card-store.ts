import type { PriceJson } from '#rules/pricing/price-json.ts'
import type { PrintingWords } from '#rules/search/requested-printing.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import type { SetCardsFilter } from './set-cards.ts'

/** A card as it is written to the bulk files. */
export type CatalogCard = {
  /** The Card of the specification on one line. */
  text: string
  /** Values in the order of CARD_FIELDS: null if unknown, custom attributes as JSON text. */
  cells: (string | number | null)[]
  prices: PriceJson[]
}

/** Form of an answer: the text to send, or objects for requests that add or select members. */
export type JsonForm = 'text' | 'object'

/** Queries for cards. Their JSON is assembled from stored attributes and prices without parsing them. */
export type CardStore = {
  /** Returns true if the catalog has a card with this id. */
  exists(id: number): boolean
  /** Returns the names of cards by id; ids that are not in the catalog are omitted. */
  getNames(ids: readonly number[]): Map<number, string>
  /** Returns the Card of the specification as text; undefined if not found. */
  getById(id: number): string | undefined
  /** Returns the same card as an object. */
  readById(id: number): object | undefined
  /** Lists a set's cards with their price and all prices. */
  listBySet(filter: SetCardsFilter, window: RowWindow, form?: JsonForm): RowPage<RenderedCard>
  /** Lists the other cards with the name and game of a card, newest release first. */
  listReprints(id: number, window: RowWindow, form?: JsonForm): RowPage<RenderedCard>
  /** Lists all cards of a set except missing ones by collector number, page by page. */
  listPagesBySet(set_id: number): Generator<CatalogCard[]>
  /**
   * Lists cards with their price, that of the base printing, and all prices, in the order of `ids`; ids that are not
   * in the catalog are omitted.
   */
  listWithPrices(ids: readonly number[], form?: JsonForm): RenderedCard[]
  /**
   * Lists search results in the order of `ids`: cards with the price of the requested printing, otherwise of the base
   * printing, and all prices.
   */
  listSearchItems(
    ids: readonly number[],
    printings: RequestedPrintings,
    form?: JsonForm,
  ): RenderedCard[]
}

/** Printings requested by a search. */
export type RequestedPrintings = {
  words: PrintingWords
  /** Exact name of the printing of all results, regardless of the words. */
  exact?: string | undefined
  /** True if results have the price of the printing that the words name, false for the base printing. */
  isPriced: boolean
}

/** A card with its prices: JSON text, or an object. Each access to its lists returns new ones, which may be changed. */
export type RenderedCard = {
  id: number
  data: string | object
  /** Number of its prices. */
  prices: number
}
