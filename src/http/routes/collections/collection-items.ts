import { Type } from '@sinclair/typebox'
import { changeItems } from '#actions/collections/change-items.ts'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getCollection } from '#actions/collections/manage-collections.ts'
import { addItems, deleteItem, updateItem } from '#actions/collections/manage-items.ts'
import { searchItems } from '#actions/collections/search-items.ts'
import type { Deps } from '#deps.ts'
import { HOLDING_TEXTS } from '#rules/collections/holding.ts'
import { ITEM_SORTS } from '#rules/collections/list-kinds.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { IDS_MAX } from '#store/ledger/collections/item-writer.ts'
import {
  CLIENT_UUID,
  COLLECTION_ID,
  GAME_SLUG,
  ID,
  line,
  PAGING,
  PRINTING,
  REVISION,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { clearable, ITEM_CONFLICT, ITEM_FACTS } from '../../input/item-fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import { extendObject, namedObject } from '../../openapi/schemas.ts'
import { CollectionItemSchema, ItemOutcomeSchema } from '../../schemas/collections.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { renderItem, renderItems, renderOutcomes } from '../../schemas/render-collections.ts'
import type { Server } from '../../server.ts'
import { COLLECTION_NOT_FOUND } from './collections.ts'

const ITEM_ID = { ...COLLECTION_ID, item_id: line({ description: 'ID of the item.' }) }

const ITEM_REVISION = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const ItemFacts = namedObject('ItemFacts', ITEM_FACTS)

const NewItem = extendObject('NewCollectionItem', ItemFacts, {
  id: Type.Optional(CLIENT_UUID),
  card_id: ID,
})

const ChangedItem = extendObject('ChangedCollectionItem', ItemFacts, {
  id: ITEM_ID.item_id,
  revision: ITEM_REVISION,
})

const ITEMS_MAX = IDS_MAX

/** A hundred items with long notes. */
const ITEMS_BYTES_MAX = 1024 * 1024

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
      q: Type.Optional(line({ maxLength: 100, description: 'Parts of name, set or number.' })),
      place: Type.Optional(
        line({ maxLength: HOLDING_TEXTS.place.charactersMax, description: 'Place.' }),
      ),
      condition: ITEM_FACTS.condition,
      printing: PRINTING,
      sort: stringEnum(ITEM_SORTS, 'Order. Values are those of the last summary.', 'added_desc'),
      ...PAGING,
      ...VALUE_CURRENCY,
    },
    refusals: COLLECTION_NOT_FOUND,
    returns: 'A page of the items with their current prices.',
    reply: Type.Array(CollectionItemSchema),
    meta: PagingSchema,
    async respond({ principal: { account_id }, params: { id }, query, request }) {
      const money = chooseCurrency(deps, query.currency)
      const list = await getCollection(deps, { id, account_id })
      const paging = computePaging(query)
      const { sort, q, game, set_id, place, condition, printing } = query
      const search = { q, game, set_id, place, condition, printing }
      const page = { ...paging, sort }
      const { rows, total } = await searchItems(deps, list, search, page, request.signal)
      return { data: renderItems(deps, rows, money), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('POST /v1/collections/:id/items', {
    auth: 'account',
    id: 'addCollectionItems',
    tag: 'Collections',
    summary: `Add up to ${ITEMS_MAX} items`,
    description: 'Adds all or none, and each `id` once.',
    params: COLLECTION_ID,
    body: jsonObject(
      { items: Type.Array(NewItem, { minItems: 1, maxItems: ITEMS_MAX }) },
      ITEMS_BYTES_MAX,
    ),
    status: 201,
    refusals: {
      404: 'Collection or card not found.',
      409: 'The tier allows no more, or the `id` is taken.',
    },
    returns: 'The items, in the order of the request.',
    reply: Type.Array(CollectionItemSchema),
    async respond({ principal, params: { id: collection_id }, body: { items } }) {
      const owner = { ...principal, collection_id }
      return { data: renderItems(deps, await addItems(deps, owner, items)) }
    },
  })

  endpoint('PATCH /v1/collections/:id/items', {
    auth: 'account',
    id: 'updateCollectionItems',
    tag: 'Collections',
    summary: `Change, move or remove up to ${ITEMS_MAX} items`,
    description: 'A repeated request changes nothing.',
    params: COLLECTION_ID,
    body: jsonObject(
      {
        items: Type.Array(ChangedItem, { minItems: 1, maxItems: ITEMS_MAX }),
        collection_id: clearable(line({ description: 'Moves them there. Null: removes them.' })),
      },
      ITEMS_BYTES_MAX,
    ),
    refusals: {
      ...COLLECTION_NOT_FOUND,
      409: 'No room there.',
    },
    returns: 'What became of each.',
    reply: Type.Array(ItemOutcomeSchema),
    async respond({ principal, params: { id: collection_id }, body }) {
      const owner = { ...principal, collection_id }
      return { data: renderOutcomes(deps, await changeItems(deps, owner, body)) }
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
