import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getScanSession } from '#actions/photos/scan-sessions.ts'
import {
  deleteSessionItem,
  duplicateSessionItem,
  updateSessionItem,
} from '#actions/photos/session-items.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import {
  CLIENT_UUID,
  ID,
  line,
  PAGING,
  REVISION,
  SCAN_SESSION_ID,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { ITEM_CONFLICT, ITEM_FACTS } from '../../input/item-fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { renderSessionItem, renderSessionItems } from '../../schemas/render-scan-sessions.ts'
import { ScanSessionItemSchema } from '../../schemas/scan-sessions.ts'
import type { Server } from '../../server.ts'
import { SCAN_SESSION_NOT_FOUND } from './scan-sessions.ts'

const ITEM_ID = { ...SCAN_SESSION_ID, item: line({ description: 'ID of the item.' }) }

const ITEM_NOT_FOUND = { 404: 'Scan session or item not found.' }

/** Items of scan sessions. */
export function scanSessionItemRoutes({ endpoint }: Server, deps: Deps): void {
  const render = (item: Parameters<typeof renderSessionItem>[1]) => renderSessionItem(deps, item)

  endpoint('GET /v1/scan-sessions/:id/items', {
    auth: 'account',
    id: 'listScanSessionItems',
    tag: 'Scanning',
    summary: 'List the items of a scan session',
    params: SCAN_SESSION_ID,
    query: {
      review: Type.Optional(
        stringEnum(['open', 'done'], 'Only items that are not reviewed, or only reviewed ones.'),
      ),
      ...PAGING,
      ...VALUE_CURRENCY,
    },
    refusals: SCAN_SESSION_NOT_FOUND,
    returns: 'A page of the items, in the order in which they were added.',
    reply: Type.Array(ScanSessionItemSchema),
    meta: PagingSchema,
    async respond({ principal: { account_id }, params: { id }, query }) {
      const money = chooseCurrency(deps, query.currency)
      await getScanSession(deps, { id, account_id })
      const paging = computePaging(query)
      const { rows, total } = await deps.ledger.scanItems.list(id, query.review, paging)
      return { data: renderSessionItems(deps, rows, money), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('PATCH /v1/scan-sessions/:id/items/:item', {
    auth: 'account',
    id: 'updateScanSessionItem',
    tag: 'Scanning',
    summary: 'Correct or confirm an item',
    description:
      'Omitted members stay. Choosing a card marks the item as reviewed; both are feedback on the identification. A new card gets the printing of the photo.',
    params: ITEM_ID,
    body: jsonChanges({
      card_id: Type.Optional(ID),
      printing: ITEM_FACTS.printing,
      quantity: ITEM_FACTS.quantity,
      condition: ITEM_FACTS.condition,
      language: ITEM_FACTS.language,
      grade: ITEM_FACTS.grade,
      is_reviewed: Type.Optional(
        Type.Boolean({
          description: 'True if the card is correct.',
        }),
      ),
      revision: REVISION,
    }),
    refusals: { ...ITEM_NOT_FOUND, ...ITEM_CONFLICT },
    returns: 'The item.',
    reply: ScanSessionItemSchema,
    async respond({
      principal: { account_id },
      params: { id, item },
      body: { revision, ...input },
    }) {
      const key = { account_id, list_id: id, id: item, revision }
      return { data: render(await updateSessionItem(deps, key, input, render)) }
    },
  })

  endpoint('DELETE /v1/scan-sessions/:id/items/:item', {
    auth: 'account',
    id: 'deleteScanSessionItem',
    tag: 'Scanning',
    summary: 'Delete an item',
    params: ITEM_ID,
    query: { revision: REVISION },
    refusals: { ...ITEM_NOT_FOUND, ...ITEM_CONFLICT },
    returns: 'The deleted item.',
    reply: ScanSessionItemSchema,
    async respond({ principal: { account_id }, params: { id, item }, query: { revision } }) {
      const key = { account_id, list_id: id, id: item, revision }
      return { data: render(await deleteSessionItem(deps, key, render)) }
    },
  })

  endpoint('POST /v1/scan-sessions/:id/items/:item/duplicate', {
    auth: 'account',
    id: 'duplicateScanSessionItem',
    tag: 'Scanning',
    summary: 'Add a duplicate of an item',
    description: 'With your own `id`, a repeated request does not add the item twice.',
    params: ITEM_ID,
    body: jsonObject({ id: Type.Optional(CLIENT_UUID) }),
    status: 201,
    refusals: { ...ITEM_NOT_FOUND, 409: 'The scan session has 5,000 items.' },
    returns: 'The duplicate.',
    reply: ScanSessionItemSchema,
    async respond({ principal: { account_id }, params: { id, item }, body }) {
      const key = { account_id, list_id: id, id: item }
      return { data: render(await duplicateSessionItem(deps, key, body.id)) }
    },
  })
}
