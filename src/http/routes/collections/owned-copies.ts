import { Type } from '@sinclair/typebox'
import { countOwnedCards } from '#actions/collections/count-owned-cards.ts'
import { listOwnedCopies, OWNED_COPIES_MAX } from '#actions/collections/list-owned-copies.ts'
import type { Deps } from '#deps.ts'
import { parseIds } from '#rules/matching/bulk-limits.ts'
import { OWNED_IDS_MAX } from '#store/ledger/collections/owned-copies.ts'
import { GAME_SLUG, ID, idsField } from '../../input/fields.ts'
import { OwnedCopiesSchema, OwnedSetSchema } from '../../schemas/collections.ts'
import type { Server } from '../../server.ts'
import { findGameFilter } from '../catalog/games.ts'
import { getSet } from '../catalog/sets.ts'

/** Cards that an account owns. */
export function ownedCopyRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/collections/owned', {
    auth: 'account',
    id: 'listOwnedCopies',
    tag: 'Collections',
    summary: 'List the copies of cards that you own',
    query: {
      ids: Type.Optional(idsField(OWNED_IDS_MAX)),
      set_id: Type.Optional({ ...ID, description: 'A set, beside `ids`.' }),
    },
    refusals: { 404: 'Set not found.' },
    returns: `At most ${OWNED_COPIES_MAX} entries, by card.`,
    reply: Type.Array(OwnedCopiesSchema),
    async respond({ principal: { account_id }, query: { ids, set_id } }) {
      const ofSet =
        set_id === undefined
          ? []
          : deps.catalog.sources.holdings.listCards(getSet(deps.catalog, set_id).id)
      const named = ids === undefined ? [] : parseIds(ids, OWNED_IDS_MAX)
      const cards = [...new Set([...named, ...ofSet])]
      return { data: await listOwnedCopies(deps, account_id, cards) }
    },
  })

  endpoint('GET /v1/collections/owned/sets', {
    auth: 'account',
    id: 'listOwnedSets',
    tag: 'Collections',
    summary: 'Count the cards that you own, by set',
    query: { game: GAME_SLUG },
    refusals: { 404: 'Game not found.' },
    returns: 'The sets of which you own a card.',
    reply: Type.Array(OwnedSetSchema),
    async respond({ principal: { account_id }, query: { game } }) {
      const game_id = findGameFilter(deps.catalog, game)?.id
      return { data: await countOwnedCards(deps, account_id, game_id) }
    },
  })
}
