// The search index in memory, which must never answer for another version of the catalog.
import { describe, expect, test } from 'bun:test'
import { buildSearchText } from '#rules/search/search-document.ts'
import { updateSearch } from '#store/catalog/search/search-index.ts'
import { readSearchPostings } from '#store/catalog/search/search-postings.ts'
import { openSearchStore } from '#store/catalog/search/search-store.ts'
import { type Db, inTransaction } from '#store/db.ts'
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

function publish(db: Db, change: string): void {
  inTransaction(db, () => {
    db.exec(change)
    updateSearch(db)
    db.exec('UPDATE publication SET version = version + 1')
  })
}

describe('the index in memory', () => {
  test('answers instead of the stored one, and not after it is dropped', () => {
    const { db, search, find } = openSearch()
    const index = readSearchPostings(db)
    // Makes the two distinguishable.
    search.useInMemory({ ...index, wordEnds: new Uint32Array() })
    expect(find('cindle')).toEqual([])
    search.useInMemory(undefined)
    expect(find('cindle')).toEqual([10, 11])
  })

  test('answers with new prices as long as no document changes', () => {
    const { db, search, find } = openSearch()
    const index = readSearchPostings(db)
    search.useInMemory(index)
    expect(find('cindle')).toEqual([10, 11])
    publish(db, 'UPDATE prices SET market_price = 950 WHERE card_id = 10')
    expect(search.isInMemory()).toBe(true)
    expect(readSearchPostings(db)).toEqual(index)
    expect(find('cindle')).toEqual([11, 10])
    publish(db, "UPDATE cards SET rarity = 'Rare' WHERE id = 10")
    expect(search.isInMemory()).toBe(false)
    expect(find('rare')).toEqual([10])
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
      updateSearch(db)
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
    publish(db, "UPDATE sets SET name = 'Emberwake'")
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
