import { type Static, Type } from '@sinclair/typebox'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { CardSetSchema, FreshnessSchema } from '../schemas/catalog.ts'
import { PagingSchema } from '../schemas/members.ts'
import { defineTool, type Tool } from './tool.ts'
import type { ListReply } from './tool-schemas.ts'
import { joined, pageNote } from './tool-text.ts'

/** The argument of all tools that can be restricted to a game. */
export const GAME_ARGUMENT = {
  description: 'Slug of a game, such as `pokemon`. get_freshness lists all games.',
}

const FoundSet = Type.Object({
  set_id: Type.Integer(),
  ...Type.Pick(CardSetSchema, [
    ...['name', 'abbreviation', 'release_date', 'card_count', 'game_name', 'game_slug'],
  ] as const).properties,
})

const sets = defineTool({
  name: 'list_sets',
  title: 'List sets',
  description:
    'Finds sets (expansions) by name or code, or lists those of all games or of one game, newest first. Returns their set_id, code and number of cards.',
  endpoint: 'GET /v1/sets',
  arguments: {
    q: {},
    code: {},
    game: GAME_ARGUMENT,
    page: {},
    per_page: { description: `Sets per page, at most ${PER_PAGE_MAX}.`, default: 20 },
  },
  output: Type.Object({ sets: Type.Array(FoundSet), ...PagingSchema.properties }),
  select: ({ data, meta }: ListReply<typeof CardSetSchema>) => ({
    sets: data.map((set) => ({ ...set, set_id: set.id })),
    ...meta,
  }),
  describe: (found) => [
    pageNote(found, found.sets.length),
    ...found.sets.map(
      ({ name, abbreviation, game_slug, release_date, card_count, set_id }) =>
        `- ${joined(name, abbreviation, game_slug, release_date, `${card_count} cards`)}, set_id ${set_id}`,
    ),
  ],
})

const freshness = defineTool({
  name: 'get_freshness',
  title: 'Get freshness of the data',
  description:
    'Lists the games of the catalog with their slugs, and tells when their prices were published and whether a game is stale. Costs no request of the quota.',
  endpoint: 'GET /v1/meta',
  arguments: {},
  output: Type.Object({
    ...Type.Pick(FreshnessSchema, ['version', 'published_at', 'stale', 'counts']).properties,
    games: Type.Array(
      Type.Pick(FreshnessSchema.properties.games.items, [
        ...['slug', 'card_count', 'published_at', 'stale', 'stale_since'],
      ] as const),
    ),
  }),
  select: ({ data }: { data: Static<typeof FreshnessSchema>; meta: unknown }) => data,
  describe: ({ version, published_at, stale, counts, games }) => [
    `Catalog version ${version} with ${counts.games} games, ${counts.sets} sets and ${counts.cards} cards. Newest prices: ${published_at ?? 'none yet'}. ${stale ? 'Some data is stale.' : 'All data is fresh.'}`,
    ...games.map(
      (game) =>
        `- ${game.slug}: ${game.card_count} cards, prices of ${game.published_at ?? 'no time'}, ${game.stale ? `stale since ${game.stale_since}` : 'fresh'}`,
    ),
  ],
})

/** Tools for sets and the state of the catalog. */
export const SET_TOOLS: readonly Tool[] = [sets, freshness]
