// Forms in which names of sets are compared, because every source writes them in its own way: `SV: Scarlet & Violet 151`
// and `151`, `Expedition Base Set` and `Expedition`, `SM Promos` and `SM Black Star Promos`.
import { cleanName } from './names.ts'

/** The words of a name, sorted, without those that sources add or leave out. */
export type SetForm = {
  /** Words that distinguish the set from others of its series. */
  own: string
  /** The series, the publisher and the game, as far as the name has them. */
  series: readonly string[]
}

export function parseSetForm(name: string): SetForm {
  const text = cleanName(name.replace(PREFIX, '').replace(MARKS, ''))
  const written = text.toLowerCase().split(' ')
  const words = rephrase(written.filter((word) => !FILLERS.has(word)).map(commonWord))
  const own = words.filter((word) => !SERIES.has(word))
  const series = [...new Set(words.filter((word) => SERIES.has(word)))]
  if (own.length > 0) return { own: join(own), series: series.sort() }
  // The set that a series begins with has its name. An abbreviation alone is the code of any set.
  const isBase = series.length > 0 && (written.length > 1 || written[0] === 'xy')
  return { own: join(isBase ? ['base', ...series] : written), series: [] }
}

/** Lists the forms of a set's name without its code. A kit of two decks is also named by one of them. */
export function listSetForms(listed: string): SetForm[] {
  const name = listed.replace(CODE, '$1 ').trim()
  const [, kit, first, second] = KIT.exec(name) ?? []
  const halves = kit === undefined ? [] : [`${kit} ${first}`, `${kit} ${second}`]
  return [name, ...halves].map(parseSetForm)
}

/**
 * Returns true if one of two names with the same own words leaves out nothing but parts of the other's series. `Promos`
 * and `Energy` mean nothing without it.
 */
export function isSameSeries(
  own: string,
  one: readonly string[],
  other: readonly string[],
): boolean {
  const [more, fewer] = one.length > other.length ? [one, other] : [other, one]
  if (OF_EACH_SERIES.has(own) && more.length > fewer.length) return false
  return fewer.every((word) => more.includes(word))
}

const OF_EACH_SERIES: ReadonlySet<string> = new Set(['energy', 'promo', 'token'])

/** Numbers keep their order, because `Vol. 5, Issue 6` is not `Vol. 6, Issue 5`. */
function join(words: readonly string[]): string {
  const numbers = words.filter((word) => /^\d+$/.test(word))
  const others = words.filter((word) => !/^\d+$/.test(word))
  return [...others.sort(), ...numbers].join(' ')
}

/** A series before the name, if the name begins with it, too, or the sets of the series do not have it. */
const PREFIX =
  /^(?:(.+?)(?:: | [-–—] )(?=\1\b)|(?:base|e-card|gym|miscellaneous|neo|np|other|platinum|pop|trainer kits|pok[eé]mon tcg pocket)(?:: | [-–—] ))/i

/** `SWSH12: `, and the code behind a name: `[OP-01]`, `(M10)`. */
const CODE = /^([A-Z]+)\d+(?:\.\d)?(?:: | - )|\s*(?:\[[A-Z\d-]+\]|\([A-Z]+\d[A-Z\d]*\))$/

/** Apostrophes; the edition in brackets: `Base Set (1st Edition & Shadowless)`; the last word of `Promo Cards`. */
const MARKS =
  /['’‘`´]|\((?:1st Edition|Unlimited)\)|\b1st Edition & (?=Shadowless\b)|(?<=\b(?:Promo|Series) )Cards$|: Extras$/gi

/** `XY Trainer Kit: Latias & Latios`. */
const KIT = /^(.* Kit):? (.+) & (.+)$/i

/** Words without a meaning of their own. */
const FILLERS: ReadonlySet<string> = new Set(
  'and et the und of set series edition deck decks volume tcg'.split(' '),
)

const SERIES: ReadonlySet<string> = new Set(
  'sv swsh sm xy bw dp hgss ex me pokemon magic lorcana yugioh beyond'.split(' '),
)

/** Other wordings, after fillers and plurals were removed. */
const WORDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sv: 'scarlet violet, karmesin purpur, ecarlate violet',
    swsh: 'sword shield, schwert schild, epee bouclier',
    sm: 'sun moon, sonne mond, soleil lune',
    bw: 'black white, schwarz weiss, noir blanc',
    dp: 'diamond pearl, diamant perl, diamant perle',
    hgss: 'heartgold soulsilver, hs',
    me: 'mega evolution',
    promo: 'black star promo',
    magic: 'magic gathering, core',
    lorcana: 'disney lorcana',
    yugioh: 'yu gi oh',
    beyond: 'universe beyond',
    'from vault': 'ftv',
    premium: 'pds',
    ...Object.fromEntries(
      'sv swsh sm xy bw dp hgss me'
        .split(' ')
        .map((series) => [`${series} promo`, `${series}p, ${series}p black star promo`]),
    ),
  }).flatMap(([common, others]) =>
    others.split(', ').map((other): [string, string] => [other, common]),
  ),
)

const WORDING = new RegExp(
  `\\b(?:${[...WORDINGS.keys()].sort((a, b) => b.length - a.length).join('|')})\\b`,
  'g',
)

const YEAR = /\b(?:19|20)\d\d\b/

function rephrase(words: readonly string[]): string[] {
  const text = words.join(' ').replace(WORDING, (other) => WORDINGS.get(other) ?? other)
  // A collection of a year is given away: `McDonald's Collection 2019`.
  const common = YEAR.test(text) ? text.replace(/\bcollection\b/, 'promo') : text
  const all = common.split(' ').filter((word) => word !== '')
  const rest = all.filter((word) => word !== 'base')
  // `Base Set` and `Base Set 2` have no other word.
  return rest.some((word) => /\p{L}/u.test(word)) ? rest : all
}

function commonWord(word: string): string {
  const singular = /^\p{L}{4,}(?<!s)s$/u.test(word) ? word.slice(0, -1) : word
  return SAME_WORDS.get(singular) ?? singular.replace(/^0*(\d+)(?:st|nd|rd|th)?$/, '$1')
}

const NUMBERS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ...NUMBERS.map((word, at): [string, string] => [word, `${at + 1}`]),
  ['ii', '2'],
  ['iii', '3'],
  ['iv', '4'],
  ['promotional', 'promo'],
  ['promotion', 'promo'],
  ['promokarten', 'promo'],
  ['wotc', 'wizard'],
  ['bordered', 'border'],
  ['international', 'intl'],
  ['versus', 'vs'],
])
