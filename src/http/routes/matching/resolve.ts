import { type Static, Type } from '@sinclair/typebox'
import type { NameItem } from '#actions/matching/name-index.ts'
import {
  decodeList,
  isList,
  parseCollection,
  readList,
  readTableHeader,
} from '#actions/matching/parse-collection.ts'
import {
  createCollectionReport,
  type RenderOptions,
  renderCollection,
} from '#actions/matching/render-collection.ts'
import {
  type NameRequest,
  renderIdMatches,
  renderNameMatches,
} from '#actions/matching/render-matches.ts'
import { type MatchOptions, resolveCollection } from '#actions/matching/resolve-collection.ts'
import { resolveList } from '#actions/matching/resolve-list.ts'
import type { ResolvedRow } from '#actions/matching/resolved-row.ts'
import { EXPORT_FORMATS, type ExportFormat } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { assertAtMost, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import { listColumnUses } from '#rules/matching/column-uses.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Charge } from '../../endpoint/declaration.ts'
import { jsonText } from '../../endpoint/envelope.ts'
import { CSV_BODY_MAX_BYTES, LIST_BODY, readCsvBody } from '../../input/csv-body.ts'
import { GAME_SLUG, ID, line, optionalOrNull, PREFER, stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import {
  CollectionMetaSchema,
  CollectionRowsSchema,
  ResolvedIdsMetaSchema,
  ResolvedIdsSchema,
  ResolvedNamesMetaSchema,
  ResolvedNamesSchema,
} from '../../schemas/bulk.ts'
import type { Server } from '../../server.ts'
import { gameNotFound } from '../catalog/games.ts'

const NAME_MAX = 500

const REF_NUMBER = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

const ITEM = namedObject('NameItem', {
  name: line({
    maxLength: NAME_MAX,
    description:
      'Name of a card, or a line of a list: `4 Absol ROS 40`, `1 Sol Ring (CMR) 472 *F*`.',
  }),
  game: optionalOrNull(line({ description: 'Slug of a game.' })),
  set: optionalOrNull(line({ description: 'Slug, code or name of a set.' })),
  number: optionalOrNull(line({ description: 'Collector number. It narrows the match.' })),
  printing: optionalOrNull(
    line({
      description:
        'Printing such as `Foil`. Restricts the match to cards with it, and the prices to it.',
    }),
  ),
  ref: optionalOrNull(
    Type.Union([line({ description: 'Text.' }), REF_NUMBER], {
      description: 'Your own reference, returned in `query`. Each one gets its own result.',
    }),
  ),
})

const COST =
  'At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota.'

/** Enough for a thousand items with long names. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

/** Matches external IDs, names and collection files to cards. */
export function resolveRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/bulk/resolve/marketplace', {
    auth: 'key',
    needs: 'resolve',
    cost: 'counted',
    id: 'resolveMarketplaceIds',
    tag: 'Bulk',
    summary: 'Match marketplace product IDs to cards with their prices',
    description: `${COST} A repeated ID is returned and counted once.`,
    hasPrices: true,
    includes: ['confidence'],
    body: jsonObject({ ids: Type.Array(ID, { minItems: 1 }) }, BODY_BYTES_MAX),
    returns: 'The matched cards, and the IDs that match no card.',
    reply: ResolvedIdsSchema,
    meta: ResolvedIdsMetaSchema,
    async respond({ body, principal, view, charge }) {
      assertAtMost(body.ids.length, resolveItemsMax(principal.tier), 'ids')
      const ids = [...new Set(body.ids)]
      const credits = resolveCredits(principal.tier, ids.length)
      await charge(credits)
      const { resolved, not_found } = await renderIdMatches({ catalog: view }, ids)
      const meta = {
        total_requested: ids.length,
        total_resolved: ids.length - not_found.length,
        credits_consumed: credits,
      }
      const json = `{"resolved":[${resolved.join(',')}],"not_found":${JSON.stringify(not_found)}}`
      return { data: jsonText(json), meta }
    },
  })

  endpoint('POST /v1/bulk/resolve/name', {
    auth: 'key',
    needs: 'resolve',
    cost: 'counted',
    id: 'resolveNames',
    tag: 'Bulk',
    summary: 'Match card names to cards with their prices',
    description: `${COST} A repeated item is counted once, and returned once for each different \`ref\`. A name may be a line of a list; a card whose name is the whole line wins.`,
    hasPrices: true,
    includes: ['confidence'],
    query: { prefer: PREFER },
    body: jsonObject({ items: Type.Array(ITEM, { minItems: 1 }) }, BODY_BYTES_MAX),
    returns: 'The matches, and the names without one.',
    reply: ResolvedNamesSchema,
    meta: ResolvedNamesMetaSchema,
    async respond({ body, query: { prefer }, principal, view, charge }) {
      assertAtMost(body.items.length, resolveItemsMax(principal.tier), 'items')
      const requests = groupItems(body.items)
      const credits = resolveCredits(principal.tier, requests.length)
      await charge(credits)
      const { results, unmatched, matched } = await renderNameMatches(
        { catalog: view },
        requests,
        prefer,
      )
      const meta = {
        total_requested: requests.length,
        total_matched: matched,
        credits_consumed: credits,
      }
      const json = `{"results":[${results.join(',')}],"unmatched":${JSON.stringify(unmatched)}}`
      return { data: jsonText(json), meta }
    },
  })

  endpoint('POST /v1/bulk/resolve/csv', {
    auth: 'key',
    needs: 'resolve',
    cost: 'counted',
    id: 'resolveCsv',
    tag: 'Bulk',
    summary: 'Match the CSV export of an app to cards, with prices and the total',
    description: `${COST} Each row is an item, and each printing of which a row has copies. A list without columns is read as such.`,
    hasPrices: true,
    includes: ['confidence'],
    query: {
      game: GAME_SLUG,
      prefer: PREFER,
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
    async respond({ body, query, principal, view, charge }) {
      const { game, prefer, format } = query
      await checkGame(game, charge)
      if (isList(body)) {
        return respondWithList(decodeList(body), query, { principal, view, charge })
      }
      const rowsMax = resolveItemsMax(principal.tier)
      const columns = listColumnUses(await readTableHeader(body))
      const rows = await Array.fromAsync(parseCollection(body, { rowsMax }))
      const credits = resolveCredits(principal.tier, rows.length)
      await charge(credits)
      const resolved = resolveCollection({ catalog: view }, rows, { game, prefer })
      return respondWithRows(resolved, { format, credits, view: view.view, columns })
    },
  })

  endpoint('POST /v1/bulk/resolve/list', {
    auth: 'key',
    needs: 'resolve',
    cost: 'counted',
    id: 'resolveList',
    tag: 'Bulk',
    summary: 'Match a pasted list to cards, with prices and the total',
    description: `Send the text that an app exports, or one card a line. ${COST} Each line with a card is an item.`,
    hasPrices: true,
    includes: ['confidence'],
    query: {
      game: GAME_SLUG,
      prefer: PREFER,
      format: stringEnum(EXPORT_FORMATS, 'Format of the response.', 'json'),
    },
    body: LIST_BODY,
    returns: 'The lines with their matches, and the total value.',
    reply: CollectionRowsSchema,
    meta: CollectionMetaSchema,
    files: ['text/csv'],
    async respond({ body, query, principal, view, includes, charge }) {
      assertIncludable(query.format, includes)
      const game = body.game ?? query.game
      await checkGame(game, charge)
      return respondWithList(body.list, { ...query, game }, { principal, view, charge })
    },
  })

  /** Refuses an unknown game before the list is read. As on every endpoint, this is charged as one request. */
  async function checkGame(game: string | undefined, charge: Charge): Promise<void> {
    if (game === undefined || deps.catalog.games.getBySlugOrId(game) !== undefined) return
    await charge(1)
    throw gameNotFound(game)
  }
}

