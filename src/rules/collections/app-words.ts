// Words of the formats of collections, as each app writes and reads them (docs/guides/collections/export-formats.md).
import type { Condition } from '../pricing/price-key.ts'
import type { CollectionFormat } from './collection-formats.ts'
import { LANGUAGES } from './languages.ts'

type Words<Key extends string> = Readonly<Record<Key, string>>

const AMERICAN: Words<Condition> = {
  near_mint: 'Near Mint',
  lightly_played: 'Lightly Played',
  moderately_played: 'Moderately Played',
  heavily_played: 'Heavily Played',
  damaged: 'Damaged',
  unopened: 'Unopened',
}

const SHORT: Words<Condition> = {
  near_mint: 'NM',
  lightly_played: 'LP',
  moderately_played: 'MP',
  heavily_played: 'HP',
  damaged: 'D',
  unopened: 'NM',
}

/** Moxfield and Deckbox. */
const PLAYED: Words<Condition> = {
  near_mint: 'Near Mint',
  lightly_played: 'Good (Lightly Played)',
  moderately_played: 'Played',
  heavily_played: 'Heavily Played',
  damaged: 'Damaged',
  unopened: 'Near Mint',
}

const EUROPEAN: Words<Condition> = {
  near_mint: 'near_mint',
  lightly_played: 'excellent',
  moderately_played: 'good',
  heavily_played: 'played',
  damaged: 'poor',
  unopened: 'near_mint',
}

/** Conditions in each format that has them. */
export const CONDITION_WORDS: Partial<Record<CollectionFormat, Words<Condition>>> = {
  full: AMERICAN,
  tcgplayer: AMERICAN,
  collectr: { ...AMERICAN, unopened: 'Near Mint' },
  moxfield: PLAYED,
  manabox: EUROPEAN,
  archidekt: SHORT,
  deckbox: { ...PLAYED, damaged: 'Poor' },
  dragon_shield: {
    near_mint: 'NearMint',
    lightly_played: 'Excellent',
    moderately_played: 'Good',
    heavily_played: 'Played',
    damaged: 'Poor',
    unopened: 'NearMint',
  },
  // It rejects a file with any other word.
  pokecollector: { ...SHORT, damaged: 'HP' },
}

type Languages = ReadonlyMap<string, string>

/** The languages of Magic, which the apps for it have. */
const OF_MAGIC = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ja', 'ko', 'ru'] as const

/** English names, with the names of Chinese in an app. */
const namesWith = (simplified: string, traditional: string): Languages =>
  new Map([
    ...OF_MAGIC.map((code): [string, string] => [code, LANGUAGES[code]]),
    ['zhs', simplified],
    ['zht', traditional],
  ])

/** Codes, with those that an app writes in its own way. */
const codesWith = (others: Record<string, string>): Languages =>
  new Map([...OF_MAGIC.map((code): [string, string] => [code, code]), ...Object.entries(others)])

/** Languages in the format of each app that has them. An app rejects others, or takes them for English. */
export const LANGUAGE_WORDS: Partial<Record<CollectionFormat, Languages>> = {
  tcgplayer: namesWith('Chinese (S)', 'Chinese (T)'),
  moxfield: namesWith('Chinese', 'Traditional Chinese'),
  manabox: codesWith({ zhs: 'zh_CN', zht: 'zh_TW' }),
  archidekt: new Map([
    ...OF_MAGIC.map((code): [string, string] => [code, code.toUpperCase()]),
    ['ja', 'JP'],
    ['ko', 'KR'],
    ['zhs', 'CS'],
    ['zht', 'CT'],
  ]),
  deckbox: namesWith('Chinese', 'Traditional Chinese'),
  dragon_shield: namesWith('Simplified Chinese', 'Traditional Chinese'),
  pokecollector: codesWith({
    nl: 'nl',
    pl: 'pl',
    id: 'id',
    th: 'th',
    zhs: 'zh-cn',
    zht: 'zh-tw',
  }),
}
