// Commands that operators use; the executable has them, too.
import { SERVICE_MODES } from '#rules/operations/service-settings.ts'
import { CARDS_MIN } from '../tools/seed/catalog-plan.ts'
import { ADMIN, PASSWORD, PASSWORD_DETAILS } from './admin-commands.ts'
import { defineCommand, JSON_OPTION } from './definition.ts'

const GAME = {
  kind: 'text',
  value: 'SLUG',
  about: 'only this game, by its slug in /v1/games',
} as const

const PRICES = {
  currency: {
    kind: 'text',
    value: 'CODE',
    about: 'prices in this currency, such as EUR, converted if need be',
  },
  source: { kind: 'text', value: 'NAME', about: 'only prices of this source, such as cardmarket' },
} as const

const SETTINGS =
  'Settings are environment variables or lines of .env; docs/reference/configuration.md lists them.'

export const UP = defineCommand({
  name: 'up',
  summary: 'Starts the server, and loads the sample into an empty catalog',
  details: `In the source tree, installs the packages first. With UPSTREAM_URL, the sample is not loaded. ${SETTINGS}`,
  options: {},
  examples: ['up'],
})

export const START = defineCommand({
  name: 'start',
  summary: 'Starts the server',
  details: SETTINGS,
  options: {
    'with-sample': { kind: 'flag', about: 'load the sample into an empty catalog' },
  },
  examples: ['start', 'start --with-sample'],
})

export const SETUP = defineCommand({
  name: 'setup',
  summary: 'Sets a new server up: its operator, its use, its mirror and its pictures',
  details: `Asks on a terminal for what neither an option nor the environment answers, and goes on where it was stopped. In a pipe, --email, --mode and --mirror are required unless they are answered already. Runs beside the server, which uses the answers within five seconds, or before its first start. Once the setup is finished, the options change the settings.\n\n${PASSWORD_DETAILS}`,
  options: {
    email: { kind: 'email', about: "e-mail address of the operator's account" },
    password: PASSWORD,
    mode: {
      kind: 'choice',
      choices: SERVICE_MODES,
      about: 'use of the server: you and your staff, people with free accounts, or customers',
    },
    mirror: {
      kind: 'text',
      value: 'URL',
      about: 'source of the prices, such as https://tcgcsv.com; "none" for none',
    },
    'remove-sample': { kind: 'flag', about: 'remove the sample with the first prices' },
    'index-pictures': {
      kind: 'choice',
      choices: ['yes', 'no'],
      about: 'index card pictures, to identify photos by them; in a pipe, yes by default',
    },
    'exchange-rates': {
      kind: 'choice',
      choices: ['yes', 'no'],
      about:
        'fetch the daily reference rates of the ECB, to show prices in other currencies; no by default',
    },
    ...JSON_OPTION,
  },
  examples: [
    'setup',
    'setup --email you@example.com --mode private --mirror https://tcgcsv.com < password.txt',
  ],
})

export const READ = defineCommand({
  name: 'read',
  summary: 'Reads photos for the servers that name this process in READERS',
  details:
    'Listens on HOST and PORT (3100). It needs their APP_SECRET, and their SNAPSHOTS_URL or a data folder with their catalog; docs/guides/operations/scale.md explains how.',
  options: {},
  examples: ['read'],
})

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
    'FILE is a CSV file with the columns product_id, card_id and, if wanted, printing. An empty card_id means that the catalog does not have the card. Rows with errors are listed, and the others are taken. The next sync from Cardmarket publishes the prices. Exits with 0 only if every row was taken.',
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
    'Reads DIR/YYYY-MM-DD/{category}/{group}/prices. Exits with 0 only if every file was read. Import older archives first: prices below $1 are kept only after the first known day at $1 or more.',
  arguments: {
    dir: { kind: 'folder', about: 'folder with the extracted archives', isRequired: true },
  },
  options: JSON_OPTION,
  examples: ['import-history /srv/archive'],
})

