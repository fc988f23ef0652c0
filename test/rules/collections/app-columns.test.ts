// Files for collection apps, against the columns and words of the files that the apps write and read themselves.
import { describe, expect, test } from 'bun:test'
import { COLLECTION_FORMATS, type CollectionFormat } from '#rules/collections/collection-formats.ts'
import {
  exportCells,
  exportHeader,
  renderExportedItem,
  renderExportHead,
} from '#rules/collections/export-columns.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { LANGUAGE_CODES } from '#rules/collections/languages.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'

type AppColumns = {
  /** Columns of the app's own file, in order. The app may append further columns. */
  columns: string
  /** Columns by which the app finds the card and its copies. */
  needed: readonly string[]
  /** Undefined if the app has no conditions. */
  conditions?: readonly string[]
  /** Column and words of the finish: of foils, etched foils and other printings. */
  finish: { column: string; foil: string; etched: string; other: string }
  /** Languages by our code; undefined if the app has none. */
  languages?: Readonly<Record<string, string>>
  /** Cells with a price of $1.50, and without a price. */
  price?: { column: string; known: string; unknown: string }
}

/** The languages of Magic by their English names. */
const NAMES = {
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  pt: 'Portuguese',
  ja: 'Japanese',
  ko: 'Korean',
  ru: 'Russian',
}

/** Each was taken from files of the app in 2026, which docs/guides/collections/export-formats.md names. */
const APPS: Record<Exclude<CollectionFormat, 'full'>, AppColumns> = {
  tcgplayer: {
    columns:
      'Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU',
    needed: ['Quantity', 'Name', 'Set', 'Card Number', 'Printing', 'Product ID'],
    conditions: [
      'Near Mint',
      'Lightly Played',
      'Moderately Played',
      'Heavily Played',
      'Damaged',
      'Unopened',
    ],
    finish: { column: 'Printing', foil: 'Foil', etched: 'Etched Foil', other: 'Normal' },
    languages: { ...NAMES, zhs: 'Chinese (S)', zht: 'Chinese (T)' },
  },
  collectr: {
    columns:
      'Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price,Price Override,Watchlist,Date Added,Notes',
    needed: ['Category', 'Set', 'Product Name', 'Card Number', 'Variance', 'Grade', 'Quantity'],
    conditions: ['Near Mint', 'Lightly Played', 'Moderately Played', 'Heavily Played', 'Damaged'],
    finish: { column: 'Variance', foil: 'Foil', etched: 'Etched Foil', other: 'Normal' },
    price: { column: 'Average Cost Paid', known: '1.50', unknown: '0.00' },
  },
  moxfield: {
    columns:
      'Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,Purchase Price',
    needed: ['Count', 'Name', 'Edition', 'Collector Number'],
    conditions: [
      'Mint',
      'Near Mint',
      'Good (Lightly Played)',
      'Played',
      'Heavily Played',
      'Damaged',
    ],
    finish: { column: 'Foil', foil: 'foil', etched: 'etched', other: '' },
    languages: { ...NAMES, zhs: 'Chinese', zht: 'Traditional Chinese' },
    price: { column: 'Purchase Price', known: '1.50', unknown: '' },
  },
  manabox: {
    columns:
      'Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency',
    needed: ['Name', 'Set code', 'Collector number', 'Quantity'],
    conditions: ['mint', 'near_mint', 'excellent', 'good', 'light_played', 'played', 'poor'],
    finish: { column: 'Foil', foil: 'foil', etched: 'etched', other: 'normal' },
    languages: {
      ...Object.fromEntries(Object.keys(NAMES).map((code) => [code, code])),
      zhs: 'zh_CN',
      zht: 'zh_TW',
    },
    price: { column: 'Purchase price', known: '1.5', unknown: '' },
  },
  archidekt: {
    columns:
      'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number',
    needed: ['Quantity', 'Name', 'Edition Code', 'Collector Number'],
    conditions: ['NM', 'LP', 'MP', 'HP', 'D'],
    finish: { column: 'Finish', foil: 'Foil', etched: 'Etched', other: 'Normal' },
    languages: {
      en: 'EN',
      es: 'ES',
      fr: 'FR',
      de: 'DE',
      it: 'IT',
      pt: 'PT',
      ja: 'JP',
      ko: 'KR',
      ru: 'RU',
      zhs: 'CS',
      zht: 'CT',
    },
    price: { column: 'Purchase Price', known: '1.50', unknown: '' },
  },
  deckbox: {
    columns:
      'Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price',
    needed: ['Count', 'Name', 'Edition', 'Card Number'],
    conditions: ['Mint', 'Near Mint', 'Good (Lightly Played)', 'Played', 'Heavily Played', 'Poor'],
    // Its importer rejects the word "etched".
    finish: { column: 'Foil', foil: 'foil', etched: 'foil', other: '' },
    languages: { ...NAMES, zhs: 'Chinese', zht: 'Traditional Chinese' },
    price: { column: 'My Price', known: '$1.50', unknown: '$0.00' },
  },
  dragon_shield: {
    columns:
      'Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET',
    needed: ['Quantity', 'Card Name', 'Set Name', 'Card Number', 'Printing'],
    conditions: ['Mint', 'NearMint', 'Excellent', 'Good', 'LightPlayed', 'Played', 'Poor'],
    finish: { column: 'Printing', foil: 'Foil', etched: 'Foil', other: 'Normal' },
    languages: { ...NAMES, zhs: 'Simplified Chinese', zht: 'Traditional Chinese' },
    price: { column: 'Price Bought', known: '1.50', unknown: '0.00' },
  },
  dreamborn: {
    columns: 'Set Number,Card Number,Variant,Count,Name,Color,Rarity',
    needed: ['Set Number', 'Card Number', 'Variant', 'Count'],
    finish: { column: 'Variant', foil: 'foil', etched: 'foil', other: 'normal' },
  },
  pokecollector: {
    columns: 'set_code,number,quantity,condition,variant,lang,purchase_price',
    needed: ['set_code', 'number'],
    conditions: ['Mint', 'NM', 'LP', 'MP', 'HP'],
    finish: { column: 'variant', foil: 'Holo', etched: 'Holo', other: 'Normal' },
    languages: {
      ...Object.fromEntries(Object.keys(NAMES).map((code) => [code, code])),
      nl: 'nl',
      pl: 'pl',
      id: 'id',
      th: 'th',
      zhs: 'zh-cn',
      zht: 'zh-tw',
    },
    price: { column: 'purchase_price', known: '1.50', unknown: '' },
  },
}

