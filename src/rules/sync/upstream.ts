// From the upstream's files to what the intake takes in: the text of a file goes in, its good
// records come out mapped, its bad ones with the reason. A file that is no such file throws.

import type {
  ParsedRecords,
  ProductType,
  RejectedRecord,
  UpstreamCard,
  UpstreamGame,
  UpstreamPrice,
  UpstreamSet,
} from '../catalog/catalog-records.ts'
import { cleanName, gameSlug } from '../catalog/names.ts'
import { parseDate } from '../primitives/days.ts'
import { parseAttributes } from './card-attributes.ts'
import {
  CARD_SHAPE,
  GAME_SHAPE,
  PRICE_SHAPE,
  parseResults,
  type RawCard,
  type RawGame,
  type RawPrice,
  type RawSet,
  type RecordShape,
  SET_SHAPE,
} from './upstream-shapes.ts'

/**
 * The games of `tcgplayer/categories`, in ascending id, without those that the mirror asks clients
 * to skip.
 *
 * @throws Error when the file is not what it should be
 */
export function parseGamesFile(text: string): ParsedRecords<UpstreamGame> {
  const { records, rejected } = parseRecords(text, GAME_SHAPE, idOfGame, (raw) => ({
    id: raw.categoryId,
    name: filled(raw.displayName) ?? raw.name,
    slug: gameSlug({ id: raw.categoryId, name: raw.name }),
    priority: refreshPriority(raw.popularity ?? null),
    logo_url: null,
  }))
  const games = records.filter((game) => !SKIPPED_GAMES.has(game.id))
  return { records: withOwnSlugs(games.sort((a, b) => a.id - b.id)), rejected }
}

/**
 * The sets of `tcgplayer/{game}/groups`.
 *
 * @throws Error when the file is not what it should be
 */
export function parseSetsFile(text: string, gameId: number): ParsedRecords<UpstreamSet> {
  return parseRecords(text, SET_SHAPE, idOfSet, (raw) => {
    if (raw.categoryId !== gameId) return `categoryId is not ${gameId}`
    return {
      id: raw.groupId,
      game_id: gameId,
      name: raw.name,
      abbreviation: filled(raw.abbreviation),
      release_date: dateIn(raw.publishedOn),
      modified_on: filled(raw.modifiedOn),
    }
  })
}

/**
 * The cards and sealed products of `tcgplayer/{game}/{set}/products`.
 *
 * @throws Error when the file is not what it should be
 */
export function parseCardsFile(
  text: string,
  gameId: number,
  setId: number,
): ParsedRecords<UpstreamCard> {
  return parseRecords(text, CARD_SHAPE, idOfCard, (raw) => {
    if (raw.categoryId !== gameId) return `categoryId is not ${gameId}`
    if (raw.groupId !== setId) return `groupId is not ${setId}`
    return cardOf(raw)
  })
}

/**
 * The prices of `tcgplayer/{game}/{set}/prices`, one record a card and printing. A price of 0 is an
 * unknown one: nothing is sold for nothing.
 *
 * @throws Error when the file is not what it should be
 */
export function parsePricesFile(text: string): ParsedRecords<UpstreamPrice> {
  return parseRecords(text, PRICE_SHAPE, keyOfPrice, (raw) => {
    const fault = LISTED_PRICES.find((field) => !isWholeCents(raw[field]))
    if (fault !== undefined) return `${fault} is no whole number of cents`
    return {
      card_id: raw.productId,
      printing: raw.subTypeName,
      market_price: cents(raw.marketPrice),
      low_price: cents(raw.lowPrice),
      median_price: cents(raw.midPrice),
      lowest_with_shipping: cents(raw.lowestPriceWithShipping),
      buylist_price: cents(raw.buylistPrice),
      avg_sales_price: cents(raw.averageSalesPrice),
      sales_volume: raw.salesVolume ?? null,
    }
  })
}

/**
 * The time in `last-updated.txt`: `2026-08-05T20:05:50+0000` and perhaps a line end.
 *
 * @throws Error on anything else
 */
export function parsePublishTime(text: string): Date {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})([+-]\d{2})(\d{2})\r?\n?$/.exec(text)
  if (match !== null) {
    const [, date = '', time, hours, minutes] = match
    const published = new Date(`${date}T${time}${hours}:${minutes}`)
    if (parseDate(date) !== undefined && !Number.isNaN(published.getTime())) return published
  }
  const start = text.slice(0, 40).replace(/[^\x20-\x7e]/g, ' ')
  throw new Error(`"${start}" is no publish time such as 2026-08-05T20:05:50+0000`)
}

/**
 * How often a game is refreshed, from its popularity: 3 (daily) from 300,000, 2 (every third day)
 * from 100,000, 1 (twice a week) from 10,000, else 0 (weekly). What a mirror does not tell of is
 * refreshed daily, so that nothing grows old for want of a hint.
 *
 * @param popularity the upstream's own measure; the largest games are above a million
 */
export function refreshPriority(popularity: number | null): number {
  if (popularity === null) return 3
  return POPULARITY_MIN.find(([, least]) => popularity >= least)?.[0] ?? 0
}

const POPULARITY_MIN = [
  [3, 300_000],
  [2, 100_000],
  [1, 10_000],
] as const

