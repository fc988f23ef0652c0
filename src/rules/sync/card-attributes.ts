import { decodeEntities, htmlToText } from '../primitives/plain-text.ts'
import type { RawAttribute } from './upstream-shapes.ts'

export type CardAttributes = {
  number: string | null
  /** Null for the upstream's "None", too. */
  rarity: string | null
  hp: string | null
  custom_attributes: Record<string, string | string[]>
}

/**
 * Parses the upstream's name-value pairs of a card. Keys of the specification are found by the words of the name,
 * because the upstream varies them with each game ("Sub Type", "Card Sub Type", "Subtypes"); all others are kept in
 * camelCase. Number and rarity stay as printed.
 */
export function parseAttributes(
  gameId: number,
  pairs: readonly RawAttribute[],
): CardAttributes & {
  /** True if there is a number or a rarity, even "None", which only single cards have. */
  isCard: boolean
} {
  const values = new Map<string, string | string[]>()
  let number: string | null = null
  let rarity: string | null = null
  for (const { name: written, value } of pairs) {
    const name = decodeEntities(written)
    const bare = bareKey(name)
    if (bare === 'number') number ??= blankAsNull(decodeEntities(joined(value)))
    else if (bare === 'rarity') rarity ??= blankAsNull(decodeEntities(joined(value)))
    else add(values, attributeKey(gameId, name, bare), value)
  }
  const hp = values.get('hp')
  return {
    isCard: number !== null || rarity !== null,
    number,
    rarity: rarity?.trim().toLowerCase() === 'none' ? null : rarity,
    hp: typeof hp === 'string' ? hp : null,
    custom_attributes: Object.fromEntries(values),
  }
}

/** Pokémon and Pokémon Japan, where "Card Type" is the energy type. */
const ENERGY_GAMES: ReadonlySet<number> = new Set([3, 85])
const ENERGY = 'energyType'

/** Keys of the specification. */
const SPECIFIED_KEYS = [
  'stage',
  'energyType',
  'hp',
  'weakness',
  'resistance',
  'retreatCost',
  'attack1',
  'attack2',
  'attack3',
  'attack4',
  'cardType',
  'flavorText',
  'color',
  'manaCost',
  'power',
  'toughness',
  'subType',
  'oracleText',
  'attribute',
  'level',
  'attack',
  'defense',
  'description',
]

const KEYS_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...SPECIFIED_KEYS.map((key): [string, string] => [bareKey(key), key]),
  ['p', 'power'],
  ['t', 'toughness'],
  ['text', 'description'],
  ['flavor', 'flavorText'],
])

function bareKey(name: string): string {
  return name.toLowerCase().replace(/[\s\p{P}]/gu, '')
}

function attributeKey(gameId: number, name: string, bare: string): string {
  const key = KEYS_BY_NAME.get(bare) ?? findSimilarKey(bare)
  if (key === 'cardType' && ENERGY_GAMES.has(gameId)) return ENERGY
  return key ?? camelCase(name)
}

/** Finds a key of the specification for names such as "Card Sub Type", "Defense Value" and "Subtypes". */
function findSimilarKey(bare: string): string | undefined {
  const short = bare.replace(/^card/, '').replace(/value$/, '')
  const forms = [bare.replace(/s$/, ''), short, short.replace(/s$/, '')]
  return forms.map((form) => KEYS_BY_NAME.get(form)).find((key) => key !== undefined)
}

/** Converts "Monster Type" and "MonsterType" to monsterType. A name that consists of symbols stays unchanged. */
function camelCase(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) return name
  return words
    .map((word, index) => (index === 0 ? uncapitalized(word) : capitalized(word)))
    .join('')
}

function uncapitalized(word: string): string {
  // An abbreviation such as "LP" is lower-cased as a whole.
  if (word === word.toUpperCase()) return word.toLowerCase()
  return word.charAt(0).toLowerCase() + word.slice(1)
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Keeps both values of a repeated key, on separate lines, so that nothing is lost. */
function add(values: Map<string, string | string[]>, key: string, value: RawAttribute['value']) {
  const before = values.get(key)
  if (key === ENERGY) {
    const types = energyTypes(value)
    if (types.length > 0) values.set(key, [...new Set([...(before ?? []), ...types])])
    return
  }
  const text = htmlToText(joined(value))
  if (text === '') return
  if (before === undefined) values.set(key, text)
  else if (!`\n${before}\n`.includes(`\n${text}\n`)) values.set(key, `${before}\n${text}`)
}

function energyTypes(value: RawAttribute['value']): string[] {
  const parts = Array.isArray(value) ? value : (value ?? '').split(/[;,]/)
  return parts.map(htmlToText).filter((part) => part !== '')
}

function joined(value: RawAttribute['value']): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

function blankAsNull(value: string): string | null {
  return value.trim() === '' ? null : value
}
