import { Type } from '@sinclair/typebox'
import {
  type ListedReference,
  listReferences,
  removeReference,
  removeReferencesOf,
} from '#actions/photos/manage-references.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { ID, line, PAGING } from '../../input/fields.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { DateTime, PagingSchema, Text, timeText, Url } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'

const ReferenceSchema = namedObject('Reference', {
  id: Type.String(),
  card_id: Type.Integer(),
  name: Text,
  number: Text,
  set_name: Text,
  image_url: Url,
  account_id: Type.Integer(),
  email: Type.String(),
  is_accepted: Type.Boolean({
    description: 'Accepted; may still be ignored beside pictures that contradict it.',
  }),
  fingerprint: Type.String(),
  created_at: DateTime,
})

const RemovedSchema = namedObject('RemovedReferences', { removed: Type.Integer() })

const ACCOUNT_ID = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** Photos that people have named, by which later photos of their cards are found. */
export function referenceRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/references', {
    auth: 'session',
    id: 'listReferences',
    tag: 'Identify',
    summary: 'List photos whose card was named',
    query: { card_id: Type.Optional(ID), account_id: Type.Optional(ACCOUNT_ID), ...PAGING },
    returns: 'The references.',
    reply: Type.Array(ReferenceSchema),
    meta: PagingSchema,
    async respond({ principal, query }) {
      const paging = computePaging(query)
      const { card_id = null, account_id = null } = query
      const filter = { card_id, account_id, paging }
      const { rows, total } = await listReferences(deps, principal, filter)
      return { data: rows.map(renderReference), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('DELETE /v1/references', {
    auth: 'operator',
    id: 'deleteReferences',
    tag: 'Operator',
    summary: 'Remove all references of an account',
    query: { account_id: ACCOUNT_ID },
    returns: 'Their number.',
    reply: RemovedSchema,
    async respond({ principal, query: { account_id }, clientAddress: address }) {
      const remover = { account_id: principal.account_id, address }
      return { data: { removed: await removeReferencesOf(deps, remover, account_id) } }
    },
  })

  endpoint('DELETE /v1/references/:id', {
    auth: 'session',
    id: 'deleteReference',
    tag: 'Identify',
    summary: 'Remove a reference',
    params: { id: line({ description: 'ID of the identification.' }) },
    refusals: { 404: 'Not found.' },
    returns: 'The number 1.',
    reply: RemovedSchema,
    async respond({ principal, params: { id }, clientAddress: address }) {
      const { account_id, is_operator } = principal
      await removeReference(deps, { account_id, is_operator, address }, id)
      return { data: { removed: 1 } }
    },
  })
}

function renderReference({ created_at, is_operator, is_admitted, ...reference }: ListedReference) {
  return { ...reference, created_at: timeText(created_at) }
}
