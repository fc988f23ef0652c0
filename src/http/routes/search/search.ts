import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { cardsVolume } from '#rules/accounts/visitors.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, type Paging, pagingMeta } from '#rules/primitives/paging.ts'
import type { JsonForm, RenderedCard } from '#store/catalog/card-store.ts'
import type { CardSearchResult } from '#store/catalog/search/search-store.ts'
import { SEARCH_SORTS } from '#store/catalog/search/sorts.ts'
import { jsonArray } from '../../endpoint/envelope.ts'
import { createResultCache } from '../../endpoint/result-cache.ts'
import { GAME_SLUG, ID, line, PAGING, PRODUCT_TYPE, stringEnum } from '../../input/fields.ts'
import { extendObject } from '../../openapi/schemas.ts'
import { SearchItemSchema } from '../../schemas/catalog.ts'
import { PagingSchema } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'
import { findGameFilter } from '../catalog/games.ts'
import { getSet } from '../catalog/sets.ts'

const PRICE = { minimum: 0, maximum: 1_000_000_000 }

const BOUND =
  'In US dollars, or in `currency`; inclusive. Compared with the prices of `tcgplayer`, converted by the newest rate.'

const SEARCH = {
  q: line({
    minLength: 2,
    maxLength: 200,
    description: 'Words to find, in any order.',
  }),
  game: GAME_SLUG,
  set_id: Type.Optional(ID),
  rarity: Type.Optional(line({ description: 'Exact name of a rarity.' })),
  printing: Type.Optional(
    line({
      description:
        'Exact name of a printing: only cards that have it, by its price instead of that of the base printing.',
    }),
  ),
  min_price: Type.Optional(Type.Number({ ...PRICE, description: BOUND })),
  max_price: Type.Optional(Type.Number({ ...PRICE, description: BOUND })),
  sort: stringEnum(
    SEARCH_SORTS,
    'Cards without a known price, change (in a week) or release (of the set) come last in either direction.',
    'relevance',
  ),
  type: PRODUCT_TYPE,
  ...PAGING,
}

/** Full-text search across cards. */
export function searchRoutes({ endpoint }: Server, { catalog }: Deps): void {
  const cache = createResultCache<SearchResult>(catalog.publication)

  endpoint('GET /v1/search', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'searchCards',
    tag: 'Search',
    summary: 'Search cards and sealed products',
    description:
      'Words of the name, set (or its code), collector number, rarity, printing, product type or game, in any order; the last can be incomplete. Exact collector numbers come first, then exact names and beginnings; among equals the highest price; promos, jumbo and code cards last. Unknown words are corrected (`meta.corrected_query`) or ignored (`meta.ignored_words`). "reverse holo" finds cards with this printing (`matched_printing`).',
    hasPrices: true,
    query: SEARCH,
    returns: 'A page of results, best first.',
    includes: ['confidence', 'ids'],
    reply: Type.Array(SearchItemSchema),
    meta: extendObject('SearchMeta', PagingSchema, {
      corrected_query: Type.Optional(
        Type.String({
          description: 'Words that were searched instead of words that occur nowhere.',
        }),
      ),
      ignored_words: Type.Array(Type.String(), {
        description: 'Words of `q` that no card has beside the others.',
      }),
    }),
    entryId: 'id',
    accept: ({ query }) => assertSearchable(query.q),
    respond({ query, view, form }) {
      const paging = computePaging(query)
      const key = JSON.stringify([query, view.view?.variant, form])
      const found = cache.get(key, () => search({ view, form }, query, paging))
      const { items, total, corrected, ignored } = found
      const spelling = corrected === undefined ? {} : { corrected_query: corrected }
      const meta = { ...pagingMeta(paging, total), ...spelling, ignored_words: [...ignored] }
      const data = jsonArray<Static<typeof SearchItemSchema>>(items.map(({ data }) => data))
      return { data, meta, volume: cardsVolume(items) }
    },
  })

  function search(
    { view, form }: { view: Deps['catalog']; form: JsonForm },
    query: SearchQuery,
    { limit, offset }: Paging,
  ): SearchResult {
    const { q, set_id, rarity, printing, type, sort } = query
    const game_id = findGameFilter(catalog, query.game)?.id
    if (set_id !== undefined) getSet(catalog, set_id)
    const prices = { min_price: toCents(query.min_price), max_price: toCents(query.max_price) }
    const filter = { q, game_id, set_id, rarity, printing, type, ...prices, sort, limit, offset }
    const { ids, printings, ...found } = view.search.find(filter)
    return { items: view.cards.listSearchItems(ids, printings, form), ...found }
  }
}

type SearchQuery = Static<TObject<typeof SEARCH>>
type SearchResult = Pick<CardSearchResult, 'total' | 'corrected' | 'ignored'> & {
  items: RenderedCard[]
}

/** @throws ServiceError VALIDATION_ERROR */
function assertSearchable(q: string): void {
  if (/[\p{L}\p{N}]/u.test(q)) return
  throw new ServiceError('VALIDATION_ERROR', '"q" must contain at least one letter or digit.')
}

function toCents(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Math.round(dollars * 100)
}
