import type { CardSet } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { defineQuery } from '../query-client.ts'

/** Declares the query of all sets of a game, newest first. */
export function allSetsQuery(slug: string) {
  return defineQuery(['/v1/games/{slug}/sets', slug], (signal) => fetchAllSets(slug, signal))
}

/** Fetches 100 sets per request. These requests cost no quota. */
async function fetchAllSets(slug: string, signal: AbortSignal): Promise<CardSet[]> {
  const pageAt = (page: number) =>
    api.get('/v1/games/{slug}/sets', { path: { slug }, query: { page, per_page: 100 }, signal })
  const first = await pageAt(1)
  const pages = Math.ceil(first.meta.total / first.meta.per_page)
  const others = Array.from({ length: Math.max(0, pages - 1) }, (_, index) => pageAt(index + 2))
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data)
}
