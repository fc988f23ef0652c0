import { normalizeName } from '../catalog/trigrams.ts'
import type { Condition } from '../pricing/price-key.ts'

/**
 * Names of conditions: `american` as TCGplayer, Moxfield, Archidekt and Deckbox write them, `european` as ManaBox
 * and Dragon Shield do. "Played" is a step better in America.
 */
export type ConditionScale = 'american' | 'european'

/** By normalized name. */
const SHARED: Readonly<Record<string, Condition>> = {
  mint: 'near_mint',
  m: 'near_mint',
  nearmint: 'near_mint',
  nm: 'near_mint',
  nearmintormint: 'near_mint',
  excellent: 'lightly_played',
  ex: 'lightly_played',
  lightlyplayed: 'lightly_played',
  goodlightlyplayed: 'lightly_played',
  lp: 'lightly_played',
  good: 'moderately_played',
  gd: 'moderately_played',
  moderatelyplayed: 'moderately_played',
  mp: 'moderately_played',
  lightplayed: 'moderately_played',
  heavilyplayed: 'heavily_played',
  hp: 'heavily_played',
  damaged: 'damaged',
  dmg: 'damaged',
  d: 'damaged',
  poor: 'damaged',
  po: 'damaged',
  unopened: 'unopened',
  sealed: 'unopened',
}

const PLAYED: Record<ConditionScale, Condition> = {
  american: 'moderately_played',
  european: 'heavily_played',
}

/** Parses a condition. TCGplayer's sellers write the printing behind it: "Lightly Played Foil". */
export function parseCondition(text: string, scale: ConditionScale): Condition | undefined {
  const key = normalizeName(text)
  if (key === 'played' || key === 'pl') return PLAYED[scale]
  const known = SHARED[key]
  if (known !== undefined) return known
  return LONG_NAMES.find(([name]) => key.startsWith(name))?.[1]
}

const LONG_NAMES = Object.entries(SHARED).filter(([name]) => name.length > 6)
