// Commands that fill the catalog: from the mirror, other sources and files.
import { defineCommand, JSON_OPTION } from './definition.ts'

/** Option of commands that can be restricted to a game. */
export const GAME = {
  kind: 'text',
  value: 'SLUG',
  about: 'only this game, by its slug in /v1/games',
} as const

export const SYNC = defineCommand({
  name: 'sync',
  summary:
    'Imports new and changed cards and prices from the mirror, or prices from another source',
  details:
    'Exits with 0 only if the sync is complete. The mirror is that of UPSTREAM_URL or of the setup, the files of Cardmarket are at CARDMARKET_URL.',
  options: {
    source: {
      kind: 'choice',
      choices: ['mirror', 'cardmarket'],
      default: 'mirror',
      about: 'where to read from',
    },
    game: GAME,
    set: { kind: 'number', value: 'ID', about: 'only this set of the mirror' },
    force: { kind: 'flag', about: 'fetch everything again and skip the sanity checks' },
    ...JSON_OPTION,
  },
  examples: ['sync', 'sync --game pokemon', 'sync --set 3170 --force', 'sync --source cardmarket'],
})

export const MAP = defineCommand({
  name: 'map',
  summary: 'Imports the cards of Cardmarket products, or lists products without a card',
  details:
    'FILE is a CSV file with the columns product_id, card_id and, optionally, printing. An empty card_id means that the catalog does not have the card. Rows with errors are listed, and the others are imported. The next sync from Cardmarket publishes the prices. Exits with 0 only if every row was imported.',
  arguments: {
    file: { kind: 'file', about: 'a CSV file' },
  },
  options: {
    unmatched: { kind: 'flag', about: 'list products without a card' },
    game: { ...GAME, about: 'list only products of this game, by its slug in /v1/games' },
    format: {
      kind: 'choice',
      choices: ['csv', 'json'],
      about: 'json by default; without it, a terminal shows a table',
    },
  },
  exactlyOne: ['file', 'unmatched'],
  examples: ['map cards.csv', 'map --unmatched --game pokemon --format csv > unmatched.csv'],
})

export const IMPORT_HISTORY = defineCommand({
  name: 'import-history',
  summary: 'Imports daily price archives into the price history',
  details:
    'PATH has files YYYY-MM-DD/{category}/{group}/prices. An import that was interrupted goes on when it is started again. Exits with 0 only if every file was read. Import older archives first: prices below $1 are kept only after the first known day at $1 or more.',
  arguments: {
    path: {
      kind: 'file',
      about: 'folder, or .zip, .tar.gz or .tar.zst archive',
      isRequired: true,
    },
  },
  options: JSON_OPTION,
  examples: ['import-history /srv/archive', 'import-history prices-2025.tar.zst'],
})

export const IMPORT_RATES = defineCommand({
  name: 'import-rates',
  summary: 'Imports reference rates of the European Central Bank',
  details:
    'FILE is eurofxref-daily.xml, eurofxref-hist-90d.xml, eurofxref-hist.xml, or a CSV of them, also zipped. Without it, the file at EXCHANGE_RATES_URL is fetched, or that of the ECB if the settings turn it on. A file with any error is refused as a whole. Days that are not in the file stay unchanged.',
  arguments: {
    file: { kind: 'file', about: 'a file of reference rates' },
  },
  options: {
    force: { kind: 'flag', about: 'accept rates that jump, or that contradict stored ones' },
    ...JSON_OPTION,
  },
  examples: ['import-rates', 'import-rates eurofxref-hist.zip'],
})

export const IMPORT_PRICES = defineCommand({
  name: 'import-prices',
  summary: 'Imports a price list: prices by condition and grade, in any currency',
  details:
    'FILE is a CSV with a column Price, and the card as card_id, or as name, set and number; docs/guides/pricing/price-lists.md explains it. It replaces all prices of its source in one step. Rows that cannot be imported are listed by line. Exits with 0 if no row has a mistake, also if the catalog lacks its card.',
  arguments: {
    file: { kind: 'file', about: 'a price list as CSV', isRequired: true },
  },
  options: {
    source: { kind: 'text', value: 'NAME', about: 'name of the source, if no column names it' },
    format: {
      kind: 'choice',
      choices: ['list', 'pricecharting'],
      default: 'list',
      about: 'pricecharting for the price guide of PriceCharting',
    },
    currency: {
      kind: 'text',
      value: 'CODE',
      default: 'USD',
      about: 'currency of prices that name none',
    },
    'dry-run': { kind: 'flag', about: 'report what would be imported, and change nothing' },
    ...JSON_OPTION,
  },
  examples: [
    'import-prices my-prices.csv --source my-shop --currency EUR',
    'import-prices price-guide.csv --format pricecharting --dry-run',
  ],
})

export const IMPORT_IDS = defineCommand({
  name: 'import-ids',
  summary: 'Imports the IDs by which your own system knows cards',
  details:
    'FILE is a CSV file with the columns id, card_id and, optionally, printing. It replaces all IDs of the source. Rows with errors are listed, and the others are stored. Exits with 0 only if every row was stored.',
  arguments: {
    file: { kind: 'file', about: 'a CSV file', isRequired: true },
  },
  options: {
    source: {
      kind: 'text',
      value: 'NAME',
      about: 'name of the system: lowercase letters, digits and hyphens',
      isRequired: true,
    },
    ...JSON_OPTION,
  },
  examples: ['import-ids articles.csv --source my-shop'],
})
