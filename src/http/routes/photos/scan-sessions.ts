import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { deleteList, renameList } from '#actions/collections/manage-lists.ts'
import { createScanSession, getScanSession, valueSession } from '#actions/photos/scan-sessions.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import {
  CLIENT_UUID,
  LIST_NAME,
  PAGING,
  SCAN_SESSION_ID,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { renderScanSession, renderValuedSession } from '../../schemas/render-scan-sessions.ts'
import { ScanSessionSchema, ScanSessionTotalsSchema } from '../../schemas/scan-sessions.ts'
import type { Server } from '../../server.ts'

export const SCAN_SESSION_NOT_FOUND = { 404: 'Scan session not found.' }

/** Scan sessions of an account. */
export function scanSessionRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/scan-sessions', {
    auth: 'account',
    id: 'createScanSession',
    tag: 'Scanning',
    summary: 'Create a scan session',
    description:
      'With your own `id`, a repeated request creates no second session. Its name is the day by default.',
    body: jsonObject({
      name: Type.Optional(LIST_NAME),
      id: Type.Optional(CLIENT_UUID),
    }),
    status: 201,
    refusals: {
      404: 'The id belongs to a deleted session or to another account.',
      409: 'The account has 100 scan sessions.',
    },
    returns: 'The session.',
    reply: ScanSessionTotalsSchema,
    async respond({ principal: { account_id }, body }) {
      return { data: renderValuedSession(await createScanSession(deps, account_id, body)) }
    },
  })

  endpoint('GET /v1/scan-sessions', {
    auth: 'account',
    id: 'listScanSessions',
    tag: 'Scanning',
    summary: 'List scan sessions, last changed first',
    query: PAGING,
    returns: 'A page of the sessions, without their values.',
    reply: Type.Array(ScanSessionSchema),
    meta: PagingSchema,
    async respond({ principal: { account_id }, query }) {
      const paging = computePaging(query)
      const { rows, total } = await deps.ledger.lists.listScanSessions(account_id, paging)
      return { data: rows.map(renderScanSession), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('GET /v1/scan-sessions/:id', {
    auth: 'account',
    id: 'getScanSession',
    tag: 'Scanning',
    summary: 'Get a scan session with its totals',
    params: SCAN_SESSION_ID,
    query: VALUE_CURRENCY,
    refusals: SCAN_SESSION_NOT_FOUND,
    returns: 'The session.',
    reply: ScanSessionTotalsSchema,
    async respond({ principal: { account_id }, params: { id }, query: { currency } }) {
      const money = chooseCurrency(deps, currency)
      const session = await getScanSession(deps, { id, account_id })
      return { data: renderValuedSession(await valueSession(deps, session), money) }
    },
  })

  endpoint('PATCH /v1/scan-sessions/:id', {
    auth: 'account',
    id: 'updateScanSession',
    tag: 'Scanning',
    summary: 'Rename a scan session',
    params: SCAN_SESSION_ID,
    body: jsonObject({ name: LIST_NAME }),
    refusals: SCAN_SESSION_NOT_FOUND,
    returns: 'The session.',
    reply: ScanSessionTotalsSchema,
    async respond({ principal: { account_id }, params: { id }, body: { name } }) {
      const session = await getScanSession(deps, { id, account_id })
      const change = { name, revision: undefined }
      const renamed = await renameList(deps, session, change, renderScanSession)
      return { data: renderValuedSession(await valueSession(deps, renamed)) }
    },
  })

  endpoint('DELETE /v1/scan-sessions/:id', {
    auth: 'account',
    id: 'deleteScanSession',
    tag: 'Scanning',
    summary: 'Delete a scan session with its items',
    params: SCAN_SESSION_ID,
    refusals: SCAN_SESSION_NOT_FOUND,
    returns: 'The deleted session.',
    reply: ScanSessionSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      const session = await getScanSession(deps, { id, account_id })
      return { data: renderScanSession(await deleteList(deps, session)) }
    },
  })
}
