import { Type } from '@sinclair/typebox'
import {
  cancelHistoryImport,
  getHistoryImport,
  startHistoryImport,
  uploadArchivePiece,
} from '#actions/sync/history/manage-history-import.ts'
import type { Deps } from '#deps.ts'
import { bytesBody } from '../../input/bytes-body.ts'
import { line } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { HistoryImportSchema, HistoryUploadSchema } from '../../schemas/history-import.ts'
import { SyncStartedSchema } from '../../schemas/operator.ts'
import type { Server } from '../../server.ts'

/** Less than reverse proxies are set up for, and three for an account at once. */
const PIECE_BYTES_MAX = 8 * 1024 * 1024

/** Some years of six games. */
const ARCHIVE_BYTES_MAX = 8 * 1024 ** 3

const ELSEWHERE = { 503: 'Another server writes the catalog.' }

/** Import of older prices, for operators. */
export function historyImportRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/operator/history-import', {
    auth: 'operator',
    id: 'getHistoryImport',
    tag: 'Operator',
    summary: 'Get the progress of an import of older prices',
    returns: 'The last import.',
    reply: HistoryImportSchema,
    respond: () => ({ data: getHistoryImport(deps) }),
  })

  endpoint('POST /v1/operator/history-import', {
    auth: 'operator',
    id: 'startHistoryImport',
    tag: 'Operator',
    summary: 'Import older prices',
    description: 'Responds at once; follow the progress with `GET`.',
    body: jsonObject({
      archive: line({ maxLength: 200, description: 'Name of one of `archives`.' }),
    }),
    status: 202,
    refusals: {
      404: 'Archive not found.',
      409: 'A sync or an import is running (`SYNC_RUNNING`).',
      ...ELSEWHERE,
    },
    returns: 'The import has started.',
    reply: SyncStartedSchema,
    async respond({ principal: { account_id }, body: { archive }, clientAddress: address }) {
      await startHistoryImport(deps, { name: archive, account_id, address })
      return { data: { state: 'started' as const } }
    },
  })

  endpoint('DELETE /v1/operator/history-import', {
    auth: 'operator',
    id: 'cancelHistoryImport',
    tag: 'Operator',
    summary: 'Cancel an import of older prices',
    returns: 'The import ends soon.',
    reply: Type.Object({ state: Type.Literal('canceling') }),
    respond() {
      cancelHistoryImport(deps)
      return { data: { state: 'canceling' as const } }
    },
  })

  endpoint('POST /v1/operator/history-import/upload', {
    auth: 'operator',
    id: 'uploadHistoryArchive',
    tag: 'Operator',
    summary: 'Upload an archive of older prices',
    description:
      'Send pieces in order; each can be sent again. Then import `archive`, which is deleted afterwards.',
    query: {
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^\\w[\\w .()+-]*$',
      }),
      offset: Type.Integer({
        minimum: 0,
        maximum: ARCHIVE_BYTES_MAX,
      }),
      size: Type.Integer({
        minimum: 1,
        maximum: ARCHIVE_BYTES_MAX,
      }),
    },
    body: bytesBody(PIECE_BYTES_MAX),
    refusals: { 503: 'The disk has too little space.' },
    returns: 'The bytes that have arrived.',
    reply: HistoryUploadSchema,
    async respond({ query, body: bytes }) {
      return { data: await uploadArchivePiece(deps, { ...query, bytes }) }
    },
  })
}
