import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { parseIds } from '#rules/matching/bulk-limits.ts'
import { OWNED_IDS_MAX } from '#store/ledger/collections/owned-copies.ts'
import { ID, idsField } from '../../input/fields.ts'
import { OwnedCopiesSchema } from '../../schemas/collections.ts'
import type { Server } from '../../server.ts'
import { getSet } from '../catalog/sets.ts'

/** Cards that an account owns. */
export function ownedCopyRoutes({ endpoint }: Server, { catalog, ledger }: Deps): void {
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
    returns: 'The copies in your collections, by card.',
    reply: Type.Array(OwnedCopiesSchema),
    async respond({ principal: { account_id }, query: { ids, set_id } }) {
      const cards = ids === undefined ? [] : parseIds(ids, OWNED_IDS_MAX)
      const set = set_id === undefined ? undefined : getSet(catalog, set_id)
      const of = { ids: cards, set: set && { id: set.id, game: set.game_slug } }
      const copies = await ledger.ownedCopies.list(account_id, of)
      const singles = catalog.sources.holdings.listSingles(copies.map(({ card_id }) => card_id))
      const data = copies.map((one) => ({ ...one, is_single: singles.has(one.card_id) }))
      return { data }
    },
  })
}
