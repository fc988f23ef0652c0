// Files for collection apps, against the columns and words of the files that the apps write and read themselves.
import { describe, expect, test } from 'bun:test'
import {
  COLLECTION_FORMATS,
  type CollectionFormat,
  exportCells,
  exportHeader,
} from '#rules/collections/export-columns.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'

type AppColumns = {
  /** Columns of the app's own file, in order. The app may append further columns. */
  columns: string
  /** Columns by which the app finds the card and its copies. */
  needed: readonly string[]
  conditions: readonly string[]
  /** Column and words of the finish, if the app distinguishes only foils from other printings. */
  finish?: { column: string; foil: string; other: string }
}

/** Each was taken from files of the app in 2026. */
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
    finish: { column: 'Foil', foil: 'foil', other: '' },
  },
  manabox: {
    columns:
      'Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency',
    needed: ['Name', 'Set code', 'Collector number', 'Quantity'],
    conditions: ['mint', 'near_mint', 'excellent', 'good', 'light_played', 'played', 'poor'],
    finish: { column: 'Foil', foil: 'foil', other: 'normal' },
  },
  archidekt: {
    columns:
      'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number',
    needed: ['Quantity', 'Name', 'Edition Code', 'Collector Number'],
    conditions: ['NM', 'LP', 'MP', 'HP', 'D'],
    finish: { column: 'Finish', foil: 'Foil', other: 'Normal' },
  },
  deckbox: {
    columns:
      'Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price',
    needed: ['Count', 'Name', 'Edition', 'Card Number'],
    conditions: [
      'Mint',
      'Near Mint',
      'Good (Lightly Played)',
      'Played',
      'Heavily Played',
      'Poor',
      'Damaged',
    ],
    finish: { column: 'Foil', foil: 'foil', other: '' },
  },
  dragon_shield: {
    columns:
      'Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET',
    needed: ['Quantity', 'Card Name', 'Set Name', 'Card Number', 'Printing'],
    conditions: ['Mint', 'NearMint', 'Excellent', 'Good', 'LightPlayed', 'Played', 'Poor'],
  },
}

const NAMED = Object.entries(APPS) as [Exclude<CollectionFormat, 'full'>, AppColumns][]

/** Returns the cells of an item by their header. */
function cellsOf(format: CollectionFormat, changes: object): Record<string, string> {
  const cells = exportCells(format, {
    ...UNKNOWN_HOLDING,
    card_id: 900401,
    name: 'Cindle',
    number: '001/024',
    game: 'wickerwild',
    set_code: 'LSN',
    set_name: 'Lantern Season',
    printing: 'Foil',
    language: 'en',
    quantity: 2,
    price_paid: 150,
    acquired_on: 20_000,
    place: 'Box',
    ...changes,
  })
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
    const words = CONDITIONS.map((condition) => cellsOf(format, { condition }).Condition ?? '')
    expect(words.filter((word) => !app.conditions.includes(word))).toEqual([])
    expect(new Set(words).size).toBeGreaterThanOrEqual(5)
  })

  test('has the words of the app for foils and other printings', () => {
    const { column, foil, other } = app.finish ?? {
      column: 'Printing',
      foil: 'Foil',
      other: 'Normal',
    }
    const printings = ['Foil', 'Normal'].map((printing) => cellsOf(format, { printing })[column])
    expect(printings).toEqual([foil, other])
  })
})
