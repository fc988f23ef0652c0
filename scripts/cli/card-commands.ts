// Commands about cards: in photos, in lists, and as files.
import { PREFERENCE_BY_DEFAULT, PREFERENCES } from '#rules/matching/preference.ts'
import { defineCommand, JSON_OPTION } from './definition.ts'
import { GAME } from './import-commands.ts'

const PRICES = {
  currency: {
    kind: 'text',
    value: 'CODE',
    about: 'prices in this currency, such as EUR, converted if necessary',
  },
  source: { kind: 'text', value: 'NAME', about: 'only prices of this source, such as cardmarket' },
} as const

export const INDEX = defineCommand({
  name: 'index',
  summary: 'Indexes the card images, so that photos can be identified',
  details:
    'Fetches images that are new or could not be fetched before, slowly. You can stop it at any time; the next run continues. Exits with 1 if the host of the images stops answering.',
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
    'Works like POST /v1/bulk/resolve/csv and POST /v1/bulk/resolve/list, with any number of rows. FILE is the CSV export of a collection app, or a list as text, one card a line (docs/guides/matching/collection-files.md). A name that ends in .csv means CSV.',
  arguments: {
    file: { kind: 'file', about: 'a CSV file or a list', isRequired: true },
  },
  options: {
    game: { ...GAME, about: 'game of rows without one' },
    prefer: {
      kind: 'choice',
      choices: PREFERENCES,
      default: PREFERENCE_BY_DEFAULT,
      about: 'which card a name without a set means',
    },
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
  details: 'A summary is printed on stdout, or on stderr if the data goes to stdout.',
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
