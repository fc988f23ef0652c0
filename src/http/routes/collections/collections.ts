import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getValuation } from '#actions/collections/get-valuation.ts'
import {
  createCollection,
  getCollection,
  getSharedCollection,
  getShareLink,
  shareCollection,
  unshareCollection,
} from '#actions/collections/manage-collections.ts'
import { deleteList, listItemPage, renameList } from '#actions/collections/manage-lists.ts'
import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import { toAmount } from '#rules/collections/collection-money.ts'
import { COLLECTION_KINDS, ITEM_SORTS } from '#rules/collections/list-kinds.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import {
  CLIENT_UUID,
  COLLECTION_ID,
  LIST_NAME,
  line,
  PAGING,
  REVISION,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import {
  CollectionLimitsSchema,
  CollectionSchema,
  SharedCollectionSchema,
  ShareLinkSchema,
  StoredShareLinkSchema,
} from '../../schemas/collections.ts'
import { PagingSchema, timeText } from '../../schemas/members.ts'
import {
  renderNotes,
  renderOwnCollection,
  renderSharedItems,
  renderValuedAt,
} from '../../schemas/render-collections.ts'
import type { Server } from '../../server.ts'

export const COLLECTION_NOT_FOUND = { 404: 'Collection not found.' }

const NOT_SHARED = { 404: 'Collection not found, or not shared.' }

