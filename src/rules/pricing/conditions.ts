import type { Condition } from './price-key.ts'

/**
 * Scales on which words mean different conditions: the American one (NM, LP, MP, HP, DMG) of TCGplayer, Moxfield,
 * Archidekt and Deckbox, and that of Cardmarket (MT, NM, EX, GD, LP, PL, PO), which ManaBox and Dragon Shield use,
 * too. On Cardmarket's scale, Light Played is the fifth of seven; on the American one, Played comes before Heavily
 * Played.
 */
export type ConditionScale = 'american' | 'cardmarket'

const CODES: Readonly<Record<string, Condition>> = {
  nm: 'near_mint',
  mt: 'near_mint',
  m: 'near_mint',
  mint: 'near_mint',
  nmm: 'near_mint',
  nmmt: 'near_mint',
  nmmint: 'near_mint',
  nearmint: 'near_mint',
  nearmintmint: 'near_mint',
  mintnearmint: 'near_mint',
  nearmintormint: 'near_mint',
  goodlightlyplayed: 'lightly_played',
  lp: 'lightly_played',
  sp: 'lightly_played',
  ex: 'lightly_played',
  lightlyplayed: 'lightly_played',
  lightplayed: 'lightly_played',
  slightlyplayed: 'lightly_played',
  excellent: 'lightly_played',
  mp: 'moderately_played',
  gd: 'moderately_played',
  good: 'moderately_played',
  moderatelyplayed: 'moderately_played',
  moderateplayed: 'moderately_played',
  hp: 'heavily_played',
  heavilyplayed: 'heavily_played',
  heavyplayed: 'heavily_played',
  pl: 'heavily_played',
  played: 'heavily_played',
  dmg: 'damaged',
  d: 'damaged',
  dm: 'damaged',
  damaged: 'damaged',
  po: 'damaged',
  poor: 'damaged',
  unopened: 'unopened',
  sealed: 'unopened',
  factorysealed: 'unopened',
}

const CARDMARKET_ONLY = /^(mt|ex|excellent|gd|good|pl|played|po|poor)$/

/** Words with different meanings on the two scales, by normalized text; the others are in `CODES`. */
const OF_SCALE: Readonly<Record<ConditionScale, Readonly<Record<string, Condition>>>> = {
  american: { pl: 'moderately_played', played: 'moderately_played' },
  cardmarket: { lp: 'moderately_played', lightplayed: 'moderately_played' },
}

/** Returns the scale of a list: Cardmarket's if any of its conditions exists only there. */
export function findConditionScale(conditions: Iterable<string>): ConditionScale {
  for (const text of conditions) if (CARDMARKET_ONLY.test(keyOf(text))) return 'cardmarket'
  return 'american'
}

/** Headers of columns with conditions, as apps and shops write them. */
export const CONDITION_HEADERS =
  'condition, card condition, zustand, état, condizione, estado, condição, 状態'

/**
 * Parses a condition as people and shops write it: `NM`, `Near Mint`, `Lightly Played Foil`.
 *
 * @returns the condition, and the printing if one follows it; undefined if the text is not a condition
 */
export function parseCondition(
  text: string,
  scale: ConditionScale,
): { condition: Condition; printing: string | null } | undefined {
  const words = text.trim().split(/\s+/)
  for (let end = words.length; end > 0; end--) {
    const key = keyOf(words.slice(0, end).join(' '))
    const condition = OF_SCALE[scale][key] ?? CODES[key]
    if (condition !== undefined) return { condition, printing: words.slice(end).join(' ') || null }
  }
  return undefined
}

/** Returns the printing that follows a condition, as TCGplayer writes it: `Near Mint Foil`; null if none does. */
export function readConditionPrinting(text: string): string | null {
  // The printing is the same on both scales.
  const printing = parseCondition(text, 'american')?.printing ?? ''
  return PRINTING.test(printing) ? printing : null
}

/** Other words, such as `signed`, are no printing. */
const PRINTING = /foil|holo|\breverse\b|\bedition\b|\b(?:un)?limited\b/i

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