const NAMED = Object.entries(APPS) as [Exclude<CollectionFormat, 'full'>, AppColumns][]

const TODAY = 20_100

const ITEM = {
  ...UNKNOWN_HOLDING,
  card_id: 900401,
  name: 'Cindle',
  number: '001/024',
  game: 'magic',
  set_code: 'LSN',
  set_name: 'Lantern Season',
  printing: 'Foil',
  language: 'en',
  quantity: 2,
  price_paid: 150,
  cost: 150,
  acquired_on: 20_000,
  place: 'Box',
}

/** Returns the cells of an item by their header. */
function cellsOf(format: CollectionFormat, changes: object): Record<string, string> {
  const cells = exportCells(format, { ...ITEM, ...changes }, TODAY)
  return Object.fromEntries(
    exportHeader(format).map((header, index) => [header, String(cells[index] ?? '')]),
  )
}

test('every format but our own is that of an app', () => {
  expect(Object.keys(APPS)).toEqual(COLLECTION_FORMATS.filter((format) => format !== 'full'))
})

describe.each(NAMED)('the file for %s', (format, app) => {
  test('has the columns of the app in their order', () => {
    expect(exportHeader(format).join()).toBe(app.columns)
  })

  test('fills the columns by which the app finds a card', () => {
    const cells = cellsOf(format, {})
    expect(app.needed.filter((column) => (cells[column] ?? '') === '')).toEqual([])
  })

  test('has no condition that the app does not know', () => {
    const { conditions = [''] } = app
    const [column = ''] = exportHeader(format).filter((header) => /condition/i.test(header))
    const words = CONDITIONS.map((condition) => cellsOf(format, { condition })[column] ?? '')
    expect(words.filter((word) => !conditions.includes(word))).toEqual([])
    expect(new Set(words).size).toBeGreaterThanOrEqual(Math.min(conditions.length - 1, 5))
  })

  test('has the words of the app for foils, etched foils and other printings', () => {
    const { column, foil, etched, other } = app.finish
    const printings = ['Foil', 'Etched Foil', 'Normal', 'Non-Foil'].map(
      (printing) => cellsOf(format, { printing })[column],
    )
    expect(printings.slice(0, 3)).toEqual([foil, etched, other])
    expect([other, 'Non-Foil']).toContain(printings[3] ?? '')
  })

  test('has the languages of the app in its words, and no other', () => {
    const [column = ''] = exportHeader(format).filter((header) => /^lang/i.test(header))
    const words = LANGUAGE_CODES.map((language) => [
      language,
      cellsOf(format, { language })[column],
    ])
    const others = format === 'dragon_shield' ? 'English' : ''
    const { languages } = app
    expect(Object.fromEntries(words)).toEqual(
      Object.fromEntries(
        LANGUAGE_CODES.map((code) => [
          code,
          languages === undefined ? undefined : (languages[code] ?? others),
        ]),
      ),
    )
  })

  test('has prices as the app writes them', () => {
    const { column, known, unknown } = app.price ?? { column: 'none', known: '', unknown: '' }
    const cells = [150, null].map((paid) => {
      return cellsOf(format, { price_paid: paid, cost: paid })[column] ?? ''
    })
    expect(cells).toEqual([known, unknown])
  })

  test('has texts unchanged, because the app looks them up', () => {
    const name = '+2 "Mace", =1'
    const record = renderExportedItem(format, { ...ITEM, name, place: '=Box' }, TODAY)
    if (app.columns.includes('Name')) expect(record).toContain('"+2 ""Mace"", =1"')
    expect(record).not.toContain("'")
  })
})

