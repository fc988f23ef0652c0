// Items with every kind of value, and what each format of files can keep of them.
import { expect } from 'bun:test'
import type { CollectionFormat } from '#rules/collections/collection-formats.ts'
import { LANGUAGE_CODES } from '#rules/collections/languages.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'
import type { CollectionImportReport, CollectionItem } from '../../../src/client/endpoints.ts'
import type { TestApp } from '../test-app.ts'
import { callsOf } from './collection-calls.ts'

/** A card with its printings. */
export type OwnableCard = { id: number; printings: readonly string[] }

const TEXTS = [
  null,
  'Box 1',
  '=SUM(A1)',
  '+1',
  "'=1",
  'Binder "Rares", page 2',
  "Jace's box",
  'Boîte à Zürich',
  '赤い箱',
  '@home; sold? | no',
]
const GRADES = [null, null, null, 'PSA 10', 'BGS 9.5', 'CGC 8']
const QUANTITIES = [1, 2, 4, 99, 999]
const PRICES = [null, 0, 0.01, 1.5, 12, 1_234.56, 999_999.99]
/** There are no exchange rates, so that these amounts cannot be converted. */
const CURRENCIES = ['USD', 'USD', 'EUR', 'GBP', 'USD', 'TWD']
const DATES = [null, '2026-05-31', '1999-01-08', '2024-02-29', '2026-11-15']

/** Describes copies of cards, so that each value occurs with each kind of card. */
export function describeCopies(cards: readonly OwnableCard[]): object[] {
  const at = <T>(values: readonly T[], index: number) => values[index % values.length]
  return cards.map(({ id, printings }, index) => ({
    card_id: id,
    printing: at(printings, Math.floor(index / 3)),
    condition: at(CONDITIONS, index),
    grade: at(GRADES, index),
    language: at([null, 'en', ...LANGUAGE_CODES], index),
    quantity: at(QUANTITIES, index),
    price_paid: at(PRICES, index),
    paid_currency: at(CURRENCIES, Math.floor(index / 2)),
    target_price: at(PRICES, index + 3),
    acquired_on: at(DATES, index),
    place: at(TEXTS, index),
    note: at(TEXTS, index + 4),
  }))
}

/** Members of an item that a file can keep. */
export type Kept = Pick<
  CollectionItem,
  | 'card_id'
  | 'printing'
  | 'condition'
  | 'grade'
  | 'language'
  | 'quantity'
  | 'price_paid'
  | 'paid_currency'
  | 'target_price'
  | 'acquired_on'
  | 'place'
  | 'note'
>

function keptOf(item: CollectionItem): Kept {
  const { card_id, printing, condition, grade, language, quantity } = item
  const { price_paid, paid_currency, target_price, acquired_on, place, note } = item
  const copies = { card_id, printing, condition, grade, language, quantity }
  return { ...copies, price_paid, paid_currency, target_price, acquired_on, place, note }
}

const MAGIC_LANGUAGES = 'en es fr de it pt ja ko ru zhs zht'.split(' ')
const TCGDEX_LANGUAGES = [...MAGIC_LANGUAGES, 'nl', 'pl', 'id', 'th']

/** Facts that a file of an app has no column for. */
const NONE = {
  grade: null,
  price_paid: null,
  paid_currency: 'USD',
  target_price: null,
  acquired_on: null,
} as const
const NO_TEXTS = { place: null, note: null } as const

type Item = Readonly<Kept>

/** Apps write 0 if they know no price, and have US dollars alone. */
const paid = ({ price_paid, paid_currency }: Item) =>
  (paid_currency === 'USD' && price_paid) || null
/** An unknown price has no currency. */
const currencyOf = ({ paid_currency }: Item, price: number | null) =>
  price === null ? 'USD' : paid_currency
const languageOf = ({ language }: Item, known: readonly string[]) =>
  known.includes(language ?? '') ? language : null
/** Cards in apps are not sealed. */
const played = ({ condition }: Item) => (condition === 'unopened' ? 'near_mint' : condition)

/** Members that the file of a format changes. All others are kept. */
export const REMAINS: Record<CollectionFormat, (item: Item, today: string) => Partial<Kept>> = {
  full: (item) => ({ paid_currency: currencyOf(item, item.price_paid) }),
  tcgplayer: (item) => ({ ...NONE, ...NO_TEXTS, language: languageOf(item, MAGIC_LANGUAGES) }),
  collectr: (item) => ({
    target_price: null,
    language: null,
    condition: played(item),
    price_paid: paid(item),
    paid_currency: 'USD',
    place: item.place ?? 'Main',
  }),
  moxfield: ofMagic,
  manabox: (item) => ({
    ...ofMagic(item),
    price_paid: item.price_paid || null,
    paid_currency: currencyOf(item, item.price_paid || null),
    place: item.place,
  }),
  archidekt: (item) => ({ ...ofMagic(item), acquired_on: item.acquired_on }),
  deckbox: ofMagic,
  dragon_shield: (item, today) => ({
    ...ofMagic(item),
    language: languageOf(item, MAGIC_LANGUAGES) ?? 'en',
    acquired_on: item.acquired_on ?? today,
    place: item.place ?? 'Cardstock',
  }),
  dreamborn: () => ({ ...NONE, ...NO_TEXTS, language: null, condition: 'near_mint' }),
  pokecollector: (item) => ({
    ...NONE,
    ...NO_TEXTS,
    price_paid: paid(item),
    language: languageOf(item, TCGDEX_LANGUAGES),
    condition: item.condition === 'damaged' ? 'heavily_played' : played(item),
  }),
}

function ofMagic(item: Item): Partial<Kept> {
  return {
    ...NONE,
    ...NO_TEXTS,
    price_paid: paid(item),
    language: languageOf(item, MAGIC_LANGUAGES),
    condition: played(item),
  }
}

/** Adds items to a new collection. @returns its id */
export async function createFilled(app: TestApp, items: readonly object[]): Promise<string> {
  const { create, add } = callsOf(app, 'business')
  const id = await create()
  for (let start = 0; start < items.length; start += 100) {
    const { status, text } = await add(id, items.slice(start, start + 100))
    expect([status, text]).toEqual([201, expect.any(String)])
  }
  return id
}

/** Reads all items in the order of their addition. */
export async function readItems(app: TestApp, id: string): Promise<CollectionItem[]> {
  const { items } = callsOf(app, 'business')
  const all: CollectionItem[] = []
  for (let page = 1; ; page++) {
    const found = await items(id, `?sort=added_asc&per_page=100&page=${page}`)
    all.push(...found)
    if (found.length < 100) return all
  }
}

export type RoundTrip = {
  file: string
  leftOut: number
  report: CollectionImportReport
  before: Kept[]
  after: Kept[]
}

/** Exports a collection and imports the file into a new one. */
export async function sendAround(
  app: TestApp,
  id: string,
  format: CollectionFormat,
  query: string,
): Promise<RoundTrip> {
  const { create, get, import: send } = callsOf(app, 'business')
  const { status, text: file, headers } = await get(id, `/export?format=${format}`)
  expect([format, status]).toEqual([format, 200])
  const copy = await create()
  const report = await send(copy, file, query)
  const [before, after] = [await readItems(app, id), await readItems(app, copy)]
  const leftOut = Number(headers.get('x-items-left-out'))
  return { file, leftOut, report, before: before.map(keptOf), after: after.map(keptOf) }
}
