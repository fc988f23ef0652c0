import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { recordsVolume } from '#rules/accounts/visitors.ts'
import { MIGRATION_KINDS } from '#rules/catalog/catalog-records.ts'
import { parseTimestamp, TIMESTAMP_LENGTH_MAX, TIMESTAMP_PATTERN } from '#rules/primitives/days.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { PAGING, stringEnum } from '../../input/fields.ts'
import { CardMigrationSchema } from '../../schemas/catalog.ts'
import { PagingSchema } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'

const SINCE = Type.Optional(
  Type.String({
    format: 'date-time',
    pattern: TIMESTAMP_PATTERN,
    maxLength: TIMESTAMP_LENGTH_MAX,
    description: 'Only changes after a time, or after midnight UTC of a date.',
  }),
)

/** Changes of cards, for clients that have stored card ids. */
export function migrationRoutes({ endpoint }: Server, { catalog }: Deps): void {
  endpoint('GET /v1/migrations', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'listMigrations',
    tag: 'Cards',
    summary: 'List cards that were removed, restored, moved or merged, newest first',
    description:
      'Removed and merged cards keep their ID, page and history, without current prices.',
    query: {
      since: SINCE,
      kind: Type.Optional(
        stringEnum(
          MIGRATION_KINDS,
          '`removed`: no longer on the marketplace. `restored`: listed again. `moved`: in another set or game. `merged`: replaced by `new_card_id`.',
        ),
      ),
      ...PAGING,
    },
    returns: 'A page of changes.',
    reply: Type.Array(CardMigrationSchema),
    meta: PagingSchema,
    entryId: 'id',
    respond({ query }) {
      const paging = computePaging(query)
      const since = query.since === undefined ? undefined : parseTimestamp(query.since)
      const { rows, total } = catalog.ids.migrations.list({ kind: query.kind, since }, paging)
      return { data: rows, meta: pagingMeta(paging, total), volume: recordsVolume(rows) }
    },
  })
}