/** Collections of an account, and the links that share them. */
export function collectionRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/collections', {
    auth: 'account',
    id: 'createCollection',
    tag: 'Collections',
    summary: 'Create a collection or a wish list',
    body: jsonObject({
      name: LIST_NAME,
      kind: Type.Optional(stringEnum(COLLECTION_KINDS, 'Default: `owned`.')),
      id: Type.Optional(CLIENT_UUID),
    }),
    status: 201,
    refusals: {
      404: 'Choose another `id`.',
      409: 'The tier allows no more, or the `id` is taken.',
    },
    returns: 'The collection.',
    reply: CollectionSchema,
    async respond({ body: { name, kind = 'owned', id }, principal: owner }) {
      return { data: renderOwnCollection(await createCollection(deps, owner, { name, kind, id })) }
    },
  })

  endpoint('GET /v1/collections', {
    auth: 'account',
    id: 'listCollections',
    tag: 'Collections',
    summary: 'List collections and wish lists, oldest first',
    query: { ...VALUE_CURRENCY, ...PAGING },
    returns: 'A page of the collections, and how many are allowed.',
    reply: Type.Array(CollectionSchema),
    meta: CollectionLimitsSchema,
    async respond({ query: { currency, ...query }, principal: owner }) {
      const { collections, items } = tierLimits(owner)
      const money = chooseCurrency(deps, currency)
      const paging = computePaging(query)
      const { rows, total } = await deps.ledger.lists.listCollections(owner.account_id, paging)
      return {
        data: rows.map((collection) => renderOwnCollection(collection, money)),
        meta: {
          ...pagingMeta(paging, total),
          collections_max: owner.is_unlimited ? null : collections,
          items_max: owner.is_unlimited ? null : items,
        },
      }
    },
  })

  endpoint('GET /v1/collections/:id', {
    auth: 'account',
    id: 'getCollection',
    tag: 'Collections',
    summary: 'Get a collection',
    params: COLLECTION_ID,
    query: VALUE_CURRENCY,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The collection.',
    reply: CollectionSchema,
    async respond({ principal: { account_id }, params: { id }, query: { currency } }) {
      const money = chooseCurrency(deps, currency)
      return { data: renderOwnCollection(await getCollection(deps, { id, account_id }), money) }
    },
  })

  endpoint('PATCH /v1/collections/:id', {
    auth: 'account',
    id: 'updateCollection',
    tag: 'Collections',
    summary: 'Rename a collection',
    params: COLLECTION_ID,
    body: jsonObject({ name: LIST_NAME, revision: REVISION }),
    refusals: {
      ...COLLECTION_NOT_FOUND,
      409: 'It has another revision; `error.current` is the collection.',
    },
    returns: 'The collection.',
    reply: CollectionSchema,
    async respond({ principal: { account_id }, params: { id }, body: { name, revision } }) {
      const collection = await getCollection(deps, { id, account_id })
      const change = { name, revision }
      return {
        data: renderOwnCollection(await renameList(deps, collection, change, renderOwnCollection)),
      }
    },
  })

  endpoint('DELETE /v1/collections/:id', {
    auth: 'account',
    id: 'deleteCollection',
    tag: 'Collections',
    summary: 'Delete a collection with its items and its link',
    params: COLLECTION_ID,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The deleted collection.',
    reply: CollectionSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      const collection = await getCollection(deps, { id, account_id })
      return { data: renderOwnCollection(await deleteList(deps, collection)) }
    },
  })

  endpoint('POST /v1/collections/:id/share', {
    auth: 'account',
    id: 'shareCollection',
    tag: 'Collections',
    summary: 'Create the link of a collection for everybody',
    description: 'Ends an earlier link.',
    params: COLLECTION_ID,
    status: 201,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The link.',
    reply: ShareLinkSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      const { token, url, shared_at } = await shareCollection(deps, { id, account_id })
      return { data: { token, url, shared_at: timeText(shared_at) } }
    },
  })

  endpoint('GET /v1/collections/:id/share', {
    auth: 'account',
    id: 'getShareLink',
    tag: 'Collections',
    summary: 'Get the link of a collection',
    params: COLLECTION_ID,
    refusals: NOT_SHARED,
    returns: 'The link.',
    reply: StoredShareLinkSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      const { url, shared_at } = await getShareLink(deps, { id, account_id })
      return { data: { url, shared_at: timeText(shared_at) } }
    },
  })

  endpoint('DELETE /v1/collections/:id/share', {
    auth: 'account',
    id: 'unshareCollection',
    tag: 'Collections',
    summary: 'End the link of a collection',
    params: COLLECTION_ID,
    refusals: NOT_SHARED,
    returns: 'The collection.',
    reply: CollectionSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      return { data: renderOwnCollection(await unshareCollection(deps, { id, account_id })) }
    },
  })

  endpoint('GET /v1/shared/:token', {
    auth: 'optional session',
    id: 'getSharedCollection',
    tag: 'Collections',
    summary: 'Get a collection by its link',
    description: 'Needs no key. Hides prices paid, targets, dates, notes and places.',
    params: { token: line({ description: 'Token of the link.' }) },
    query: {
      sort: stringEnum(ITEM_SORTS, 'Order of the items.', 'added_desc'),
      ...PAGING,
      ...VALUE_CURRENCY,
    },
    refusals: {
      404: 'The link does not exist or has ended.',
      429: 'Too many pages. Retry after the time in Retry-After.',
    },
    returns: 'The collection.',
    reply: SharedCollectionSchema,
    meta: PagingSchema,
    async respond({ params: { token }, query, clientAddress: address }) {
      const money = chooseCurrency(deps, query.currency)
      const shared = await getSharedCollection(deps, { token, address })
      const { id, account_id, name, kind, updated_at } = shared
      const valuation = await getValuation(deps, { id, account_id })
      const paging = computePaging(query)
      const all = { game: undefined, set_id: undefined }
      const page = { ...paging, sort: query.sort }
      const { total, notes } = valuation.summary
      const { price_paid_not_converted: _hidden, ...shown } = notes
      const { rows, total: items } = await listItemPage(deps, id, all, page)
      const { is_current: _, ...valuedAt } = renderValuedAt(valuation, money)
      return {
        data: {
          name,
          kind,
          item_count: items,
          value: toAmount(money, total.value),
          unpriced: total.unpriced,
          notes: renderNotes(shown, money),
          ...valuedAt,
          updated_at: timeText(updated_at),
          items: renderSharedItems(deps, rows, money),
        },
        meta: pagingMeta(paging, items),
      }
    },
  })
}
