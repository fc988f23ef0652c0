import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getCollection } from '#actions/collections/manage-collections.ts'
import { addItems, deleteItem, updateItem } from '#actions/collections/manage-items.ts'
import { listItemPage } from '#actions/collections/manage-lists.ts'
import type { Deps } from '#deps.ts'
import { ITEM_SORTS } from '#rules/collections/list-kinds.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import {
  COLLECTION_ID,
  GAME_SLUG,
  ID,
  line,
  PAGING,
  REVISION,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { ITEM_CONFLICT, ITEM_FACTS } from '../../input/item-fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { CollectionItemSchema } from '../../schemas/collections.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { renderItem, renderItems } from '../../schemas/render-collections.ts'
import type { Server } from '../../server.ts'
import { COLLECTION_NOT_FOUND } from './collections.ts'

const NewItem = namedObject('NewCollectionItem', { card_id: ID, ...ITEM_FACTS })

const ITEMS_MAX = 100

/** A hundred items with long notes. */
const ITEMS_BYTES_MAX = 1024 * 1024

const ITEM_ID = { ...COLLECTION_ID, item_id: line({ description: 'ID of the item.' }) }

const ITEM_NOT_FOUND = { 404: 'Collection or item not found.' }

/** Items of collections. */
export function collectionItemRoutes({ endpoint }: Server, deps: Deps): void {
  const render = (item: Parameters<typeof renderItem>[1]) => renderItem(deps, item)

  endpoint('GET /v1/collections/:id/items', {
    auth: 'account',
    id: 'listCollectionItems',
    tag: 'Collections',
    summary: 'List the items of a collection',
    params: COLLECTION_ID,
    query: {
      game: GAME_SLUG,
      set_id: Type.Optional({ ...ID, description: 'ID of a set.' }),
      sort: stringEnum(
        ITEM_SORTS,
        'Order. Orders by value use the values of the last summary.',
        'added_desc',
      ),
      ...PAGING,
      ...VALUE_CURRENCY,
    },
    refusals: COLLECTION_NOT_FOUND,
    returns: 'A page of the items with their current prices.',
    reply: Type.Array(CollectionItemSchema),
    meta: PagingSchema,
    async respond({ principal: { account_id }, params: { id }, query }) {
      const money = chooseCurrency(deps, query.currency)
      await getCollection(deps, { id, account_id })
      const paging = computePaging(query)
      const filter = { game: query.game, set_id: query.set_id }
      const page = { ...paging, sort: query.sort }
      const { rows, total } = await listItemPage(deps, id, filter, page)
      return { data: renderItems(deps, rows, money), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('POST /v1/collections/:id/items', {
    auth: 'account',
    id: 'addCollectionItems',
    tag: 'Collections',
    summary: `Add up to ${ITEMS_MAX} items`,
    description: 'Adds all or none.',
    params: COLLECTION_ID,
    body: jsonObject(
      { items: Type.Array(NewItem, { minItems: 1, maxItems: ITEMS_MAX }) },
      ITEMS_BYTES_MAX,
    ),
    status: 201,
    refusals: {
      404: 'Collection or card not found.',
      409: 'The collection has as many items as the tier allows.',
    },
    returns: 'The items, in the order of the request.',
    reply: Type.Array(CollectionItemSchema),
    async respond({ principal, params: { id: collection_id }, body: { items } }) {
      const owner = { ...principal, collection_id }
      return { data: renderItems(deps, await addItems(deps, owner, items)) }
    },
  })

  endpoint('PATCH /v1/collections/:id/items/:item_id', {
    auth: 'account',
    id: 'updateCollectionItem',
    tag: 'Collections',
    summary: 'Change an item',
    description: 'Omitted members stay the same. Null means unknown.',
    params: ITEM_ID,
    body: jsonChanges({ ...ITEM_FACTS, revision: REVISION }),
    refusals: { ...ITEM_NOT_FOUND, ...ITEM_CONFLICT },
    returns: 'The item.',
    reply: CollectionItemSchema,
    async respond({ principal: { account_id }, params, body: { revision, ...input } }) {
      const key = { account_id, list_id: params.id, id: params.item_id, revision }
      return { data: render(await updateItem(deps, key, input, render)) }
    },
  })

  endpoint('DELETE /v1/collections/:id/items/:item_id', {
    auth: 'account',
    id: 'deleteCollectionItem',
    tag: 'Collections',
    summary: 'Delete an item',
    params: ITEM_ID,
    query: { revision: REVISION },
    refusals: { ...ITEM_NOT_FOUND, ...ITEM_CONFLICT },
    returns: 'The deleted item.',
    reply: CollectionItemSchema,
    async respond({ principal: { account_id }, params, query: { revision } }) {
      const key = { account_id, list_id: params.id, id: params.item_id, revision }
      return { data: render(await deleteItem(deps, key, render)) }
    },
  })
}
