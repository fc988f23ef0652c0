import { isFoil } from '../catalog/printing-words.ts'
import { MIRROR_KIND } from '../pricing/price-key.ts'
import { type CsvCell, formatCsvRecord, formatPlainCsvRecord } from '../primitives/csv.ts'
import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import { CONDITION_WORDS, LANGUAGE_WORDS } from './app-words.ts'
import { COLLECTION_FORMATS, COLLECTR_GAMES, type CollectionFormat } from './collection-formats.ts'
import { HOLDING_TEXT_NAMES, HOLDING_TEXTS, type Holding } from './holding.ts'
import { languageName } from './languages.ts'

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
  /** Price paid in US cents; null if it is unknown, or its day has no exchange rate. */
  cost: number | null
}

type Cell = (item: ExportedItem, today: number) => CsvCell

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
  collectr:
    'Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price,Price Override,Watchlist,Date Added,Notes',
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
  dreamborn: 'Set Number,Card Number,Variant,Count,Name,Color,Rarity',
  pokecollector: 'set_code,number,quantity,condition,variant,lang,purchase_price',
}

const quantity: Cell = (item) => item.quantity
const name: Cell = (item) => item.name
const number: Cell = (item) => item.number
const setCode: Cell = (item) => item.set_code
const lowerSetCode: Cell = (item) => item.set_code?.toLowerCase()
const setName: Cell = (item) => item.set_name
const date: Cell = ({ acquired_on }) => (acquired_on === null ? null : formatDate(acquired_on))
const dollars = (cents: number) => (cents / 100).toFixed(2)
const price: Cell = ({ cost }) => (cost === null ? null : dollars(cost))
const currencyOf: Cell = ({ price_paid, paid_currency, target_price }) =>
  price_paid === null ? target_price && MIRROR_KIND.currency : paid_currency

/** Number of a card without the total of its set: 4 of 4/102. */
const numberAlone: Cell = (item) => item.number?.split('/')[0]

const hasFoil = ({ printing }: ExportedItem) => printing !== null && isFoil(printing)

/** The marketplace has etched foils as products of their own: "Demonic Tutor (Foil Etched)". */
const isEtched = ({ name, printing }: ExportedItem) =>
  /\betched\b/i.test(printing ?? '') || /\([^)]*\betched\b[^)]*\)/i.test(name)

/** Cells with the finish, in the words of an app. */
const finishIn =
  ({ normal, foil, etched }: { normal: string; foil: string; etched: string }): Cell =>
  (item) => {
    if (isEtched(item)) return etched
    return hasFoil(item) ? foil : normal
  }

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
  'Edition Code': lowerSetCode,
  'Set Name': setName,
  'Set name': setName,
  'Edition Name': setName,
  Edition: setName,
  Set: setName,
  'Collector Number': number,
  'Collector number': number,
  'Card Number': number,
  Printing: (item) => item.printing,
  Grade: (item) => item.grade,
  'Price Paid': (item) => toDollars(item.price_paid),
  'Purchase Price': price,
  'Purchase price': (item) => toDollars(item.price_paid),
  Currency: currencyOf,
  'Purchase price currency': (item) => item.paid_currency,
  Date: date,
  'Date Added': date,
  ...TEXT_CELLS,
  'Binder Name': (item) => item.place,
  'Target Price': (item) => toDollars(item.target_price),
  'Product ID': (item) => item.card_id,
  'Tradelist Count': () => 0,
  'Trade Quantity': () => 0,
}

