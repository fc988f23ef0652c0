import { expect, test } from 'bun:test'
import type { CardSet } from '#client/endpoints.ts'
import { filterSets, groupByYear } from '#web/catalog/set-groups.ts'

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
