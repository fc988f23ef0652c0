import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getValuation } from '#actions/collections/get-valuation.ts'
import {
  createCollection,
  deleteCollection,
  getCollection,
  getSharedCollection,
  limitsOf,
  listCollections,
  renameCollection,
  shareCollection,
  unshareCollection,
} from '#actions/collections/manage-collections.ts'
import type { Deps } from '#deps.ts'
import { COLLECTION_KINDS, ITEM_SORTS } from '#rules/collections/collection-kinds.ts'
import { toAmount } from '#rules/collections/collection-money.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import type { Endpoints } from '../../endpoint/endpoints.ts'
import {
  COLLECTION_ID,
  label,
  line,
  PAGING,
  REVISION,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import {
  CollectionLimitsSchema,
  CollectionSchema,
  SharedCollectionSchema,
  ShareLinkSchema,
} from '../../schemas/collections.ts'
import { PagingSchema } from '../../schemas/members.ts'
import {
  renderOwnCollection,
  renderSharedItems,
  renderValuedAt,
} from '../../schemas/render-collections.ts'

const TAG = 'Collections'

const NAME = label({ description: 'Name for people.' })

export const COLLECTION_NOT_FOUND = { 404: 'Collection not found.' }

/** Collections of an account, and the links that share them. */
export function collectionRoutes(endpoints: Endpoints, deps: Deps): void {
  endpoints.account('POST', '/v1/collections', {
    id: 'createCollection',
    tag: TAG,
    summary: 'Create a collection or a wish list',
    body: { name: NAME, kind: Type.Optional(stringEnum(COLLECTION_KINDS, 'Default: `owned`.')) },
    status: 201,
    refusals: { 409: 'The account has as many of this kind as its tier allows.' },
    returns: 'The collection.',
    reply: CollectionSchema,
    async answer({ body: { name, kind = 'owned' }, ...owner }) {
      return { data: renderOwnCollection(await createCollection(deps, owner, { name, kind })) }
    },
  })

  endpoints.account('GET', '/v1/collections', {
    id: 'listCollections',
    tag: TAG,
    summary: 'List collections and wish lists, oldest first',
    query: VALUE_CURRENCY,
    returns: 'The collections, and how many the account can have.',
    reply: Type.Array(CollectionSchema),
    meta: CollectionLimitsSchema,
    async answer({ query: { currency }, ...owner }) {
      const { collections, items } = limitsOf(deps, owner)
      const { hasLimits } = deps.config
      const money = chooseCurrency(deps, currency)
      const listed = await listCollections(deps, owner.account_id)
      return {
        data: listed.map((collection) => renderOwnCollection(collection, money)),
        meta: {
          collections_max: hasLimits ? collections : null,
          items_max: hasLimits ? items : null,
        },
      }
    },
  })

  endpoints.account('GET', '/v1/collections/:id', {
    id: 'getCollection',
    tag: TAG,
    summary: 'Get a collection',
    params: COLLECTION_ID,
    query: VALUE_CURRENCY,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The collection.',
    reply: CollectionSchema,
    async answer({ account_id, params: { id }, query: { currency } }) {
      const money = chooseCurrency(deps, currency)
      return { data: renderOwnCollection(await getCollection(deps, { id, account_id }), money) }
    },
  })

  endpoints.account('PATCH', '/v1/collections/:id', {
    id: 'updateCollection',
    tag: TAG,
    summary: 'Rename a collection',
    params: COLLECTION_ID,
    body: { name: NAME, revision: REVISION },
    refusals: {
      ...COLLECTION_NOT_FOUND,
      409: 'It has another revision; `error.current` is the collection.',
    },
    returns: 'The collection.',
    reply: CollectionSchema,
    async answer({ account_id, params: { id }, body: { name, revision } }) {
      const change = { name, revision }
      const key = { id, account_id }
      return {
        data: renderOwnCollection(await renameCollection(deps, key, change, renderOwnCollection)),
      }
    },
  })

  endpoints.account('DELETE', '/v1/collections/:id', {
    id: 'deleteCollection',
    tag: TAG,
    summary: 'Delete a collection with its items and its link',
    params: COLLECTION_ID,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The deleted collection.',
    reply: CollectionSchema,
    async answer({ account_id, params: { id } }) {
      return { data: renderOwnCollection(await deleteCollection(deps, { id, account_id })) }
    },
  })

  endpoints.account('POST', '/v1/collections/:id/share', {
    id: 'shareCollection',
    tag: TAG,
    summary: 'Create the link of a collection',
    description:
      'Everybody who has the link can read the collection, without prices paid, targets, dates, notes and places. An earlier link of the collection ends.',
    params: COLLECTION_ID,
    status: 201,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The link.',
    reply: ShareLinkSchema,
    async answer({ account_id, params: { id } }) {
      const token = await shareCollection(deps, { id, account_id })
      const url = `${deps.config.publicUrl}/shared/${token}`
      return { data: { token, url, shared_at: deps.now().toISOString() } }
    },
  })

  endpoints.account('DELETE', '/v1/collections/:id/share', {
    id: 'unshareCollection',
    tag: TAG,
    summary: 'End the link of a collection',
    params: COLLECTION_ID,
    refusals: { 404: 'Collection not found, or not shared.' },
    returns: 'The collection.',
    reply: CollectionSchema,
    async answer({ account_id, params: { id } }) {
      return { data: renderOwnCollection(await unshareCollection(deps, { id, account_id })) }
    },
  })

  endpoints.optionalSession('GET', '/v1/shared/:token', {
    id: 'getSharedCollection',
    tag: TAG,
    summary: 'Get a collection by its link',
    description: 'Needs no key. Prices paid, targets, dates, notes and places are hidden.',
    params: { token: line({ description: 'Token of the link.' }) },
    query: {
      sort: stringEnum(ITEM_SORTS, 'Order of the items.', 'added_desc'),
      ...PAGING,
      ...VALUE_CURRENCY,
    },
    refusals: { 404: 'The link does not exist or has ended.' },
    returns: 'The collection, with a page of its items.',
    reply: SharedCollectionSchema,
    meta: PagingSchema,
    async answer({ params: { token }, query }) {
      const money = chooseCurrency(deps, query.currency)
      const { id, account_id, name, kind, updated_at } = await getSharedCollection(deps, token)
      const valuation = await getValuation(deps, { id, account_id })
      const paging = computePaging(query)
      const all = { game: undefined, set_id: undefined }
      const page = { ...paging, sort: query.sort }
      const { rows, total } = await deps.ledger.collectionItems.list(id, all, page)
      const { is_current: _, ...valuedAt } = renderValuedAt(valuation, money)
      return {
        data: {
          ...{ name, kind, item_count: total },
          ...{ value: toAmount(money, valuation.summary.total.value), ...valuedAt },
          updated_at: new Date(updated_at).toISOString(),
          items: renderSharedItems(deps, rows, money),
        },
        meta: pagingMeta(paging, total),
      }
    },
  })
}
