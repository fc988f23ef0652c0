// Parses the upstream's files. Invalid records are returned with the reason; invalid files throw. HTML
// entities are decoded in every text.

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
import { isRecord } from '../primitives/json-record.ts'
import { decodeEntities } from '../primitives/plain-text.ts'
import { parseAttributes } from './card-attributes.ts'
import {
  CARD_SHAPE,
  GAME_SHAPE,
  PRICE_SHAPE,
  parseResults,
  type RawCard,
  type RawPrice,
  type RecordShape,
  SET_SHAPE,
} from './upstream-shapes.ts'

/**
 * Parses the games of `tcgplayer/categories`, in ascending id, without those that the mirror asks
 * clients to skip.
 *
 * @throws UpstreamFormatError if the file is invalid
 */
export function parseGamesFile(text: string): ParsedRecords<UpstreamGame> {
  const { records, rejected } = parseRecords(
    text,
    GAME_SHAPE,
    ({ categoryId }) => String(categoryId),
    (raw) => ({
      id: raw.categoryId,
      name: filled(raw.displayName) ?? raw.name,
      slug: gameSlug({ id: raw.categoryId, name: raw.name }),
      priority: refreshPriority(raw.popularity ?? null),
      logo_url: null,
    }),
  )
  const games = records.filter((game) => !SKIPPED_GAMES.has(game.id))
  return { records: withUniqueSlugs(games.sort((a, b) => a.id - b.id)), rejected }
}

/**
 * Parses the sets of `tcgplayer/{game}/groups`.
 *
 * @throws UpstreamFormatError if the file is invalid
 */
export function parseSetsFile(text: string, gameId: number): ParsedRecords<UpstreamSet> {
  return parseRecords(
    text,
    SET_SHAPE,
    ({ groupId }) => String(groupId),
    (raw) => {
      if (raw.categoryId !== gameId) return `categoryId is not ${gameId}`
      return {
        id: raw.groupId,
        game_id: gameId,
        name: raw.name,
        abbreviation: filled(raw.abbreviation),
        release_date: parseReleaseDate(raw.publishedOn),
        modified_on: filled(raw.modifiedOn),
      }
    },
  )
}

/**
 * Parses the cards and sealed products of `tcgplayer/{game}/{set}/products`.
 *
 * @throws UpstreamFormatError if the file is invalid
 */
export function parseCardsFile(
  text: string,
  gameId: number,
  setId: number,
): ParsedRecords<UpstreamCard> {
  return parseRecords(
    text,
    CARD_SHAPE,
    ({ productId }) => String(productId),
    (raw, written) => {
      if (raw.categoryId !== gameId) return `categoryId is not ${gameId}`
      if (raw.groupId !== setId) return `groupId is not ${setId}`
      return mapCard(raw, written)
    },
  )
}

/**
 * Parses the prices of `tcgplayer/{game}/{set}/prices`, one record per card and printing. A price
 * of 0 means unknown, as does one of less than half a cent.
 *
 * @throws UpstreamFormatError if the file is invalid
 */