test('our own format guards texts against spreadsheets', () => {
  const record = renderExportedItem('full', { ...ITEM, name: '+2 Mace', place: '=Box' }, TODAY)
  expect(record.split(',').filter((cell) => cell.startsWith("'"))).toEqual(["'+2 Mace", "'=Box"])
})

test("Dragon Shield's file begins with the delimiter, and has no empty cell but current prices", () => {
  const [first, second] = renderExportHead('dragon_shield').split('\r\n')
  expect([first, second]).toEqual(['"sep=,"', APPS.dragon_shield.columns])
  expect(renderExportHead('moxfield')).toBe(`${APPS.moxfield.columns}\r\n`)
  const cells = cellsOf('dragon_shield', { ...UNKNOWN_HOLDING, cost: null, printing: null })
  expect(cells).toMatchObject({
    'Folder Name': 'Cardstock',
    Language: 'English',
    'Price Bought': '0.00',
    'Date Bought': '2025-01-12',
  })
  const empty = Object.keys(cells).filter((column) => cells[column] === '')
  expect(empty).toEqual(['LOW', 'MID', 'MARKET'])
})

test.each([
  ['Demonic Tutor (Foil Etched)', 'Foil', 'etched'],
  ['Demonic Tutor', 'Etched Foil', 'etched'],
  ['Etched Oracle', 'Foil', 'foil'],
  ['Etched Oracle', 'Normal', ''],
])('%p as %p has the finish %p', (name, printing, finish) => {
  expect(cellsOf('moxfield', { name, printing }).Foil).toBe(finish)
})

test.each([
  ['1st Edition Holofoil', 'First Edition'],
  ['Reverse Holofoil', 'Reverse Holo'],
  ['Holofoil', 'Holo'],
  ['Unlimited', 'Normal'],
  ['Unlimited Holofoil', 'Holo'],
])('the printing %p is the variant %p of PokéCollector', (printing, variant) => {
  expect(cellsOf('pokecollector', { printing }).variant).toBe(variant)
})
