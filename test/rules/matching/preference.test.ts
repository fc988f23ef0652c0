import { expect, test } from 'bun:test'
import {
  compareBy,
  PREFERENCE_BY_DEFAULT,
  PREFERENCES,
  type PreferredCard,
} from '#rules/matching/preference.ts'

type Facts = Partial<Pick<PreferredCard, 'set_name' | 'game_slug' | 'release_date'>>

const DAY = 20_000

/** @param low lowest offer in cents: far above the price, it makes it doubtful */
function priced(id: number, price: number | null, facts: Facts = {}, low = price): PreferredCard {
  const price_facts = {
    market_price: price,
    low_price: low,
    median_price: price,
    bases: { '24h': null, '7d': null, '30d': null },
    published_day: DAY,
    unchanged_days: 1,
    sale_count: null,
    other_price: null,
  }
  return {
    id,
    name: 'Pikachu',
    set_name: 'Jungle',
    game_slug: 'pokemon',
    release_date: '1999-06-16',
    price,
    price_facts: price === null ? undefined : price_facts,
    ...facts,
  }
}

const CARDS = [
  priced(1, 35_000, { release_date: '2003-05-12' }),
  priced(2, 80),
  priced(3, 20, { set_name: 'XY Promos', release_date: '2016-01-01' }),
  priced(4, 10, { release_date: '2010-01-01' }, 1_000),
  priced(5, null, { release_date: '2024-01-01' }),
  priced(6, 90, { release_date: null }),
  priced(7, 5, { game_slug: 'pokemon-japan', release_date: '1996-10-20' }),
]

const sorted = (prefer: (typeof PREFERENCES)[number]) =>
  CARDS.toSorted(compareBy(prefer)).map(({ id }) => id)

test('regular: the cheapest ordinary card with a reliable price, others only without one', () => {
  expect(PREFERENCE_BY_DEFAULT).toBe('regular')
  expect(sorted('regular')).toEqual([2, 6, 1, 4, 3, 7, 5])
})

test('newest and oldest: by the date of the set, an unknown one last', () => {
  expect(sorted('newest')).toEqual([5, 3, 4, 1, 2, 7, 6])
  expect(sorted('oldest')).toEqual([7, 2, 1, 4, 3, 5, 6])
})

test('cheapest and highest: by price alone, an unknown one last', () => {
  expect(sorted('cheapest')).toEqual([7, 4, 3, 2, 6, 1, 5])
  expect(sorted('highest')).toEqual([1, 6, 2, 3, 4, 7, 5])
})

test('each order is total: equal cards are ordered by id', () => {
  const [first, second] = [priced(8, 50), priced(9, 50)]
  for (const prefer of PREFERENCES) expect(compareBy(prefer)(first, second)).toBeLessThan(0)
})
