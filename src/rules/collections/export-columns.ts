import { isFoil } from '../catalog/printing-words.ts'
import type { Condition } from '../pricing/price-key.ts'
import type { CsvCell } from '../primitives/csv.ts'
import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import { HOLDING_TEXT_NAMES, HOLDING_TEXTS, type Holding } from './holding.ts'
import { languageName } from './languages.ts'

/** File formats of collections: our own with all members, and those of apps. */
export const COLLECTION_FORMATS = [
  'full',
  'tcgplayer',
  'moxfield',
  'manabox',
  'archidekt',
  'deckbox',
  'dragon_shield',
] as const

export type CollectionFormat = (typeof COLLECTION_FORMATS)[number]

/** An item in an exported file. */
export type ExportedItem = Omit<Holding, 'language'> & {
  card_id: number
  name: string
  number: string | null
  game: string
  set_code: string | null
  set_name: string
  printing: string | null
  language: string | null
  quantity: number
}

const AMERICAN: Record<Condition, string> = {
  near_mint: 'Near Mint',
  lightly_played: 'Lightly Played',
  moderately_played: 'Moderately Played',
  heavily_played: 'Heavily Played',
  damaged: 'Damaged',
  unopened: 'Unopened',
}

const SHORT: Record<Condition, string> = {
  near_mint: 'NM',
  lightly_played: 'LP',
  moderately_played: 'MP',
  heavily_played: 'HP',
  damaged: 'D',
  unopened: 'NM',
}

/** Moxfield and Deckbox. */
const WORDS: Record<Condition, string> = {
  near_mint: 'Near Mint',
  lightly_played: 'Good (Lightly Played)',
  moderately_played: 'Played',
  heavily_played: 'Heavily Played',
  damaged: 'Damaged',
  unopened: 'Near Mint',
}

const EUROPEAN: Record<Condition, string> = {
  near_mint: 'near_mint',
  lightly_played: 'excellent',
  moderately_played: 'good',
  heavily_played: 'played',
  damaged: 'poor',
  unopened: 'near_mint',
}

type Cell = (item: ExportedItem) => CsvCell

/** Cells of our own format with the texts of the owner. */
const TEXT_CELLS = Object.fromEntries(
  HOLDING_TEXT_NAMES.map((name): [string, Cell] => [
    HOLDING_TEXTS[name].header,
    (item) => item[name],
  ]),
)

/** Headers of each format, as its app writes them. */
const HEADERS: Record<CollectionFormat, string> = {
  full: `Quantity,Name,Game,Set Code,Set Name,Collector Number,Printing,Condition,Grade,Language,Price Paid,Currency,Date,${Object.keys(TEXT_CELLS)},Target Price,Product ID`,
  tcgplayer:
    'Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU',
  moxfield:
    'Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,Purchase Price',
  manabox:
    'Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency',
  archidekt:
    'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number',
  deckbox:
    'Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price',
  dragon_shield:
    'Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET',
}

const quantity: Cell = (item) => item.quantity
const name: Cell = (item) => item.name
const number: Cell = (item) => item.number
const setCode: Cell = (item) => item.set_code
const setName: Cell = (item) => item.set_name
const price: Cell = (item) => toDollars(item.price_paid)
const date: Cell = ({ acquired_on }) => (acquired_on === null ? null : formatDate(acquired_on))
const foil: Cell = ({ printing }) => (printing !== null && isFoil(printing) ? 'foil' : null)
const hasPrice = ({ price_paid, target_price }: ExportedItem) =>
  price_paid !== null || target_price !== null

/** Cells that have the same meaning in all formats with this header. A header without a cell stays empty. */
const CELLS: Readonly<Record<string, Cell>> = {
  Quantity: quantity,
  Count: quantity,
  Name: name,
  'Card Name': name,
  'Simple Name': name,
  Game: (item) => item.game,
  'Set Code': setCode,
  'Set code': setCode,
  'Edition Code': setCode,
  'Set Name': setName,
  'Set name': setName,
  'Edition Name': setName,
  Edition: setName,
  Set: setName,
  'Collector Number': number,
  'Collector number': number,
  'Card Number': number,
  Printing: (item) => item.printing,
  Foil: foil,
  Grade: (item) => item.grade,
  Language: ({ language }) => (language === null ? null : languageName(language)),
  'Price Paid': price,
  'Purchase Price': price,
  'Purchase price': price,
  'My Price': price,
  'Price Bought': price,
  Currency: (item) => (hasPrice(item) ? 'USD' : null),
  'Purchase price currency': () => 'USD',
  Date: date,
  'Date Added': date,
  'Date Bought': date,
  ...TEXT_CELLS,
  'Binder Name': (item) => item.place,
  'Folder Name': (item) => item.place,
  'Target Price': (item) => toDollars(item.target_price),
  'Product ID': (item) => item.card_id,
  'Tradelist Count': () => 0,
  'Trade Quantity': () => 0,
}

const conditionIn =
  (words: Record<Condition, string>): Cell =>
  ({ condition }) =>
    words[condition]

/** Cells that a format writes in its own way. */
const OWN_CELLS: Record<CollectionFormat, Readonly<Record<string, Cell>>> = {
  full: { Condition: conditionIn(AMERICAN) },
  tcgplayer: { Condition: conditionIn(AMERICAN) },
  moxfield: {
    Edition: setCode,
    Condition: conditionIn(WORDS),
    Alter: () => 'False',
    Proxy: () => 'False',
  },
  manabox: {
    'Binder Type': () => 'binder',
    Foil: (item) => foil(item) ?? 'normal',
    Condition: conditionIn(EUROPEAN),
    Language: (item) => item.language,
    Misprint: () => 'false',
    Altered: () => 'false',
  },
  archidekt: {
    Finish: (item) => (foil(item) === null ? 'Normal' : 'Foil'),
    Condition: conditionIn(SHORT),
    Language: (item) => item.language?.toUpperCase(),
  },
  deckbox: { Condition: conditionIn(WORDS) },
  dragon_shield: { Condition: ({ condition }) => camelCase(EUROPEAN[condition]) },
}

/** Lists the headers of a format. */
export function exportHeader(format: CollectionFormat): string[] {
  return HEADERS[format].split(',')
}

/** Lists the cells of an item in a format, in the order of its headers. */
export function exportCells(format: CollectionFormat, item: ExportedItem): CsvCell[] {
  return exportHeader(format).map((header) => {
    const cell = OWN_CELLS[format][header] ?? CELLS[header]
    return cell?.(item)
  })
}

function camelCase(text: string): string {
  return text.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