/** Categories without cards of their own; the mirror's own pages say to leave them out. */
const SKIPPED_GAMES: ReadonlySet<number> = new Set([21, 69, 70])

/** Takes each record for itself: a bad one costs no other. `map` returns the reason of a bad one. */
function parseRecords<Raw, T>(
  text: string,
  recordShape: RecordShape<Raw>,
  keyOf: (raw: Raw) => string,
  map: (raw: Raw) => T | string,
): ParsedRecords<T> {
  const records: T[] = []
  const bad: RejectedRecord[] = []
  const seen = new Set<string>()
  for (const [index, row] of parseResults(text).entries()) {
    if (!recordShape.is(row)) {
      bad.push({
        id: idIn(row) ?? `record ${index}`,
        reason: recordShape.findProblem(row) ?? 'wrong shape',
      })
      continue
    }
    const id = keyOf(row)
    const result = seen.has(id) ? 'a second record of the same key' : map(row)
    seen.add(id)
    if (typeof result === 'string') bad.push({ id, reason: result })
    else records.push(result)
  }
  return { records, rejected: bad }
}

const idOfGame = (raw: RawGame) => String(raw.categoryId)
const idOfSet = (raw: RawSet) => String(raw.groupId)
const idOfCard = (raw: RawCard) => String(raw.productId)
const keyOfPrice = (raw: RawPrice) => `${raw.productId} ${raw.subTypeName}`

/** The id of a record that is bad in something else, for the report. */
function idIn(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const fields = new Map(Object.entries(row))
  const id = ID_FIELDS.map((field) => fields.get(field)).find((value) => typeof value === 'number')
  return id === undefined ? undefined : String(id)
}

// A product has all three of them, a set the last two.
const ID_FIELDS = ['productId', 'groupId', 'categoryId']

/** Where two games come to the same slug, the one with the lower id has it. */
function withOwnSlugs(games: UpstreamGame[]): UpstreamGame[] {
  const taken = new Set<string>()
  return games.map((game) => {
    const slug = taken.has(game.slug) ? `${game.slug}-${game.id}` : game.slug
    taken.add(slug)
    return { ...game, slug }
  })
}

function cardOf(raw: RawCard): UpstreamCard {
  const { number, rarity, hp, custom_attributes } = parseAttributes(
    raw.categoryId,
    raw.extendedData ?? [],
  )
  // The mirror's own advice: only single cards have a number or a rarity.
  const product_type = number !== null || rarity !== null ? 'Cards' : 'Sealed Products'
  return {
    id: raw.productId,
    game_id: raw.categoryId,
    set_id: raw.groupId,
    name: raw.name,
    clean_name: cleanNameOf(raw),
    number,
    rarity,
    image_url: linkIn(raw.imageUrl),
    marketplace_url: linkIn(raw.url),
    product_type,
    total_listings: raw.totalListings ?? 0,
    shipping_category_id: raw.shippingCategoryId ?? shippingCategory(product_type, raw.name),
    product_status_id: raw.productStatusId ?? (raw.presaleInfo?.isPresale ? PRESALE : ACTIVE),
    hp,
    custom_attributes,
    foil_only: flag(raw.foilOnly),
  }
}

const ACTIVE = 1
const PRESALE = 20

/** The upstream's own, unless it fell over letters that are not ASCII ("Pok mon", or nothing). */
function cleanNameOf(raw: RawCard): string {
  const upstream = filled(raw.cleanName)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return upstream !== null && /^[\x00-\x7f]*$/.test(raw.name) ? upstream : cleanName(raw.name)
}

/** The upstream does not tell, so it is guessed: 1 a card, 4 a case, 3 any other sealed product. */
function shippingCategory(type: ProductType, name: string): number {
  if (type === 'Cards') return 1
  return /\bcases?\b/i.test(name) ? 4 : 3
}

function flag(value: boolean | 0 | 1 | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** An address as it stands, relative ones too; null where it would lead a browser off the web. */
function linkIn(address: string | null | undefined): string | null {
  const link = filled(address)
  if (link === null) return null
  // Parsed as browsers do: they find "javascript:" with a tab in its middle, too.
  const { protocol } = URL.parse(link, 'https://relative.invalid/') ?? {}
  return protocol === 'https:' || protocol === 'http:' ? link : null
}

function filled(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text
}

/** `2022-11-11T00:00:00` is 2022-11-11; the year 1 is how the upstream writes "no date". */
function dateIn(time: string | null | undefined): string | null {
  const date = time?.slice(0, 10) ?? ''
  return parseDate(date) === undefined || date.startsWith('0001') ? null : date
}

// What somebody asks or pays. Medians and averages are computed and may lie between two cents.
const LISTED_PRICES = [
  'marketPrice',
  'lowPrice',
  'lowestPriceWithShipping',
  'buylistPrice',
] as const

function isWholeCents(dollars: number | null | undefined): boolean {
  const known = dollars ?? 0
  // A decimal of two places and the quotient are both the nearest number to it, hence the same one.
  return Math.round(known * 100) / 100 === known
}

function cents(dollars: number | null | undefined): number | null {
  return Math.round((dollars ?? 0) * 100) || null
}