/** @throws ServiceError VALIDATION_ERROR for additional members with a CSV file, which has no columns for them */
function assertIncludable(format: ExportFormat, includes: readonly unknown[]): void {
  if (format === 'json' || includes.length === 0) return
  const message = '"include" only works with JSON. Omit it, or send "format=json".'
  throw new ServiceError('VALIDATION_ERROR', message)
}

type ListContext = { principal: { tier: Tier }; view: Deps['catalog']; charge: Charge }

async function respondWithList(
  list: string,
  { game, prefer, format }: MatchOptions & { format: ExportFormat },
  { principal: { tier }, view, charge }: ListContext,
) {
  const entries = await readList(list, { rowsMax: resolveItemsMax(tier) })
  const credits = resolveCredits(tier, entries.length)
  await charge(credits)
  const resolved = resolveList({ catalog: view }, entries, { game, prefer })
  return respondWithRows(resolved, { format, credits, isList: true, view: view.view })
}

async function respondWithRows(
  rows: AsyncIterable<ResolvedRow>,
  { format, credits, ...options }: RenderOptions & { format: ExportFormat; credits: number },
) {
  const { isList } = options
  if (format === 'json') {
    const { data, meta } = await createCollectionReport(rows, options)
    return { data, meta: { ...meta, credits_consumed: credits } }
  }
  const chunks = await Array.fromAsync(renderCollection(rows, 'csv', options))
  const contentType = 'text/csv; charset=utf-8'
  return { fileName: isList ? 'list.csv' : 'collection.csv', contentType, source: { chunks } }
}

const CSV = Type.String({ format: 'binary', description: 'At most 5 MB.' })

/** Groups equal items, which are resolved and charged once. Each group has a query for each of its refs. */
function groupItems(items: readonly Static<typeof ITEM>[]): NameRequest[] {
  const groups = new Map<string, { item: NameItem; byRef: Map<unknown, object> }>()
  for (const query of items) {
    const { name, game, set, number, printing, ref = null } = query
    const item = {
      name,
      game: game ?? undefined,
      set: set ?? undefined,
      number: number ?? undefined,
      printing: printing ?? undefined,
    }
    // No member contains a line break, or is empty.
    const key = Object.values(item).join('\n')
    const group = groups.get(key) ?? { item, byRef: new Map() }
    if (!group.byRef.has(ref)) group.byRef.set(ref, query)
    groups.set(key, group)
  }
  return Array.from(groups.values(), ({ item, byRef }) => ({ item, queries: [...byRef.values()] }))
}
