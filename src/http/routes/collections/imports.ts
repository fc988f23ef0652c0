import { Type } from '@sinclair/typebox'
import { countAttempt, exportLimits } from '#actions/accounts/rate-limits.ts'
import { changeImport } from '#actions/collections/change-import.ts'
import { exportFailedRows } from '#actions/collections/export-failed-rows.ts'
import { startValuation } from '#actions/collections/get-valuation.ts'
import {
  getImport,
  type ImportView,
  importDraft,
  listImportRows,
  listOpenImports,
  takeImportBack,
} from '#actions/collections/manage-imports.ts'
import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { DRAFT_KINDS, DRAFT_STATES } from '#rules/collections/import-draft.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { ID, line, PAGING, REVISION, stringEnum } from '../../input/fields.ts'
import { ITEM_FACTS } from '../../input/item-fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import { ImportSchema } from '../../schemas/imports.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { renderImport, renderImportRows } from '../../schemas/render-imports.ts'
import type { Server } from '../../server.ts'
import { IMPORT_SECONDS_MAX, TOO_MANY_FILES } from './collection-files.ts'

const IMPORT_ID = { id: line({ description: 'ID of the import.' }) }

const NOT_FOUND = { 404: 'Import or row not found, or its draft has ended.' }

const CONFLICT = { 409: 'Another revision, or no room; `error.current` is the import.' }

const TOO_MANY_IMPORTS = { 429: 'Too many imports. Retry after the time in Retry-After.' }

const { printing, condition, language, quantity } = ITEM_FACTS

const RowInput = Type.Object({
  id: line({ description: 'ID of the row.' }),
  state: Type.Optional(stringEnum(DRAFT_STATES)),
  card_id: Type.Optional(ID),
  printing,
  condition,
  language,
  quantity,
})

const KindInput = Type.Object({ kind: stringEnum(DRAFT_KINDS), state: stringEnum(DRAFT_STATES) })

const ROWS_MAX = 100

const READ_REVISION = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** Imports from their draft to their undo. */
export function importRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/imports', {
    auth: 'account',
    id: 'listImports',
    tag: 'Collections',
    summary: 'List drafts, and imports that have not ended',
    returns: 'The imports, without rows.',
    reply: Type.Array(ImportSchema),
    async respond({ principal }) {
      const views = await listOpenImports(deps, principal.account_id)
      return { data: views.map((view) => renderImport(view, principal)) }
    },
  })

  endpoint('GET /v1/imports/:id', {
    auth: 'account',
    id: 'getImport',
    tag: 'Collections',
    summary: 'Get an import, with a page of the rows of its draft',
    params: IMPORT_ID,
    query: {
      kind: Type.Optional(stringEnum(DRAFT_KINDS, 'Default: all, in this order.')),
      ...PAGING,
    },
    refusals: NOT_FOUND,
    returns: 'The import.',
    reply: ImportSchema,
    meta: PagingSchema,
    async respond({ principal, params: { id }, query: { kind, ...query } }) {
      const view = await getImport(deps, { id, account_id: principal.account_id })
      const paging = computePaging(query)
      const { rows, total } = await listImportRows(deps, view, { kind, ...paging })
      const entries = renderImportRows(deps, rows)
      return { data: renderImport(view, principal, entries), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('PATCH /v1/imports/:id', {
    auth: 'account',
    id: 'updateImport',
    tag: 'Collections',
    summary: 'Decide about rows of a draft',
    params: IMPORT_ID,
    body: jsonChanges({
      kinds: Type.Optional(Type.Array(KindInput, { maxItems: DRAFT_KINDS.length })),
      rows: Type.Optional(Type.Array(RowInput, { maxItems: ROWS_MAX })),
      revision: REVISION,
    }),
    refusals: { ...NOT_FOUND, ...CONFLICT },
    returns: 'The import, with the changed rows.',
    reply: ImportSchema,
    async respond({ principal, params: { id }, body }) {
      const key = { id, account_id: principal.account_id }
      const render = (current: ImportView) => renderImport(current, principal)
      const { view, rows } = await changeImport(deps, key, body, render)
      return { data: renderImport(view, principal, renderImportRows(deps, rows)) }
    },
  })

  endpoint('POST /v1/imports/:id/import', {
    auth: 'account',
    id: 'importDraft',
    tag: 'Collections',
    summary: 'Import the accepted rows of a draft',
    description: 'Sent again, it continues or adds nothing.',
    params: IMPORT_ID,
    body: jsonObject({ revision: READ_REVISION }),
    secondsMax: IMPORT_SECONDS_MAX,
    refusals: {
      ...NOT_FOUND,
      ...CONFLICT,
      ...TOO_MANY_IMPORTS,
    },
    returns: 'The import.',
    reply: ImportSchema,
    async respond({ principal, params: { id }, body: { revision }, clientAddress, request }) {
      const importer = importerOf(principal, clientAddress)
      const render = (current: ImportView) => renderImport(current, principal)
      const task = { id, revision, importer, signal: request.signal }
      const view = await importDraft(deps, task, render)
      startValuation(deps, { id: view.collection_id, account_id: principal.account_id })
      return { data: render(view) }
    },
  })

  endpoint('DELETE /v1/imports/:id', {
    auth: 'account',
    id: 'deleteImport',
    tag: 'Collections',
    summary: 'Discard a draft, or undo an import',
    description: 'Possible for 30 days. Items that have changed stay.',
    params: IMPORT_ID,
    query: { revision: REVISION },
    secondsMax: IMPORT_SECONDS_MAX,
    refusals: { ...NOT_FOUND, ...CONFLICT, ...TOO_MANY_IMPORTS },
    returns: 'The discarded draft, or the undone import.',
    reply: ImportSchema,
    async respond({ principal, params: { id }, query: { revision }, clientAddress, request }) {
      const importer = importerOf(principal, clientAddress)
      const render = (current: ImportView) => renderImport(current, principal)
      const task = { id, revision, importer, signal: request.signal }
      const view = await takeImportBack(deps, task, render)
      if (view.state !== 'draft') {
        startValuation(deps, { id: view.collection_id, account_id: principal.account_id })
      }
      return { data: render(view) }
    },
  })

  endpoint('GET /v1/imports/:id/failed', {
    auth: 'account',
    id: 'exportFailedRows',
    tag: 'Collections',
    summary: 'Download the rows of a draft that are not imported',
    params: IMPORT_ID,
    refusals: { ...NOT_FOUND, ...TOO_MANY_FILES },
    returns: 'The file.',
    files: ['text/csv'],
    accept: ({ principal }) => countAttempt(deps, exportLimits(principal.account_id)),
    async respond({ principal: { account_id }, params: { id } }) {
      const view = await getImport(deps, { id, account_id })
      return {
        fileName: 'not-imported.csv',
        contentType: 'text/csv; charset=utf-8',
        source: { chunks: exportFailedRows(deps, view) },
      }
    },
  })
}

function importerOf(
  { account_id, tier, is_unlimited }: Parameters<typeof renderImport>[1] & { account_id: number },
  clientAddress: string,
) {
  return { account_id, tier, is_unlimited, network: clientNetwork(clientAddress) }
}
