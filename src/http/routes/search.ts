import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  computePaging,
  type Paging,
  type PagingMeta,
  pagingMeta,
} from '#rules/primitives/paging.ts'
import { jsonArray } from '../endpoint/envelope.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { createResultCache } from '../endpoint/result-cache.ts'
import { GAME_SLUG, ID, line, PAGING, PRODUCT_TYPE, stringEnum } from '../input/fields.ts'
import { PagingSchema, SearchItemSchema } from '../schemas/catalog.ts'
import { gameFilter } from './games.ts'
import { noSuchSet } from './sets.ts'

const PRICE = { minimum: 0, maximum: 1_000_000_000 }

const SEARCH = {
  q: line({
    minLength: 2,
    maxLength: 200,
    description: 'Words of a name, a set code, a collector number, in any order.',
  }),
  game: GAME_SLUG,
  set_id: Type.Optional(ID),
  rarity: Type.Optional(line({ description: 'Exact name of a rarity.' })),
  min_price: Type.Optional(Type.Number({ ...PRICE, description: 'US dollars, inclusive.' })),
  max_price: Type.Optional(Type.Number({ ...PRICE, description: 'US dollars, inclusive.' })),
  sort: stringEnum(['relevance', 'price_asc', 'price_desc', 'name'], {
    default: 'relevance',
    description: 'Cards without a known price come last in either direction.',
  }),
  type: PRODUCT_TYPE,
  ...PAGING,
}

/** Full-text search across cards. */
export function searchRoutes(keyEndpoints: KeyEndpoints, { catalog }: Deps): void {
  const cache = createResultCache<Found>(catalog.publication)

  keyEndpoints.planned('/v1/search', 'catalog', {
    tag: 'Search',
    summary: 'Search cards and sealed products',
    description:
      'The last word counts as a beginning; accents, apostrophes and hyphens do not matter. Where nothing fits, the nearest spelling is tried, and `meta.corrected_query` says which.',
    query: SEARCH,
    reply: Type.Array(SearchItemSchema),
    meta: Type.Object({
      ...PagingSchema.properties,
      corrected_query: Type.Optional(Type.String()),
    }),
    plan({ query }) {
      assertSearchable(query.q)
      return { credits: 1, answer: () => answer(query) }
    },
  })

  function answer(query: Question) {
    const paging = computePaging(query)
    const { items, total, corrected } = cache.get(JSON.stringify(query), () => ask(query, paging))
    const meta: PagingMeta & { corrected_query?: string } = pagingMeta(paging, total)
    if (corrected !== undefined) meta.corrected_query = corrected
    return { data: jsonArray(items), meta }
  }

  function ask(query: Question, { limit, offset }: Paging): Found {
    const { q, rarity, type, sort } = query
    const game = gameFilter(catalog, query.game)
    if (query.set_id !== undefined && catalog.sets.getById(query.set_id) === undefined) {
      throw noSuchSet(query.set_id)
    }
    const { ids, total, corrected } = catalog.search.find({
      q,
      game_id: game?.id,
      set_id: query.set_id,
      rarity,
      type,
      min_price: centsOf(query.min_price),
      max_price: centsOf(query.max_price),
      sort,
      limit,
      offset,
    })
    return { items: catalog.cards.listSearchItems(ids), total, corrected }
  }
}

type Question = Static<TObject<typeof SEARCH>>
type Found = { items: string[]; total: number; corrected: string | undefined }

/** @throws ServiceError VALIDATION_ERROR */
function assertSearchable(q: string): void {
  if (/[\p{L}\p{N}]/u.test(q)) return
  throw new ServiceError('VALIDATION_ERROR', '"q" must hold at least one letter or digit.')
}

function centsOf(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Math.round(dollars * 100)
}
