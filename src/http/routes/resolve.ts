import { type Static, Type } from '@sinclair/typebox'
import { parseCollection } from '#actions/matching/parse-collection.ts'
import { createCollectionReport, renderCollection } from '#actions/matching/render-collection.ts'
import { renderIdMatches, renderNameMatches } from '#actions/matching/render-matches.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { EXPORT_FORMATS } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { assertAtMost, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import type { Endpoints } from '../endpoint/endpoints.ts'
import { jsonText } from '../endpoint/envelope.ts'
import { CSV_BODY_MAX_BYTES, readCsvBody } from '../input/csv-body.ts'
import { GAME_SLUG, ID, line, stringEnum } from '../input/fields.ts'
import { jsonObject } from '../input/json-body.ts'
import { namedObject } from '../openapi/schemas.ts'
import {
  CollectionMetaSchema,
  CollectionRowsSchema,
  ResolvedIdsMetaSchema,
  ResolvedIdsSchema,
  ResolvedNamesMetaSchema,
  ResolvedNamesSchema,
} from '../schemas/bulk.ts'
import { gameNotFound } from './games.ts'

const NAME_MAX = 500

const ITEM = namedObject('NameItem', {
  name: line({ maxLength: NAME_MAX, description: 'Name of a card.' }),
  game: GAME_SLUG,
  set: Type.Optional(line({ description: 'Slug, code or name of a set.' })),
  number: Type.Optional(line({ description: 'Collector number. It narrows the match.' })),
  printing: Type.Optional(
    line({
      description:
        'Printing such as `Foil`. Restricts the match to cards with it, and the prices to it.',
    }),
  ),
})

const COST =
  'At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota.'

/** Enough for a thousand items with long names. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

/** Matches external IDs, names and collection files to cards. */
export function resolveRoutes(endpoints: Endpoints, deps: Deps): void {
  endpoints.post('/v1/bulk/resolve/marketplace', 'resolve', {
    id: 'resolveMarketplaceIds',
    tag: 'Bulk',
    summary: 'Match marketplace product IDs to cards with their prices',
    description: `${COST} A repeated ID is returned and counted once.`,
    body: jsonObject({ ids: Type.Array(ID, { minItems: 1 }) }, BODY_BYTES_MAX),
    returns: 'The cards, and the IDs of no card.',
    reply: ResolvedIdsSchema,
    meta: ResolvedIdsMetaSchema,
    plan({ body, principal }) {
      assertAtMost(body.ids.length, resolveItemsMax(principal.tier), 'ids')
      const ids = [...new Set(body.ids)]
      const credits = resolveCredits(principal.tier, ids.length)
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

  endpoints.post('/v1/bulk/resolve/name', 'resolve', {
    id: 'resolveNames',
    tag: 'Bulk',
    summary: 'Match card names to cards with their prices',
    description: `${COST} A repeated item is returned and counted once. A misspelled name, or one with an unknown suffix, matches with confidence \`medium\`; \`corrected_name\` is the name that was searched instead.`,
    body: jsonObject({ items: Type.Array(ITEM, { minItems: 1 }) }, BODY_BYTES_MAX),
    returns: 'The matches, and the names without one.',
    reply: ResolvedNamesSchema,
    meta: ResolvedNamesMetaSchema,
    plan({ body, principal }) {
      assertAtMost(body.items.length, resolveItemsMax(principal.tier), 'items')
      const items = distinct(body.items)
      const credits = resolveCredits(principal.tier, items.length)
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

  endpoints.post('/v1/bulk/resolve/csv', 'resolve', {
    id: 'resolveCsv',
    tag: 'Bulk',
    summary: 'Match the CSV export of a collection app to cards, with prices and its total value',
    description: `Columns are recognized by name. ${COST} Each row is an item.`,
    query: {
      game: GAME_SLUG,
      format: stringEnum(EXPORT_FORMATS, 'Format of the response.', 'json'),
    },
    body: {
      content: { 'text/csv': CSV, 'multipart/form-data': Type.Object({ file: CSV }) },
      bytesMax: CSV_BODY_MAX_BYTES,
      read: readCsvBody,
    },
    returns: 'The rows with their matches, and the total value.',
    reply: CollectionRowsSchema,
    meta: CollectionMetaSchema,
    files: ['text/csv'],
    async plan({ body, query: { game, format }, principal }) {
      // An unknown game costs one request, as on every endpoint, however long the file is.
      if (game !== undefined && deps.catalog.games.getBySlugOrId(game) === undefined) {
        return {
          credits: 1,
          answer: () => {
            throw gameNotFound(game)
          },
        }
      }
      const rowsMax = resolveItemsMax(principal.tier)
      const rows = await Array.fromAsync(parseCollection(body, { rowsMax }))
      const credits = resolveCredits(principal.tier, rows.length)
      return {
        credits,
        async answer() {
          const resolved = resolveCollection(deps, rows, { game })
          if (format === 'json') {
            const { data, meta } = await createCollectionReport(resolved)
            return { data, meta: { ...meta, credits_consumed: credits } }
          }
          const chunks = await Array.fromAsync(renderCollection(resolved, 'csv'))
          const contentType = 'text/csv; charset=utf-8'
          return { fileName: 'collection.csv', contentType, source: { chunks } }
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
