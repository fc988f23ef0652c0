import type { UpstreamCard } from '#rules/catalog/catalog-records.ts'
import { cleanName } from '#rules/catalog/names.ts'
import type { PlannedGame, PlannedSet } from './catalog-plan.ts'
import { type createNameGenerator, sealedName } from './names.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'
import { COMMON_WORDS, capitalize } from './words.ts'

/** Returns the number of sealed products of a set, which are its last cards. */
export function countSealed(set: PlannedSet): number {
  return Math.floor(set.cards * SEALED_SHARE)
}

/** Generates the cards and sealed products of a set. */
export function createCardGenerator(seed: number, names: ReturnType<typeof createNameGenerator>) {
  const seededRandom = createSeededRandom(seed, CARDS)
  const texts = Array.from({ length: CARD_TEXTS }, () => cardText(seededRandom))

  function card(game: PlannedGame, set: PlannedSet, index: number): UpstreamCard {
    const name = names.ofCard(game.id)
    const hp = game.style.hasHitPoints ? String(30 + 10 * seededRandom.below(30)) : null
    return {
      ...commonOf(game, set, set.firstCard + index, name),
      number: numberOf(game, set, index + 1),
      // The first rarity is the most common one.
      rarity:
        game.style.rarities[Math.floor(game.style.rarities.length * seededRandom.unit() ** 2)] ??
        null,
      product_type: 'Cards',
      total_listings: Math.floor(400 * seededRandom.unit() ** 3),
      hp,
      custom_attributes: {
        ...(hp === null ? {} : { hp }),
        cardType: seededRandom.pick(CARD_TYPES),
        description: seededRandom.pick(texts),
      },
    }
  }

  function sealed(game: PlannedGame, set: PlannedSet, index: number): UpstreamCard {
    const name = sealedName(seededRandom, set.name)
    return {
      ...commonOf(game, set, set.firstCard + index, name),
      number: null,
      rarity: null,
      product_type: 'Sealed Products',
      total_listings: seededRandom.below(60),
      shipping_category_id: 3,
      hp: null,
      custom_attributes: { description: seededRandom.pick(texts) },
    }
  }

  return {
    ofSet(game: PlannedGame, set: PlannedSet): UpstreamCard[] {
      const singles = set.cards - countSealed(set)
      return Array.from({ length: set.cards }, (_, index) =>
        index < singles ? card(game, set, index) : sealed(game, set, index),
      )
    },
  }
}

function commonOf(game: PlannedGame, set: PlannedSet, id: number, name: string) {
  return {
    id,
    game_id: game.id,
    set_id: set.id,
    name,
    clean_name: cleanName(name),
    image_url: `https://images.example/product/${id}_200w.jpg`,
    marketplace_url: `https://marketplace.example/product/${id}/${game.slug}`,
    shipping_category_id: 1,
    product_status_id: 1,
    foil_only: undefined,
  }
}

function numberOf(game: PlannedGame, set: PlannedSet, position: number): string {
  const padded = String(position).padStart(3, '0')
  switch (game.style.numbers) {
    case 'of total':
      return `${padded}/${String(set.cards).padStart(3, '0')}`
    case 'code and number':
      return `${set.abbreviation}-EN${padded}`
    case 'plain':
      return String(position)
    case 'padded':
      return `${set.abbreviation}-${padded}`
  }
}

function cardText(seededRandom: SeededRandom): string {
  const sentence = () =>
    capitalize(
      Array.from({ length: 5 + seededRandom.below(9) }, () => seededRandom.pick(COMMON_WORDS)).join(
        ' ',
      ),
    )
  return Array.from({ length: 1 + seededRandom.below(4) }, sentence).join('.\n')
}

const CARDS = 3
const CARD_TEXTS = 3_000
const SEALED_SHARE = 0.025
const CARD_TYPES = ['Creature', 'Character', 'Spell', 'Trap', 'Item', 'Event', 'Resource'] as const
