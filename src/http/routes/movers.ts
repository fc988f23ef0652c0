import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { GAME_SLUG, PRINTING, PRODUCT_TYPE, stringEnum } from '../input/fields.ts'
import { MoverSchema } from '../schemas/catalog.ts'
import { gameFilter } from './games.ts'

/** What rose and fell most. */
export function moverRoutes(keyEndpoints: KeyEndpoints, { catalog }: Deps): void {
  keyEndpoints.get('/v1/prices/top-movers', 'catalog', {
    tag: 'Prices',
    summary: 'The printings that rose or fell most',
    description:
      'Only printings worth at least a dollar at both ends and within a tenfold change: `meta.excluded` counts what was left out.',
    query: {
      game: GAME_SLUG,
      direction: stringEnum(['up', 'down'], { default: 'up', description: 'Risen, or fallen.' }),
      period: stringEnum(['24h', '7d', '30d'], { default: '24h', description: 'Over which time.' }),
      printing: PRINTING,
      type: PRODUCT_TYPE,
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many.' }),
    },
    reply: Type.Array(MoverSchema),
    meta: Type.Object({
      excluded: Type.Integer({ description: 'Printings left out as unbelievable.' }),
    }),
    answer({ query }) {
      const { direction, period, printing, type, limit } = query
      const game = gameFilter(catalog, query.game)
      const { rows, excluded } = catalog.movers.listTop({
        direction,
        period,
        printing,
        type,
        limit,
        game_id: game?.id,
      })
      return { data: rows, meta: { excluded } }
    },
  })
}
