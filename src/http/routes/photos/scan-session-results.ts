import { countAttempt, exportLimits } from '#actions/accounts/rate-limits.ts'
import { startValuation } from '#actions/collections/get-valuation.ts'
import { collectSession, exportSession } from '#actions/photos/collect-session.ts'
import { getScanSession } from '#actions/photos/scan-sessions.ts'
import type { Deps } from '#deps.ts'
import { COLLECTION_ID, ITEMS_FORMAT, SCAN_SESSION_ID } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { CollectedSchema } from '../../schemas/scan-sessions.ts'
import type { Server } from '../../server.ts'
import { EXPORT_REFUSALS, exportDownload } from '../collections/collection-files.ts'
import { SCAN_SESSION_NOT_FOUND } from './scan-sessions.ts'

/** Reviewed items of a scan session, as a file or in a collection. */
export function scanSessionResultRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/scan-sessions/:id/export', {
    auth: 'account',
    id: 'exportScanSession',
    tag: 'Scanning',
    summary: 'Download the reviewed items of a scan session as a file',
    description: 'In the formats of `/v1/collections/{id}/export`.',
    params: SCAN_SESSION_ID,
    query: { format: ITEMS_FORMAT },
    refusals: { ...SCAN_SESSION_NOT_FOUND, ...EXPORT_REFUSALS },
    returns: 'The file.',
    files: ['text/csv'],
    headers: ['X-Items-Left-Out'],
    accept: ({ principal }) => countAttempt(deps, exportLimits(principal.account_id)),
    async respond({ principal: { account_id }, params: { id }, query: { format } }) {
      await getScanSession(deps, { id, account_id })
      return exportDownload(`scan-session-${format}`, await exportSession(deps, id, format))
    },
  })

  endpoint('POST /v1/scan-sessions/:id/collect', {
    auth: 'account',
    id: 'collectScanSession',
    tag: 'Scanning',
    summary: 'Add the reviewed items of a scan session to a collection',
    description: 'Items that are already in the collection stay the same there.',
    params: SCAN_SESSION_ID,
    body: jsonObject({ collection_id: COLLECTION_ID.id }),
    refusals: {
      404: 'Scan session or collection not found.',
      409: 'The collection is full after some items; a repeated request continues.',
    },
    returns: 'The number of added items, and of items that the collection already had.',
    reply: CollectedSchema,
    async respond({ params: { id }, body: { collection_id }, principal: owner }) {
      const collected = await collectSession(deps, owner, { id, collection_id })
      startValuation(deps, { id: collection_id, account_id: owner.account_id })
      return { data: collected }
    },
  })
}
