import { expect, test } from 'bun:test'
import type { CardSet } from '#client/endpoints.ts'
import {
  filterSets,
  groupByYear,
  parseSetListOrder,
  SET_LIST_ORDERS,
  type SetListOrder,
  sortSets,
} from '#web/catalog/set-groups.ts'

const setOf = (name: string, abbreviation: string | null, release_date: string | null) =>
  ({ name, abbreviation, release_date }) as CardSet

const SETS = [
  setOf('Surging Sparks', 'SV08', '2024-11-08'),
  setOf('Obsidian Flames', 'SV03', '2023-08-11'),
  setOf('151', 'MEW', '2023-09-22'),
  setOf('Promos', null, null),
]

test('sets are found by words of their name, code and year, in any order', () => {
  const found = (words: string) => filterSets(SETS, words).map(({ name }) => name)
  expect(found('')).toHaveLength(4)
  expect(found('flames OBS')).toEqual(['Obsidian Flames'])
  expect(found('2023')).toEqual(['Obsidian Flames', '151'])
  expect(found('sv0 2024')).toEqual(['Surging Sparks'])
  expect(found('promo 2023')).toEqual([])
})

test('sets are grouped by year in their order, and those without a date are kept', () => {
  expect(groupByYear(SETS).map(([year, sets]) => [year, sets.length])).toEqual([
    ['2024', 1],
    ['2023', 2],
    ['Undated', 1],
  ])
})

const PRICED = [
  { ...setOf('Set 10', null, '2024-11-08'), value: 5.5, card_count: 30 },
  { ...setOf('Set 2', null, '2023-08-11'), value: null, card_count: 200 },
  { ...setOf('alpha', null, '2023-08-11'), value: 900, card_count: 30 },
  { ...setOf('Promos', null, null), value: 20, card_count: 7 },
]

test.each<[SetListOrder, string[]]>([
  ['', ['Set 10', 'Set 2', 'alpha', 'Promos']],
  ['date_asc', ['Set 2', 'alpha', 'Set 10', 'Promos']],
  ['name', ['alpha', 'Promos', 'Set 2', 'Set 10']],
  ['value_desc', ['alpha', 'Promos', 'Set 10', 'Set 2']],
  ['value_asc', ['Set 10', 'Promos', 'alpha', 'Set 2']],
  ['cards_desc', ['Set 2', 'Set 10', 'alpha', 'Promos']],
  ['cards_asc', ['Promos', 'Set 10', 'alpha', 'Set 2']],
])(
  'the order %p of sets keeps equal ones, and ends with unknown dates and values',
  (order, names) => {
    expect(sortSets(PRICED, order).map(({ name }) => name)).toEqual(names)
  },
)

test('an order is read from a URL, and an unknown one is the default', () => {
  for (const [order] of SET_LIST_ORDERS) expect(parseSetListOrder(order)).toBe(order)
  for (const text of [null, 'value', 'NAME', 'constructor'])
    expect(parseSetListOrder(text)).toBe('')
})
