import { createSeededRandom, createZipf, type SeededRandom } from './random.ts'
import { COMMON_WORDS, capitalize, createWordGenerator } from './words.ts'

/**
 * Generates card names with the statistics of real catalogs: a third of the cards have a new name, the others reprint
 * a card of their game; a few words occur in many names, and most words in very few.
 */
export function createNameGenerator(seed: number) {
  const seededRandom = createSeededRandom(seed, NAMES)
  const invent = createWordGenerator(seededRandom)
  const common = [...COMMON_WORDS]
  while (common.length < COMMON_TERMS) common.push(invent())
  const commonRank = createZipf(seededRandom, COMMON_TERMS)
  const proper: string[] = []
  const ofGame = new Map<number, string[]>()
  const taken = new Set<string>()

  function properWord(): string {
    const fresh = proper.length === 0 || seededRandom.happens(FRESH_PROPER_SHARE)
    if (!fresh) return proper[Math.floor(proper.length * seededRandom.unit() ** 2)] ?? ''
    const word = capitalize(invent())
    proper.push(word)
    return word
  }

  function words(): string[] {
    const names: string[] = []
    if (seededRandom.happens(0.55))
      names.push(properWord() + (seededRandom.happens(0.06) ? "'s" : ''))
    const more = names.length === 0 ? 1 + seededRandom.below(3) : seededRandom.below(3)
    for (let count = 0; count < more; count++) {
      names.push(capitalize(common[commonRank()] ?? ''))
    }
    if (seededRandom.happens(DRAGON_SHARE))
      names.splice(seededRandom.below(names.length + 1), 0, 'Dragon')
    if (names.length === 1 && seededRandom.happens(0.25)) names.push(seededRandom.pick(SUFFIXES))
    return names
  }

  function invented(): string {
    const names = words()
    if (seededRandom.happens(OF_SHARE)) {
      names.splice(1, 0, seededRandom.happens(0.5) ? 'of the' : 'of')
      if (names.length === 2) names.push(capitalize(common[commonRank()] ?? ''))
    }
    return names.join(' ') + (seededRandom.happens(0.12) ? ` (${seededRandom.pick(VERSIONS)})` : '')
  }

  function freshName(): string {
    for (;;) {
      const name = invented()
      if (taken.has(name)) continue
      taken.add(name)
      return name
    }
  }

  return {
    /** Returns the name of the next card. */
    ofCard(gameId: number): string {
      const known = ofGame.get(gameId) ?? []
      if (known.length > 0 && !seededRandom.happens(FRESH_NAME_SHARE)) {
        // A few names are reprinted many times, most are not.
        return known[Math.floor(known.length * seededRandom.unit() ** 1.5)] ?? ''
      }
      const name = freshName()
      known.push(name)
      ofGame.set(gameId, known)
      return name
    },
    /** Returns the name of the next set or game, or another title of two words. */
    title: (): string => `${capitalize(common[commonRank()] ?? '')} ${capitalize(invent())}`,
  }
}

const NAMES = 1
const COMMON_TERMS = 6_000
const FRESH_PROPER_SHARE = 0.5
const FRESH_NAME_SHARE = 0.316
// Shares of the cards. `of` also joins words that occur in other names.
const DRAGON_SHARE = 0.08
const OF_SHARE = 0.2

const SUFFIXES = ['ex', 'EX', 'GX', 'V', 'VMAX', 'VSTAR', 'LV.X', 'Token'] as const
const VERSIONS = [
  'Full Art',
  'Alternate Art',
  'Borderless',
  'Showcase',
  'Extended Art',
  'Secret',
  'Promo',
  'Prerelease',
  'Textured Foil',
] as const

/** Returns the name of a sealed product of a set. */
export function sealedName(seededRandom: SeededRandom, setName: string): string {
  return `${setName} ${seededRandom.pick(SEALED)}`
}

const SEALED = [
  'Booster Box',
  'Booster Pack',
  'Booster Box Case',
  'Starter Deck',
  'Collector Booster Display',
  'Bundle',
  'Trainer Kit',
  'Blister Pack',
] as const
