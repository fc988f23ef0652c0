import { Type } from '@sinclair/typebox'
import { listReferences, removeReference } from '#actions/photos/manage-references.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import type { GivenReference } from '#store/ledger/card-references.ts'
import { ID, line, PAGING } from '../../input/fields.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { DateTime, PagingSchema, timeText } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'

const ReferenceSchema = namedObject('Reference', {
  id: Type.String(),
  card_id: Type.Integer(),
  account_id: Type.Integer(),
  fingerprint: Type.String(),
  created_at: DateTime,
})

/** Photos that people have named, by which later photos of their cards are found. */
export function referenceRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/references', {
    auth: 'session',
    id: 'listReferences',
    tag: 'Identify',
    summary: 'List photos whose card was named',
    query: { card_id: Type.Optional(ID), ...PAGING },
    returns: 'The references.',
    reply: Type.Array(ReferenceSchema),
    meta: PagingSchema,
    async respond({ principal, query }) {
      const paging = computePaging(query)
      const { rows, total } = await listReferences(deps, principal, {
        card_id: query.card_id ?? null,
        paging,
      })
      return { data: rows.map(renderReference), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('DELETE /v1/references/:id', {
    auth: 'session',
    id: 'deleteReference',
    tag: 'Identify',
    summary: 'Remove a reference',
    params: { id: line({ description: 'ID of the identification.' }) },
    refusals: { 404: 'Not found.' },
    returns: 'The reference.',
    reply: ReferenceSchema,
    respond: async ({ principal, params: { id }, clientAddress: address }) => ({
      data: renderReference(await removeReference(deps, { ...principal, address }, id)),
    }),
  })
}

function renderReference({ id, card_id, account_id, fingerprint, created_at }: GivenReference) {
  return { id, card_id, account_id, fingerprint, created_at: timeText(created_at) }
}
