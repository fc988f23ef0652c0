// The search index in memory, which must never answer for another version of the catalog.
import { describe, expect, test } from 'bun:test'
import { buildSearchText } from '#rules/search/search-document.ts'
import { rebuildSearch } from '#store/catalog/search/search-index.ts'
import { readSearchPostings } from '#store/catalog/search/search-postings.ts'
import { openSearchStore } from '#store/catalog/search/search-store.ts'
import { inTransaction } from '#store/db.ts'
import { createSearchCatalog } from '../../support/search-catalog.ts'

const SETS = [{ id: 1, game_id: 1, name: 'Lantern Season' }]
const CARDS = [
  { id: 10, set_id: 1, name: 'Cindlemane', prices: 100 },
  { id: 11, set_id: 1, name: 'Cindle Cat', prices: 900 },
]

function openSearch() {
  const db = createSearchCatalog(SETS, CARDS)
  const search = openSearchStore(db)
  const find = (q: string) => search.find({ q, sort: 'price_asc', limit: 10, offset: 0 }).ids
  return { db, search, find }
}

describe('the index in memory', () => {
  test('answers instead of the stored one, and not after it is dropped', () => {
    const { db, search, find } = openSearch()
    const index = readSearchPostings(db)
    // Tells the two apart.
    search.useInMemory({ ...index, cardIds: index.cardIds.map((id) => id + 1_000) })
    expect(find('cindle')).toEqual([1_010, 1_011])
    search.useInMemory(undefined)
    expect(find('cindle')).toEqual([10, 11])
  })

  test('does not answer for a version that was published since', () => {
    const { db, search, find } = openSearch()
    search.useInMemory(readSearchPostings(db))
    inTransaction(db, () => {
      const name = 'Hesper Ring'
      db.prepare('UPDATE cards SET name = ?, clean_name = ?, search_text = ? WHERE id = 10').run(
        name,
        name,
        buildSearchText({ name, number: null }),
      )
      rebuildSearch(db)
      db.exec('UPDATE publication SET version = version + 1')
    })
    expect(find('cindle')).toEqual([11])
    expect(find('hesper')).toEqual([10])
    search.useInMemory(readSearchPostings(db))
    expect(find('hesper')).toEqual([10])
  })

  test('does not remember the words of an earlier version', () => {
    const { db, search, find } = openSearch()
    search.useInMemory(readSearchPostings(db))
    expect([find('emberwake'), find('lantern')]).toEqual([[], [10, 11]])
    inTransaction(db, () => {
      db.prepare('UPDATE sets SET name = ?').run('Emberwake')
      rebuildSearch(db)
      db.exec('UPDATE publication SET version = version + 1')
    })
    expect([find('emberwake'), find('lantern')]).toEqual([[10, 11], []])
    search.useInMemory(readSearchPostings(db))
    expect([find('emberwake'), find('lantern')]).toEqual([[10, 11], []])
  })

  test('an empty catalog has no hits', () => {
    const db = createSearchCatalog([], [])
    const search = openSearchStore(db)
    search.useInMemory(readSearchPostings(db))
    expect(search.find({ q: 'cindle', sort: 'relevance', limit: 10, offset: 0 }).total).toBe(0)
  })
})