export function parsePricesFile(text: string): ParsedRecords<UpstreamPrice> {
  const keyOf = (raw: RawPrice) => `${raw.productId} ${raw.subTypeName}`
  return parseRecords(text, PRICE_SHAPE, keyOf, (raw) => {
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
 * Parses `last-updated.txt`: `2026-08-05T20:05:50+0000` and an optional line end.
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
  throw new Error('the file is not a publish time such as 2026-08-05T20:05:50+0000')
}

/**
 * Returns the refresh priority of a game by its popularity: 3 (daily) from 300,000, 2 (every third day) from 100,000,
 * 1 (twice a week) from 10,000, otherwise 0 (weekly). A game without a popularity is refreshed daily, so that it
 * cannot become stale.
 *
 * @param popularity the upstream's own measure; the largest games exceed a million
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

/** Categories without cards, which the mirror's documentation asks clients to skip. */
const SKIPPED_GAMES: ReadonlySet<number> = new Set([21, 69, 70])

/**
 * Parses each record independently.
 *
 * @param map converts a record with decoded texts, which it also gets as written; returns the reason if the record is
 * invalid
 */
function parseRecords<Raw extends object, T>(
  text: string,
  shape: RecordShape<Raw>,
  keyOf: (raw: Raw) => string,
  map: (raw: Raw, written: Raw) => T | string,
): ParsedRecords<T> {
  const records: T[] = []
  const rejected: RejectedRecord[] = []
  const seen = new Set<string>()
  for (const [index, row] of parseResults(text).entries()) {
    if (!shape.is(row)) {
      const reason = shape.findProblem(row) ?? 'wrong shape'
      rejected.push({ id: findId(row) ?? `record ${index}`, reason })
      continue
    }
    const record = decodeTexts(row)
    const id = keyOf(record)
    const result = seen.has(id) ? 'duplicate record' : map(record, row)
    seen.add(id)
    if (typeof result === 'string') rejected.push({ id, reason: result })
    else records.push(result)
  }
  return { records, rejected }
}

/** Returns the record with decoded texts; the record itself if it contains no entity. */
function decodeTexts<Raw extends object>(record: Raw): Raw {
  let decoded = record
  for (const field in record) {
    const text = record[field]
    if (typeof text !== 'string' || !text.includes('&')) continue
    if (decoded === record) decoded = { ...record }
    Object.assign(decoded, { [field]: decodeEntities(text) })
  }
  return decoded
}

/** Returns the id of an invalid record, for the report. */
function findId(row: unknown): string | undefined {
  if (!isRecord(row)) return undefined
  const id = ID_FIELDS.map((field) => row[field]).find((value) => typeof value === 'number')
  return id === undefined ? undefined : String(id)
}

// A product has all three, a set only the last two.
const ID_FIELDS = ['productId', 'groupId', 'categoryId']

/** If two games have the same slug, the game with the lower id keeps it. */
function withUniqueSlugs(games: UpstreamGame[]): UpstreamGame[] {
  const slugs = new Set<string>()
  return games.map((game) => {
    const slug = slugs.has(game.slug) ? `${game.slug}-${game.id}` : game.slug
    slugs.add(slug)
    return { ...game, slug }
  })
}

function mapCard(raw: RawCard, written: RawCard): UpstreamCard {
  const { isCard, ...attributes } = parseAttributes(raw.categoryId, raw.extendedData ?? [])
  const product_type = isCard ? 'Cards' : 'Sealed Products'
  return {
    id: raw.productId,
    game_id: raw.categoryId,
    set_id: raw.groupId,
    name: raw.name,
    clean_name: cleanCardName(raw, written),
    ...attributes,
    image_url: webUrl(raw.imageUrl),
    marketplace_url: webUrl(raw.url),
    product_type,
    total_listings: raw.totalListings ?? 0,
    shipping_category_id: raw.shippingCategoryId ?? shippingCategory(product_type, raw.name),
    product_status_id: raw.productStatusId ?? (raw.presaleInfo?.isPresale ? PRESALE : ACTIVE),
    foil_only: flag(raw.foilOnly),
  }
}

const ACTIVE = 1
const PRESALE = 20

/** Uses the upstream's clean name, unless the name has entities or non-ASCII letters, which it garbles. */
function cleanCardName(raw: RawCard, written: RawCard): string {
  const upstream = filled(raw.cleanName)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const isPlain = raw.name === written.name && /^[\x00-\x7f]*$/.test(raw.name)
  return upstream !== null && isPlain ? upstream : cleanName(raw.name)
}

/** Guesses a missing category: 1 for a card, 4 for a case, 3 for any other sealed product. */
function shippingCategory(type: ProductType, name: string): number {
  if (type === 'Cards') return 1
  return /\bcases?\b/i.test(name) ? 4 : 3
}

function flag(value: boolean | 0 | 1 | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** Returns the URL as written, even if relative; null if it has a scheme other than HTTP. */
function webUrl(address: string | null | undefined): string | null {
  const link = filled(address)
  if (link === null) return null
  // Parsed as browsers do, which accept "javascript:" with a tab inside it.
  const { protocol } = URL.parse(link, 'https://relative.invalid/') ?? {}
  return protocol === 'https:' || protocol === 'http:' ? link : null
}

function filled(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text
}

/** Parses `2022-11-11T00:00:00` as 2022-11-11. The year 1 means a missing date. */
function parseReleaseDate(time: string | null | undefined): string | null {
  const date = time?.slice(0, 10) ?? ''
  return parseDate(date) === undefined || date.startsWith('0001') ? null : date
}

/** Rounds to cents, halves up. 1.005 is slightly less in binary and counts as what it is in decimals. */
function cents(dollars: number | null | undefined): number | null {
  return Math.round((dollars ?? 0) * 100 + BINARY_ERROR) || null
}

/** In cents: more than that of a million dollars, and less than anything that the mirror can mean. */
const BINARY_ERROR = 1e-6
