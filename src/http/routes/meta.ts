import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { FreshnessSchema } from '../schemas/catalog.ts'

/** How fresh the data is. */
export function metaRoutes(keyEndpoints: KeyEndpoints, { catalog, now }: Deps): void {
  keyEndpoints.getPublic('/v1/meta', {
    tag: 'Service',
    summary: 'What is published, and how fresh it is',
    reply: FreshnessSchema,
    answer() {
      const games = catalog.games.listFreshness().map((game) => {
        const since = staleSince(game, now())
        return { ...game, stale: since !== undefined, stale_since: since?.toISOString() ?? null }
      })
      const { version, published_at, changed_at } = catalog.publication.getCurrent()
      const run = catalog.syncLog.getLast()
      // A run that failed marked its games; before the first one there are none to mark.
      const neverCame = games.length === 0 && run !== undefined && run.outcome !== 'complete'
      const stale = neverCame || games.some((game) => game.stale)
      return {
        data: {
          version,
          published_at,
          changed_at,
          stale,
          counts: {
            games: games.length,
            sets: catalog.sets.count(),
            cards: games.reduce((sum, game) => sum + game.card_count, 0),
          },
          games,
          last_sync: run
            ? { started_at: run.started_at, finished_at: run.finished_at, outcome: run.outcome }
            : null,
        },
        // Staleness comes with time alone, and a run may end without publishing anything.
        variant: `${run?.id ?? 0}${run?.outcome ?? ''}-${games.map((game) => Number(game.stale)).join('')}`,
      }
    },
  })
}
