import { type Static, Type } from '@sinclair/typebox'
import { parseCollection } from '#actions/matching/parse-collection.ts'
import { createCollectionReport, renderCollection } from '#actions/matching/render-collection.ts'
import { renderIdMatches, renderNameMatches } from '#actions/matching/render-matches.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { EXPORT_FORMATS } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { assertAtMost, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import { jsonText } from '../endpoint/envelope.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { readCsvBody } from '../input/csv-body.ts'
import { GAME_SLUG, ID, line, stringEnum } from '../input/fields.ts'
import { jsonObject } from '../input/json-body.ts'
import {
  CollectionMetaSchema,
  CollectionRowsSchema,
  ResolvedIdsMetaSchema,
  ResolvedIdsSchema,
  ResolvedNamesMetaSchema,
  ResolvedNamesSchema,
} from '../schemas/bulk.ts'
import { noSuchGame } from './games.ts'

const NAME_MAX = 500

const ITEM = Type.Object({
  name: line({ maxLength: NAME_MAX, description: 'The name of a card, as it is written.' }),
  game: GAME_SLUG,
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
export function resolveRoutes(keyEndpoints: KeyEndpoints, deps: Deps): void {
  keyEndpoints.post('/v1/bulk/resolve/marketplace', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve marketplace product ids to cards with their prices',
    description: `${COST} An id that is sent twice is answered once, and counts once.`,
    body: jsonObject({ ids: Type.Array(ID, { minItems: 1 }) }, BODY_BYTES_MAX),
    reply: ResolvedIdsSchema,
    meta: ResolvedIdsMetaSchema,
    plan({ body, caller }) {
      assertAtMost(body.ids.length, resolveItemsMax(caller.tier), 'ids')
      const ids = [...new Set(body.ids)]
      const credits = resolveCredits(caller.tier, ids.length)
      return {
        credits,
        async answer() {
          const { resolved, not_found } = await renderIdMatches(deps, ids)
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

  keyEndpoints.post('/v1/bulk/resolve/name', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve names of cards to cards with their prices',
    description: `${COST} An item that is sent twice is answered once, and counts once. A name that is misspelt, or has something behind it that is nobody's, is found with \`medium\`; \`corrected_name\` then says what was looked for.`,
    body: jsonObject({ items: Type.Array(ITEM, { minItems: 1 }) }, BODY_BYTES_MAX),
    reply: ResolvedNamesSchema,
    meta: ResolvedNamesMetaSchema,
    plan({ body, caller }) {
      assertAtMost(body.items.length, resolveItemsMax(caller.tier), 'items')
      const items = distinct(body.items)
      const credits = resolveCredits(caller.tier, items.length)
      return {
        credits,
        async answer() {
          const { results, unmatched } = await renderNameMatches(deps, items)
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

  keyEndpoints.post('/v1/bulk/resolve/csv', 'resolve', {
    tag: 'Bulk',
    summary: 'Resolve the CSV export of a collection app, with prices and its total value',
    description: `Columns are recognised by their names. ${COST} A row is an item.`,
    query: {
      game: GAME_SLUG,
      format: stringEnum(EXPORT_FORMATS, { default: 'json', description: 'What is answered.' }),
    },
    body: {
      content: { 'text/csv': CSV, 'multipart/form-data': Type.Object({ file: CSV }) },
      read: readCsvBody,
    },
    reply: CollectionRowsSchema,
    meta: CollectionMetaSchema,
    files: ['text/csv'],
    async plan({ body, query: { game, format }, caller }) {
      // A slip in the address costs one request, as everywhere, whatever the file has.
      if (game !== undefined && deps.catalog.games.getBySlugOrId(game) === undefined) {
        return {
          credits: 1,
          answer: () => {
            throw noSuchGame(game)
          },
        }
      }
      const rowsMax = resolveItemsMax(caller.tier)
      const rows = await Array.fromAsync(parseCollection(body, { rowsMax }))
      const credits = resolveCredits(caller.tier, rows.length)
      return {
        credits,
        async answer() {
          const resolved = resolveCollection(deps, rows, { game })
          if (format === 'json') {
            const { data, meta } = await createCollectionReport(resolved)
            return { data, meta: { ...meta, credits_consumed: credits } }
          }
          const pieces = await Array.fromAsync(renderCollection(resolved, 'csv'))
          return {
            fileName: 'collection.csv',
            contentType: 'text/csv; charset=utf-8',
            source: { chunks: pieces },
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
