import type { UpstreamGame, UpstreamSet } from '#rules/catalog/catalog-records.ts'
import { gameSlug } from '#rules/catalog/names.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { createNameGenerator } from './names.ts'
import { createSeededRandom } from './random.ts'

/** Size of the catalog. */
export type SeedRequest = {
  cards: number
  /** Days of history, the last of them included. */
  days: number
  /** The newest day that has prices. */
  lastDay: number
  seed: number
}

/** A planned set, whose cards have consecutive ids. */
export type PlannedSet = UpstreamSet & {
  firstCard: number
  cards: number
  /** Day of the release, on which its prices begin. */
  releaseDay: number
}

export type PlannedGame = UpstreamGame & { style: GameStyle; sets: PlannedSet[] }

/** Numbering and printings of the cards of a game. */
export type GameStyle = {
  numbers: 'of total' | 'code and number' | 'plain' | 'padded'
  printings: readonly PrintingMix[]
  rarities: readonly string[]
  hasHitPoints: boolean
}

/** A combination of printings of one card, and the percentage of cards that have it. */
export type PrintingMix = { share: number; printings: readonly string[] }

/**
 * Plans games and sets: 30 games, the second half the size of the first, the third a third of it and
 * so on; about 250 cards a set; most sets older than the history.
 */
export function planCatalog({ cards, lastDay, seed }: SeedRequest): PlannedGame[] {
  const chance = createSeededRandom(seed, WORLD)
  const names = createNameGenerator(seed + 1)
  const counts = sizes(cards)
  let nextCard = FIRST_CARD
  let nextSet = FIRST_SET

  function planSets(gameId: number, wanted: number): PlannedSet[] {
    const count = Math.max(1, Math.round(wanted / CARDS_A_SET))
    const weights = Array.from({ length: count }, () => 0.3 + 1.4 * chance.unit())
    const lifetime = Math.min(YEARS_MAX, 2 + count / 8) * 365
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let placed = 0
    return weights.map((weight, index) => {
      const isLast = index === count - 1
      const size = isLast ? wanted - placed : Math.max(1, Math.floor((wanted * weight) / total))
      const age = Math.floor((lifetime * (count - index - 0.5 * chance.unit())) / count)
      const firstCard = nextCard
      placed += size
      nextCard += size + 10 + chance.below(50)
      nextSet += 1 + chance.below(3)
      const name = names.title()
      return {
        id: nextSet,
        game_id: gameId,
        name,
        abbreviation: `${name.replace(/[^A-Za-z]/g, '').slice(0, 2)}${index}`.toUpperCase(),
        release_date: formatDate(lastDay - age),
        modified_on: `${formatDate(lastDay - Math.floor(age / 2))}T12:00:00.000`,
        firstCard,
        cards: size,
        releaseDay: lastDay - age,
      }
    })
  }

  return counts.map((wanted, index) => {
    const id = FIRST_GAME + index
    const name = names.title()
    return {
      id,
      name,
      slug: gameSlug({ id, name }),
      priority: Math.max(0, 3 - Math.floor(index / 8)),
      logo_url: null,
      style: styleOf(index),
      sets: planSets(id, wanted),
    }
  })
}

/**
 * Returns the number of cards of each game, in Zipf's proportions; the first game gets the remainder of the rounding.
 */
function sizes(cards: number): number[] {
  const total = Array.from({ length: GAMES }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b)
  const counts = Array.from({ length: GAMES }, (_, index) =>
    Math.max(1, Math.floor(cards / (index + 1) / total)),
  )
  const rest = cards - counts.reduce((a, b) => a + b)
  return counts.map((count, index) => (index === 0 ? count + rest : count))
}

function styleOf(index: number): GameStyle {
  const style = STYLES[index % STYLES.length]
  if (style === undefined) throw new Error('unknown style')
  return style
}

const WORLD = 2
const GAMES = 30
/** Minimum number of cards, with which each game has a set with a card. */
export const CARDS_MIN = 200
const CARDS_A_SET = 250
const YEARS_MAX = 20
const FIRST_GAME = 1_001
const FIRST_SET = 20_000
const FIRST_CARD = 100_001

const STYLES: readonly GameStyle[] = [
  {
    numbers: 'of total',
    printings: [
      { share: 42, printings: ['Normal', 'Reverse Holofoil'] },
      { share: 24, printings: ['Holofoil'] },
      { share: 24, printings: ['Normal'] },
      { share: 8, printings: ['Holofoil', 'Reverse Holofoil'] },
      { share: 2, printings: ['1st Edition', 'Unlimited', '1st Edition Holofoil'] },
    ],
    rarities: [
      'Common',
      'Uncommon',
      'Rare',
      'Holo Rare',
      'Double Rare',
      'Ultra Rare',
      'Secret Rare',
    ],
    hasHitPoints: true,
  },
  {
    numbers: 'plain',
    printings: [
      { share: 33, printings: ['Normal', 'Foil'] },
      { share: 51, printings: ['Normal'] },
      { share: 16, printings: ['Foil'] },
    ],
    rarities: ['C', 'U', 'R', 'M', 'S', 'T'],
    hasHitPoints: false,
  },
  {
    numbers: 'code and number',
    printings: [
      { share: 22, printings: ['1st Edition', 'Unlimited'] },
      { share: 48, printings: ['1st Edition'] },
      { share: 30, printings: ['Limited'] },
    ],
    rarities: ['Common', 'Rare', 'Super Rare', 'Ultra Rare', 'Secret Rare', 'Starlight Rare'],
    hasHitPoints: false,
  },
  {
    numbers: 'padded',
    printings: [
      { share: 27, printings: ['Normal', 'Foil'] },
      { share: 63, printings: ['Normal'] },
      { share: 10, printings: ['Normal', 'Cold Foil', 'Rainbow Foil'] },
    ],
    rarities: ['L', 'C', 'UC', 'R', 'SR', 'SEC', 'PR'],
    hasHitPoints: false,
  },
]
