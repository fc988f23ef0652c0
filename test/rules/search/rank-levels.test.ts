import { expect, test } from 'bun:test'
import { buildUnits, matchUnits, splitQuery } from '#rules/search/interpret-query.ts'
import { allOf, except, type Match } from '#rules/search/match-expressions.ts'
import { type Level, listRankLevels, STANDINGS } from '#rules/search/rank-levels.ts'
import { ALL_RANKS } from '#store/catalog/search/search-hits.ts'
import {
  createSearchCatalog,
  openStoredHits,
  openTestLexicon,
} from '../../support/search-catalog.ts'

const db = createSearchCatalog(
  [
    { id: 1, game_id: 1, name: 'Jungle', abbreviation: 'JU' },
    { id: 2, game_id: 1, name: 'Jungle Party', abbreviation: null },
    { id: 3, game_id: 1, name: 'Promos', abbreviation: null },
  ],
  [
    { id: 1, set_id: 1, name: 'Mew', number: '5/64' },
    { id: 2, set_id: 2, name: 'Mew', number: '64/64' },
    { id: 3, set_id: 1, name: 'Mew ex', number: '5' },
    { id: 4, set_id: 1, name: 'Mewtwo', number: '6' },
    { id: 5, set_id: 1, name: 'Dark Mew' },
    { id: 6, set_id: 3, name: 'Mew (Jungle)', rarity: 'Promo' },
    { id: 7, set_id: 1, name: 'Mew (Jumbo)', number: '5/64' },
  ],
)
const [lexicon, hits] = [openTestLexicon(db), openStoredHits(db)]

/** Lists the cards of each non-empty branch of each level. */
function levelsOf(q: string): number[][][] {
  const units = buildUnits(splitQuery(q, lexicon).words, lexicon)
  const match = matchUnits(units)
  return listRankLevels(units, lexicon).map((level) => listBranches(match, level))
}

function listBranches(match: Match, level: Level): number[][] {
  return level
    .map((branch) =>
      hits
        .listByPriceDesc(except(allOf([match, ...branch.with]), branch.without), ALL_RANKS, {
          limit: 9,
          offset: 0,
        })
        .sort(),
    )
    .filter((ids) => ids.length > 0)
}

test('names are ordered: full name, full name with an addition, beginning, complete words, incomplete words', () => {
  expect(levelsOf('mew')[0]).toEqual([[1, 2], [6, 7], [3], [5], [4]])
})

test('a longer exact name precedes a shorter one', () => {
  expect(levelsOf('mew ex')[0]).toEqual([[3]])
  expect(levelsOf('ex mew')[0]).toEqual([[3]])
})

test('exact numbers precede names: with the total, then of cards without one', () => {
  const [numbers] = levelsOf('mew 5/64')
  expect(numbers).toEqual([[1, 7], [3]])
})

test('cards of a set that is named exactly precede those of a longer name', () => {
  const [, sets] = levelsOf('mew jungle')
  expect(sets).toEqual([
    [1, 3, 5, 7],
    [2, 6],
  ])
})

test('promos stand behind ordinary cards, jumbo and code cards last', () => {
  const match = matchUnits(buildUnits(splitQuery('mew', lexicon).words, lexicon))
  expect(listBranches(match, STANDINGS)).toEqual([[1, 2, 3, 4, 5], [6], [7]])
})

test('the branches of a level hold each match once', () => {
  for (const q of [
    'mew',
    'mew jungle',
    'dark mew',
    'mew 5',
    'mew 5/64',
    'jungle',
    'm',
    '5 64',
    'ju mew ex',
  ]) {
    const all = levelsOf(q).map((level) => level.flat().sort())
    for (const ids of all) {
      expect([q, ids]).toEqual([q, all[0] ?? []])
      expect(new Set(ids).size).toBe(ids.length)
    }
  }
})
