import { matchOf, toQuery } from '#rules/search-text.ts'
import type { Db } from '../db.ts'

export type SearchAsk = {
  q: string
  game_id: number | undefined
  set_id: number | undefined
  rarity: string | undefined
  type: string | undefined
  min_price: number | undefined
  max_price: number | undefined
  sort: 'relevance' | 'price_asc' | 'price_desc' | 'name'
  limit: number
  offset: number
}

/** Interim. */
export function openSearch(db: Db) {
  const find = db.prepare<[string], { card_id: number; market_price: number | null }>(
    'SELECT card_id, market_price FROM card_search JOIN search_ranks ON search_ranks.rank = card_search.rowid WHERE card_search MATCH ? ORDER BY card_search.rowid',
  )
  return {
    find(ask: SearchAsk): { ids: number[]; total: number; corrected: string | undefined } {
      const query = toQuery(ask.q)
      if (query === undefined) return { ids: [], total: 0, corrected: undefined }
      const ids = find.all(matchOf(query, { with: [], without: [] })).map((row) => row.card_id)
      return { ids: ids.slice(ask.offset, ask.offset + ask.limit), total: ids.length, corrected: undefined }
    },
    forget() {},
  }
}
