import { type Static, Type } from '@sinclair/typebox'
import { readCollection } from '#actions/matching/parse-collection.ts'
import { reportCollection, tellCollection } from '#actions/matching/render-collection.ts'
import { describeIds, describeNames } from '#actions/matching/render-matches.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { EXPORT_FORMATS } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { assertAtMost, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import { jsonText } from '../endpoint/envelope.ts'
import type { Doors } from '../endpoint/key-endpoints.ts'
import { csvBody } from '../input/csv-body.ts'
import { GAME, ID, line, oneOf } from '../input/fields.ts'
import { jsonObject } from '../input/json-body.ts'
import {
  CollectionMeta,
  CollectionRows,
  ResolvedIds,
  ResolvedIdsMeta,
  ResolvedNames,
  ResolvedNamesMeta,
} from '../schemas/bulk.ts'
import { noSuchGame } from './games.ts'

const NAME_MAX = 500

const ITEM = Type.Object({
  name: line({ maxLength: NAME_MAX, description: 'The name of a card, as it is written.' }),
  game: GAME,
  set: Type.Optional(line({ description: "A set's slug, its code or its name." })),
  number: Type.Optional(line({ description: 'The collector number; it narrows the match.' })),
  printing: Type.Optional(
    line({ description: 'A printing, such as `Foil`: only cards that have it, and its prices.' }),
  ),
})

const COST =
  'At most 100 items on Starter, 500 on Pro, 1,000 on Business; an item costs 1, 0.5 or 0.1 of a request.'

/** What a thousand items with long names need. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

/** From ids and names, as people have them, to cards. */
export function resolveRoutes(doors: Doors, deps: Deps): void {
  doors.post('/v1/bulk/resolve/marketplace', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve marketplace product ids to cards with their prices',
    description: `${COST} An id that is sent twice is answered once, and counts once.`,
    body: jsonObject({ ids: Type.Array(ID, { minItems: 1 }) }, BODY_BYTES_MAX),
    reply: ResolvedIds,
    meta: ResolvedIdsMeta,
    plan({ body, caller }) {
      assertAtMost(body.ids.length, resolveItemsMax(caller.tier), 'ids')
      const ids = [...new Set(body.ids)]
      const credits = resolveCredits(caller.tier, ids.length)
      return {
        credits,
        async answer() {
          const { resolved, not_found } = await describeIds(deps, ids)
          const meta = {
            total_requested: ids.length,
            total_resolved: ids.length - not_found.length,
            credits_consumed: credits,
          }
          const json = `{"resolved":[${resolved.join(',')}],"not_found":${JSON.stringify(not_found)}}`
          return { data: jsonText(json), meta }
        },
      }
    },
  })

  doors.post('/v1/bulk/resolve/name', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve names of cards to cards with their prices',
    description: `${COST} An item that is sent twice is answered once, and counts once. A name that is misspelt, or has something behind it that is nobody's, is found with \`medium\`; \`corrected_name\` then says what was looked for.`,
    body: jsonObject({ items: Type.Array(ITEM, { minItems: 1 }) }, BODY_BYTES_MAX),
    reply: ResolvedNames,
    meta: ResolvedNamesMeta,
    plan({ body, caller }) {
      assertAtMost(body.items.length, resolveItemsMax(caller.tier), 'items')
      const items = distinct(body.items)
      const credits = resolveCredits(caller.tier, items.length)
      return {
        credits,
        async answer() {
          const { results, unmatched } = await describeNames(deps, items)
          const meta = {
            total_requested: items.length,
            total_matched: results.length,
            credits_consumed: credits,
          }
          const json = `{"results":[${results.join(',')}],"unmatched":${JSON.stringify(unmatched)}}`
          return { data: jsonText(json), meta }
        },
      }
    },
  })

  doors.post('/v1/bulk/resolve/csv', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve the CSV export of a collection app, with prices and its total value',
    description: `Columns are recognised by their names. ${COST} A row is an item.`,
    query: {
      game: GAME,
      format: oneOf(EXPORT_FORMATS, { default: 'json', description: 'What is answered.' }),
    },
    body: {
      content: { 'text/csv': CSV, 'multipart/form-data': Type.Object({ file: CSV }) },
      read: csvBody,
    },
    reply: CollectionRows,
    meta: CollectionMeta,
    files: ['text/csv'],
    async plan({ body, query: { game, format }, caller }) {
      // A slip in the address costs one request, as everywhere, whatever the file has.
      if (game !== undefined && deps.catalog.games.bySlugOrId(game) === undefined) {
        return {
          credits: 1,
          answer: () => {
            throw noSuchGame(game)
          },
        }
      }
      const rowsMax = resolveItemsMax(caller.tier)
      const rows = await Array.fromAsync(readCollection(body, { rowsMax }))
      const credits = resolveCredits(caller.tier, rows.length)
      return {
        credits,
        async answer() {
          const resolved = resolveCollection(deps, rows, { game })
          if (format === 'json') {
            const { data, meta } = await reportCollection(resolved)
            return { data, meta: { ...meta, credits_consumed: credits } }
          }
          const pieces = await Array.fromAsync(tellCollection(resolved, 'csv'))
          return {
            fileName: 'collection.csv',
            contentType: 'text/csv; charset=utf-8',
            source: { pieces },
          }
        },
      }
    },
  })
}

const CSV = Type.String({ format: 'binary', description: 'At most 5 MB.' })

function distinct(items: readonly Static<typeof ITEM>[]): Static<typeof ITEM>[] {
  const known = new Map(
    items.map((item) => {
      const { name, game, set, number, printing } = item
      return [JSON.stringify([name, game, set, number, printing]), item]
    }),
  )
  return [...known.values()]
}
