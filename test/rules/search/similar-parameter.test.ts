import { describe, expect, test } from 'bun:test'
import { findSimilarParameter } from '#rules/search/similar-parameter.ts'

const SEARCH = [
  'q',
  'game',
  'set_id',
  'rarity',
  'min_price',
  'max_price',
  'sort',
  'type',
  'page',
  'per_page',
  'fields',
]

describe('an unknown parameter', () => {
  test.each([
    ['limit', 'per_page'],
    ['perPage', 'per_page'],
    ['pageSize', 'per_page'],
    ['page_size', 'per_page'],
    ['per-page', 'per_page'],
    ['PER_PAGE', 'per_page'],
    ['page[size]', 'per_page'],
    ['offset', 'page'],
    ['pageNumber', 'page'],
    ['query', 'q'],
    ['search', 'q'],
    ['Q', 'q'],
    ['orderBy', 'sort'],
    ['sort_by', 'sort'],
    ['srot', 'sort'],
    ['gmae', 'game'],
    ['game_id', 'game'],
    ['rartiy', 'rarity'],
    ['set', 'set_id'],
    ['setId', 'set_id'],
    ['minPrice', 'min_price'],
    ['price_min', 'min_price'],
    ['maxprise', 'max_price'],
    ['select', 'fields'],
    ['field', 'fields'],
  ])('%s means %s', (name, meant) => {
    expect(findSimilarParameter(name, SEARCH)).toBe(meant)
  })

  test.each(['', '_', 'utm_source', 'fbclid', 'callback', 'x', 'v', 'api_key', 'p'.repeat(5_000)])(
    '%p resembles none',
    (name) => expect(findSimilarParameter(name, SEARCH)).toBeUndefined(),
  )

  test('means only a parameter that the endpoint has', () => {
    expect(findSimilarParameter('perPage', ['limit', 'period'])).toBe('limit')
    expect(findSimilarParameter('query', ['page', 'per_page'])).toBeUndefined()
    expect(findSimilarParameter('limit', [])).toBeUndefined()
  })
})
