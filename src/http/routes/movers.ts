import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { recordsVolume } from '#rules/accounts/visitors.ts'
import { isMirrorList } from '#rules/pricing/price-view.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Endpoints } from '../endpoint/endpoints.ts'
import { GAME_SLUG, PRINTING, PRODUCT_TYPE, stringEnum } from '../input/fields.ts'
import { Integer, MoverSchema, Notes } from '../schemas/catalog.ts'
import { findGameFilter } from './games.ts'

/** Printings whose price changed most. */
export function moverRoutes(endpoints: Endpoints, { catalog }: Deps): void {
  endpoints.get('/v1/prices/top-movers', 'catalog', {
    id: 'listTopMovers',
    tag: 'Prices',
    summary: 'List the printings whose price rose or fell most',
    description:
      'Excludes printings below $1 at either end of the period, and implausible changes beyond tenfold; `meta.excluded` counts them.',
    hasPrices: true,
    query: {
      game: GAME_SLUG,
      direction: stringEnum(['up', 'down'], 'Prices that rose, or that fell.', 'up'),
      period: stringEnum(['24h', '7d', '30d'], 'Period of the change.', '24h'),
      printing: PRINTING,
      type: PRODUCT_TYPE,
      limit: Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 20,
        description: 'Maximum number of entries.',
      }),
    },
    returns: 'The printings, largest change first.',
    reply: Type.Array(MoverSchema),
    meta: Type.Object({ excluded: Integer('Printings excluded as implausible.'), notes: Notes }),
    entryId: 'card_id',
    answer({ query, view }) {
      assertHasMovers(view)
      const { direction, period, printing, type, limit } = query
      const game_id = findGameFilter(catalog, query.game)?.id
      const filter = { direction, period, printing, type, limit, game_id }
      const { rows, excluded } = view.movers.listTop(filter)
      return { data: rows, meta: { excluded }, volume: recordsVolume(rows) }
    },
  })
}

/** @throws ServiceError VALIDATION_ERROR for a source without movers */
function assertHasMovers({ view }: Deps['catalog']): void {
  if (view === undefined || view.lists.some(isMirrorList)) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"source" must be tcgplayer: movers are only computed for its prices. Send "currency" to convert them.',
  )
}
