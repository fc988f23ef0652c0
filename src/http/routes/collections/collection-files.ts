import { Type } from '@sinclair/typebox'
import { countAttempt, exportLimits } from '#actions/accounts/rate-limits.ts'
import {
  type ExportedFile,
  exportAllCollections,
  exportCollection,
} from '#actions/collections/export-collection.ts'
import { startValuation } from '#actions/collections/get-valuation.ts'
import { findWishlist, getCollection } from '#actions/collections/manage-collections.ts'
import { acceptImport, requestImport } from '#actions/collections/request-import.ts'
import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { UNOWNED } from '#rules/collections/file-import.ts'
import { parseAccepted } from '#rules/matching/certainty.ts'
import type { Download } from '../../endpoint/download.ts'
import { readFileBody } from '../../input/csv-body.ts'
import {
  COLLECTION_ID,
  GAME_SLUG,
  ITEMS_FORMAT,
  line,
  PREFER,
  stringEnum,
} from '../../input/fields.ts'
import type { StoredBodySource } from '../../input/read-body.ts'
import { ImportReportSchema } from '../../schemas/collections.ts'
import type { Server } from '../../server.ts'
import { COLLECTION_NOT_FOUND } from './collections.ts'

/** A file of 100,000 rows has some 12 MB. */
const FILE_BYTES_MAX = 20 * 1024 * 1024

const FILE = Type.String({ format: 'binary', description: 'At most 20 MB.' })

/** File systems allow no more bytes. */
const FILE_NAME_MAX = 255

const UPLOAD: StoredBodySource = {
  content: {
    'text/csv': FILE,
    'text/plain': FILE,
    'multipart/form-data': Type.Object({ file: FILE }),
  },
  bytesMax: FILE_BYTES_MAX + 64 * 1024,
  read: (request, reserve) => readFileBody(request, reserve, FILE_BYTES_MAX),
  isStored: true,
}

/** Bun's maximum, longer than an import. */
export const IMPORT_SECONDS_MAX = 255

export const TOO_MANY_FILES = { 429: 'Too many files. Retry after the time in Retry-After.' }

/** Refusals of a file in a chosen format. */
export const EXPORT_REFUSALS = { ...TOO_MANY_FILES, 409: 'No game of the app.' }

/** Returns the answer with an exported file. */
export function exportDownload(name: string, { chunks, leftOut }: ExportedFile): Download {
  return {
    fileName: `${name}.csv`,
    contentType: 'text/csv; charset=utf-8',
    source: { chunks },
    headers: [['x-items-left-out', String(leftOut)]],
  }
}

/** Import and export of collections. */
export function collectionFileRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/collections/:id/import', {
    auth: 'account',
    id: 'importCollection',
    tag: 'Collections',
    summary: 'Import the export of a collection app, or a list',
    description:
      'Accepts the files of `/v1/bulk/resolve/csv` and `/list`. Sent again, a file adds nothing, or goes on.',
    params: COLLECTION_ID,
    query: {
      game: GAME_SLUG,
      prefer: PREFER,
      again: stringEnum(['true', 'false'], 'Adds a file that was imported before.', 'false'),
      draft: stringEnum(['true', 'false'], 'Stores nothing before `importDraft`.', 'false'),
      file_name: Type.Optional(
        line({ maxLength: FILE_NAME_MAX, description: 'Name that its draft shows.' }),
      ),
      unowned: stringEnum(UNOWNED, 'Rows of watchlists, lists and decks.', 'leave_out'),
      accept: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Certainties to import, separated by commas: `certain,assumed` by default.',
        }),
      ),
    },
    body: UPLOAD,
    secondsMax: IMPORT_SECONDS_MAX,
    refusals: {
      ...COLLECTION_NOT_FOUND,
      429: 'Too many imports. Retry after the time in Retry-After.',
    },
    returns: 'The counts, and the skipped rows.',
    reply: ImportReportSchema,
    accept: ({ principal: { account_id }, params: { id }, query: { game, accept } }) => {
      parseAccepted(accept)
      return acceptImport(deps, { collection_id: id, account_id, game })
    },
    async respond({ principal, params: { id }, query, body: file, clientAddress, request }) {
      const { account_id, tier, is_unlimited } = principal
      const { game, prefer, again, accept, draft, file_name, unowned } = query
      const isListed = unowned === 'wishlist' && draft !== 'true'
      const input = {
        account_id,
        tier,
        is_unlimited,
        network: clientNetwork(clientAddress),
        collection_id: id,
        file,
        file_name,
        game,
        prefer,
        again: again === 'true',
        accept: parseAccepted(accept),
        is_draft: draft === 'true',
        unowned,
        unowned_list_id: isListed ? await findWishlist(deps, principal, id) : undefined,
      }
      const report = await requestImport(deps, input, request.signal)
      if (!report.is_repeated && !input.is_draft) startValuation(deps, { id, account_id })
      return { data: report }
    },
  })

  endpoint('GET /v1/collections/:id/export', {
    auth: 'account',
    id: 'exportCollection',
    tag: 'Collections',
    summary: 'Download a collection as a file',
    description: '`full` has all members, an app fewer, of its games alone.',
    params: COLLECTION_ID,
    query: { format: ITEMS_FORMAT },
    refusals: { ...COLLECTION_NOT_FOUND, ...EXPORT_REFUSALS },
    returns: 'The file.',
    files: ['text/csv'],
    headers: ['X-Items-Left-Out'],
    accept: ({ principal }) => countAttempt(deps, exportLimits(principal.account_id)),
    async respond({ principal: { account_id }, params: { id }, query: { format } }) {
      await getCollection(deps, { id, account_id })
      return exportDownload(`collection-${format}`, await exportCollection(deps, id, format))
    },
  })

  endpoint('GET /v1/collections/export', {
    auth: 'account',
    id: 'exportCollections',
    tag: 'Collections',
    summary: 'Download all collections as one file',
    description: 'The columns of `full`, after name and kind of the collection.',
    refusals: TOO_MANY_FILES,
    returns: 'The file.',
    files: ['text/csv'],
    accept: ({ principal }) => countAttempt(deps, exportLimits(principal.account_id)),
    async respond({ principal: { account_id } }) {
      return {
        fileName: 'collections.csv',
        contentType: 'text/csv; charset=utf-8',
        source: { chunks: exportAllCollections(deps, account_id) },
      }
    },
  })
}
