/** Names whose words tell whether a card is ordinary. */
export type WordedCard = { name: string; set_name: string; game_slug: string }

/**
 * Rates how ordinary a card is: 0 for an ordinary one; 1 for promos, prerelease, staff, judge, championship and stamped
 * cards, jumbo and oversized ones, and art and code cards. A card of another language's game comes after both.
 */
export function rateSpecial({ name, set_name, game_slug }: WordedCard): number {
  const isOrdinary = isOrdinarySet(set_name) && !isSpecialName(name)
  return (isOrdinary ? 0 : 1) + (game_slug.endsWith('-japan') ? 2 : 0)
}

/** Returns false for a set that only has cards which are not ordinary, by the words of its name. */
export function isOrdinarySet(name: string): boolean {
  return !SPECIAL.test(name) && !SPECIAL_SETS.test(name) && !PROMO_CODE.test(name)
}

/** Returns true if an addition to a name says that the card is not ordinary; `Staff of Domination` has none. */
function isSpecialName(name: string): boolean {
  if (CODE_OR_ART.test(name)) return true
  const additions = ADDITIONS.exec(name)?.[0]
  return additions !== undefined && SPECIAL.test(additions)
}

/** Text that a marketplace adds to a name. */
const ADDITIONS = /(?:[([]|\s-\s).*$/

const CODE_OR_ART = /^(?:code|art) card\b/i

const words = (texts: readonly string[]) => new RegExp(`\\b(?:${texts.join('|')})\\b`, 'i')

const SPECIAL = words([
  'promos?',
  'promotion(?:al)?',
  'pre-?release',
  'launch party',
  'staff',
  'jumbo',
  'over-?sized?',
  'judge',
  'world championships?',
  'worlds',
  'championships?',
  'stamp(?:ed|s)?',
  'prize (?:cards?|packs?)',
  'code cards?',
  'art (?:series|cards?)',
  'display commanders',
])

/** Programs that hand out cards, packs whose cards have a stamp, and cards that no deck may have. */
const SPECIAL_SETS = words([
  'arena league',
  'friday night magic',
  'gateway \\d{4}',
  'wizards play network',
  'player rewards',
  'magic premiere shop',
  'magicfest',
  'junior (?:super )?series',
  'junior apac series',
  'japan junior tournament',
  'champs and states',
  'two-headed giant tournament',
  'summer of magic',
  'world magic cup',
  'standard (?:series|showdown)',
  'ravnica weekend',
  'love your lgs',
  'media inserts',
  'comic-con',
  'hascon',
  'dragon con',
  'tarkir dragonfury',
  'dci legend membership',
  'redemption program',
  'gift (?:pack|box)',
  'happy holidays',
  'celebration cards',
  'heroes of the realm',
  'lunar new year',
  'box topper',
  'online store',
  "hero's path",
  'playtest cards',
  "collectors[’'] edition",
  'pro tour collector set',
  'pop series',
  'trick or trade',
  'first partner pack',
  "mcdonald[’']s",
  'event tokens',
  'miscellaneous cards',
  'land program',
  'guru',
  'anniversary cards',
  "ugin's fate",
  'vanguard series',
])

/** Sets that have only the code of promos as their name: Lorcana's `P1`, `C1` and `D23`, `SV-P`. */
const PROMO_CODE = /^(?:[pc]\d|d23|[a-z]{1,4}-p)$/i
