import { Type } from '@sinclair/typebox'
import { listMovers } from '#actions/pricing/list-movers.ts'
import type { Deps } from '#deps.ts'
import { recordsVolume } from '#rules/accounts/visitors.ts'
import { CONFIDENCE_LEVELS } from '#rules/pricing/confidence.ts'
import { MOVER_PRICES } from '#rules/pricing/movers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { createResultCache } from '../../endpoint/result-cache.ts'
import { GAME_SLUG, PRINTING, PRODUCT_TYPE, stringEnum } from '../../input/fields.ts'
import { Integer, Notes } from '../../schemas/members.ts'
import { MoverSchema } from '../../schemas/prices.ts'
import type { Server } from '../../server.ts'
import { findGameFilter } from '../catalog/games.ts'

/** Printings whose price changed most. */
export function moverRoutes({ endpoint }: Server, deps: Deps): void {
  const { catalog, now } = deps
  // To rate the prices of a list takes twice as long as to read it.
  const lists = createResultCache<ReturnType<typeof listMovers>>(catalog.publication)

  endpoint('GET /v1/prices/top-movers', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'listTopMovers',
    tag: 'Prices',
    summary: 'List the printings whose price rose or fell most',
    description:
      'Without prices of low confidence and changes by one sale, unless `min_confidence` is `low`. `meta.excluded` counts other omissions: printings below 1.00, changes beyond tenfold. With `currency`: movers of its native source if there are any, else of `tcgplayer`, converted.',
    hasPrices: true,
    query: {
      game: GAME_SLUG,
      direction: stringEnum(['up', 'down'], 'Prices that rose, or that fell.', 'up'),
      period: stringEnum(['24h', '7d', '30d'], 'Period of the change.', '24h'),
      printing: PRINTING,
      type: PRODUCT_TYPE,
      min_confidence: stringEnum(
        CONFIDENCE_LEVELS,
        'Minimum confidence in the prices; `low` lists all.',
        'medium',
      ),
      min_price: stringEnum(
        MOVER_PRICES,
        'Minimum of the current price, in the currency of its source.',
        '1',
      ),
      limit: Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 20,
        description: 'Maximum number of entries.',
      }),
    },
    returns: 'The printings, largest change first.',
    includes: ['confidence'],
    reply: Type.Array(MoverSchema),
    meta: Type.Object({ excluded: Integer('Printings excluded as implausible.'), notes: Notes }),
    entryId: 'card_id',
    async respond({ query, view }) {
      const { direction, period, printing, type, min_confidence, min_price, limit } = query
      const game_id = findGameFilter(catalog, query.game)?.id
      const filter = {
        direction,
        period,
        printing,
        type,
        min_confidence,
        min_price,
        limit,
        game_id,
      }
      // Prices lose confidence with age.
      const variant = min_confidence === 'low' ? {} : { variant: `${dayOf(now())}` }
      const key = JSON.stringify([filter, view.view?.variant, variant])
      const { rows, excluded } = await lists.getInTurn(key, () =>
        listMovers({ catalog: view, now }, filter),
      )
      return { data: rows, meta: { excluded }, volume: recordsVolume(rows), ...variant }
    },
  })
}