export const IMPORT_RATES = defineCommand({
  name: 'import-rates',
  summary: 'Imports reference rates of the European Central Bank',
  details:
    'FILE is eurofxref-daily.xml, eurofxref-hist-90d.xml, eurofxref-hist.xml, or a CSV of them, also zipped. Without it, the file at EXCHANGE_RATES_URL is fetched, or that of the ECB if the settings turn it on. A file with anything wrong is refused as a whole. Days that it does not have stay.',
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
    'FILE is a CSV file with the columns id, card_id and, if wanted, printing. It replaces all IDs of the source. Rows with errors are listed, and the others are stored. Exits with 0 only if every row was stored.',
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

export const INDEX = defineCommand({
  name: 'index',
  summary: 'Indexes the card images, so that photos can be identified',
  details:
    'Fetches images that are new or could not be fetched before, slowly. It may be stopped at any time; the next run continues. Exits with 1 if the host of the images stops answering.',
  options: { game: GAME, ...JSON_OPTION },
  examples: ['index', 'index --game pokemon'],
})

export const IDENTIFY = defineCommand({
  name: 'identify',
  summary: 'Identifies the cards in photos, without an account and a running server',
  details:
    'Works like POST /v1/identify, and with --page like POST /v1/identify/page. The card images must be indexed: the server does so in the background, "index" does so now. With --csv, FILE may be a folder, such as that of a scanner. A table of --out is continued after an interruption: photos that it has are skipped, except for the last one and those with an error.',
  arguments: {
    file: {
      kind: 'file',
      about: 'a JPEG, PNG or WebP image, or a folder of them',
      isRequired: true,
    },
  },
  options: {
    game: { ...GAME, about: 'only cards of this game' },
    prices: { kind: 'flag', about: 'include the current prices of the first candidate' },
    page: { kind: 'flag', about: 'each photo shows several cards, such as a binder page' },
    csv: { kind: 'flag', about: 'a table with a row for each card' },
    out: { kind: 'file', about: 'write the table to FILE instead of stdout, or continue it' },
    ...JSON_OPTION,
  },
  examples: [
    'identify photo.jpg --prices',
    'identify photo.jpg --game pokemon --json',
    'identify scans --page --csv --out cards.csv',
  ],
})

export const RESOLVE = defineCommand({
  name: 'resolve',
  summary: 'Matches the cards of a collection or a deck list and prices them',
  details:
    'Works like POST /v1/bulk/resolve/csv and POST /v1/bulk/resolve/list, with any number of rows. FILE is the CSV export of a collection app, or a list as text, one card a line (docs/guides/matching/collections.md). A name that ends in .csv means CSV.',
  arguments: {
    file: { kind: 'file', about: 'a CSV file or a list', isRequired: true },
  },
  options: {
    game: { ...GAME, about: 'game of rows without one' },
    ...PRICES,
    format: {
      kind: 'choice',
      choices: ['csv', 'json'],
      about: 'csv by default; without it, a terminal shows a table',
    },
    out: { kind: 'file', about: 'write to FILE instead of stdout' },
  },
  examples: [
    'resolve deck.txt --game magic',
    'resolve collection.csv --format csv --out valued.csv',
  ],
})

export const EXPORT = defineCommand({
  name: 'export',
  summary: 'Writes cards and prices to a file or to stdout, without a running server',
  details: 'What was written is reported on stdout, or on stderr if stdout carries the data.',
  options: {
    set: { kind: 'number', value: 'ID', about: 'one set' },
    game: { kind: 'text', value: 'SLUG', about: 'all sets of a game, as one list' },
    all: { kind: 'flag', about: 'all sets of all games, as one list' },
    ...PRICES,
    format: { kind: 'choice', choices: ['csv', 'json'], default: 'json', about: 'format' },
    out: { kind: 'file', about: 'write to FILE instead of stdout' },
  },
  exactlyOne: ['set', 'game', 'all'],
  examples: [
    'export --set 3170 --format csv --out base.csv',
    'export --game pokemon --currency EUR --format csv --out euros.csv',
    'export --all > everything.json',
  ],
})

export const BACKUP = defineCommand({
  name: 'backup',
  summary: 'Copies the data folder while the server runs, and checks the copy',
  details:
    'Copies both database files and the secret of DATA_DIR to DIR/cardstock-TIME. Creates DIR if it does not exist; use another disk. A ledger on PostgreSQL (LEDGER_URL) is not copied: its own tools back it up.',
  arguments: {
    dir: { kind: 'folder', about: 'folder of the backups', isRequired: true },
  },
  options: JSON_OPTION,
  examples: ['backup /mnt/backups'],
})

export const RESTORE = defineCommand({
  name: 'restore',
  summary: 'Restores a backup, or the catalog from the bucket, into DATA_DIR',
  details:
    'Checks the backup first. Stop every program that uses DATA_DIR before. If DIR holds several backups, restores the newest.',
  arguments: {
    dir: { kind: 'folder', about: 'a backup, or a folder of backups' },
  },
  options: {
    snapshot: {
      kind: 'flag',
      about: 'restore the catalog alone, from the bucket of SNAPSHOTS_URL or CATALOG_FROM',
    },
    version: {
      kind: 'number',
      about: 'a version that the bucket still has; the newest without this option',
    },
    force: { kind: 'flag', about: 'replace existing files' },
    ...JSON_OPTION,
  },
  exactlyOne: ['dir', 'snapshot'],
  examples: ['restore /mnt/backups', 'restore --snapshot --force'],
})

export const SEED = defineCommand({
  name: 'seed',
  summary: 'Fills DATA_DIR with a generated catalog of any size, for trials and measurements',
  details: 'Equal options give equal catalogs.',
  options: {
    cards: {
      kind: 'number',
      min: CARDS_MIN,
      default: 2000,
      about: `number of cards, at least ${CARDS_MIN}`,
    },
    days: { kind: 'number', default: 40, about: 'days of price history' },
    seed: { kind: 'number', default: 1, about: 'selects the catalog' },
    until: { kind: 'day', about: 'last day of prices; yesterday without this option' },
    force: { kind: 'flag', about: 'replace the existing catalog; stop the server first' },
    ...JSON_OPTION,
  },
  examples: ['seed', 'seed --cards 500000 --days 365'],
})

export const DOCTOR = defineCommand({
  name: 'doctor',
  summary: 'Checks the installation and tells you what to fix',
  details:
    'Checks settings, packages, the data folder, both databases, the mirror and the port. Changes nothing, and can run beside the server. The exit code is 0 if there is no fault.',
  options: {
    online: {
      kind: 'flag',
      about: 'also check Stripe, the x402 facilitator and the blockchain node',
    },
    json: { kind: 'flag', about: 'print a JSON line for each finding, also on a terminal' },
  },
  examples: ['doctor', 'doctor --online'],
})

export const COMPLETIONS = defineCommand({
  name: 'completions',
  summary: 'Prints the completions of a shell for these commands',
  details:
    'Load them at the start of a shell:\n\n  bash  source <(PROGRAM completions bash)          in ~/.bashrc\n  zsh   source <(PROGRAM completions zsh)           in ~/.zshrc, after compinit\n  fish  PROGRAM completions fish | source           in ~/.config/fish/config.fish',
  arguments: {
    shell: {
      kind: 'choice',
      choices: ['bash', 'zsh', 'fish'],
      about: 'bash, zsh or fish',
      isRequired: true,
    },
  },
  options: {},
  examples: ['completions bash', 'completions fish'],
})

/** All of them by name, as the help lists them. */
export const SERVICE_COMMANDS = {
  up: UP,
  start: START,
  setup: SETUP,
  doctor: DOCTOR,
  admin: ADMIN,
  sync: SYNC,
  map: MAP,
  'import-history': IMPORT_HISTORY,
  'import-rates': IMPORT_RATES,
  'import-prices': IMPORT_PRICES,
  'import-ids': IMPORT_IDS,
  index: INDEX,
  identify: IDENTIFY,
  resolve: RESOLVE,
  export: EXPORT,
  backup: BACKUP,
  restore: RESTORE,
  read: READ,
  seed: SEED,
  completions: COMPLETIONS,
} as const