/** Cells that a format writes in its own way. */
const OWN_CELLS: Partial<Record<CollectionFormat, Readonly<Record<string, Cell>>>> = {
  full: { Language: ({ language }) => (language === null ? null : languageName(language)) },
  collectr: {
    'Portfolio Name': (item) => item.place ?? 'Main',
    Category: (item) => COLLECTR_GAMES.get(item.game),
    'Product Name': name,
    Variance: (item) => item.printing ?? 'Normal',
    Grade: (item) => item.grade ?? 'Ungraded',
    'Average Cost Paid': (item) => dollars(item.cost ?? 0),
    'Price Override': () => 0,
    Watchlist: () => 'false',
    Notes: (item) => item.note,
  },
  moxfield: {
    Edition: lowerSetCode,
    Foil: finishIn({ normal: '', foil: 'foil', etched: 'etched' }),
    Alter: () => 'False',
    Proxy: () => 'False',
  },
  manabox: {
    'Binder Type': () => 'binder',
    Foil: finishIn({ normal: 'normal', foil: 'foil', etched: 'etched' }),
    Misprint: () => 'false',
    Altered: () => 'false',
  },
  archidekt: { Finish: finishIn({ normal: 'Normal', foil: 'Foil', etched: 'Etched' }) },
  // It rejects "etched".
  deckbox: {
    Foil: finishIn({ normal: '', foil: 'foil', etched: 'foil' }),
    'My Price': (item) => `$${dollars(item.cost ?? 0)}`,
  },
  // It rejects rows with empty cells, except for current prices.
  dragon_shield: {
    'Folder Name': (item) => item.place ?? 'Cardstock',
    Printing: finishIn({ normal: 'Normal', foil: 'Foil', etched: 'Foil' }),
    Language: (item) => languageIn('dragon_shield', item) ?? 'English',
    'Price Bought': (item) => dollars(item.cost ?? 0),
    'Date Bought': (item, today) => formatDate(item.acquired_on ?? today),
  },
  dreamborn: {
    'Set Number': setCode,
    'Card Number': numberAlone,
    Variant: finishIn({ normal: 'normal', foil: 'foil', etched: 'foil' }),
  },
  pokecollector: {
    set_code: setCode,
    number: numberAlone,
    quantity,
    variant: ({ printing }) => variantOf(printing ?? ''),
    purchase_price: price,
  },
}

/** The variants that PokéCollector accepts. */
function variantOf(printing: string): string {
  if (/\b(?:1st|first)\b/i.test(printing)) return 'First Edition'
  if (/\breverse\b/i.test(printing)) return 'Reverse Holo'
  return isFoil(printing) ? 'Holo' : 'Normal'
}

function languageIn(format: CollectionFormat, { language }: ExportedItem): string | undefined {
  return language === null ? undefined : LANGUAGE_WORDS[format]?.get(language)
}

const CONDITION_HEADERS = ['Condition', 'Card Condition', 'condition']
const LANGUAGE_HEADERS = ['Language', 'lang']

function findCell(format: CollectionFormat, header: string): Cell {
  const own = OWN_CELLS[format]?.[header]
  if (own !== undefined) return own
  if (CONDITION_HEADERS.includes(header)) {
    return ({ condition }) => CONDITION_WORDS[format]?.[condition]
  }
  if (LANGUAGE_HEADERS.includes(header)) return (item) => languageIn(format, item)
  return CELLS[header] ?? (() => null)
}

const COLUMNS: ReadonlyMap<CollectionFormat, readonly Cell[]> = new Map(
  COLLECTION_FORMATS.map((format) => [
    format,
    exportHeader(format).map((header) => findCell(format, header)),
  ]),
)

/** Lists the headers of a format. */
export function exportHeader(format: CollectionFormat): string[] {
  return HEADERS[format].split(',')
}

/** Lists the cells of an item in a format, in the order of its headers. @param today for apps that require a date */
export function exportCells(
  format: CollectionFormat,
  item: ExportedItem,
  today: number,
): CsvCell[] {
  return COLUMNS.get(format)?.map((cell) => cell(item, today)) ?? []
}

/** Renders the beginning of a file. Dragon Shield refuses a file without this first line. */
export function renderExportHead(format: CollectionFormat): string {
  const first = format === 'dragon_shield' ? '"sep=,"\r\n' : ''
  return first + formatPlainCsvRecord(exportHeader(format))
}

/** Renders an item. Only our own format guards texts against spreadsheets: apps look names up as they are. */
export function renderExportedItem(
  format: CollectionFormat,
  item: ExportedItem,
  today: number,
): string {
  const render = format === 'full' ? formatCsvRecord : formatPlainCsvRecord
  return render(exportCells(format, item, today))
}
