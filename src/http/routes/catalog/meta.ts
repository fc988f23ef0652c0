import { describeSources } from '#actions/pricing/describe-sources.ts'
import { getLastSync } from '#actions/sync/get-last-sync.ts'
import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { SAMPLE_GAME_IDS } from '#rules/sync/mirror-address.ts'
import type { SyncRun } from '#store/catalog/sync-log.ts'
import { FreshnessSchema } from '../../schemas/catalog.ts'
import type { Server } from '../../server.ts'

/** Version and freshness of the data. */
export function metaRoutes({ endpoint }: Server, deps: Deps): void {
  const { catalog, now } = deps
  endpoint('GET /v1/meta', {
    auth: 'anyone',
    id: 'getFreshness',
    tag: 'Service',
    summary: 'Get the version and freshness of the data',
    returns: 'Version and freshness of the published data.',
    reply: FreshnessSchema,
    respond() {
      const games = catalog.games.listFreshness().map((game) => {
        const since = staleSince(game, now())
        const stale_since = since?.toISOString() ?? null
        const is_sample = SAMPLE_GAME_IDS.includes(game.id)
        const prices_since = game.prices_since === null ? null : formatDate(game.prices_since)
        return { ...game, prices_since, stale: since !== undefined, stale_since, is_sample }
      })
      const prices = describeSources(deps)
      const { version, published_at, changed_at } = catalog.publication.getCurrent()
      const run = getLastRun(deps)
      const source = getPriceSource(deps.config.upstreamUrl)
      // A failed run marks its games as stale, but before the first successful run there are no games.
      const isEmpty = games.length === 0 && run !== undefined && run.outcome !== 'complete'
      const stale = isEmpty || games.some((game) => game.stale)
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
          price_source: source,
          last_sync: run
            ? { started_at: run.started_at, finished_at: run.finished_at, outcome: run.outcome }
            : null,
          ...prices,
        },
        // Distinguishes responses of one version: data can become stale, a run can end, and the mirror can change
        // without a publication.
        variant: `${source.mirror ?? ''}-${run?.id ?? 0}${run?.outcome ?? ''}-${games.map((game) => Number(game.stale)).join('')}${(prices.sources ?? []).map(({ stale }) => Number(stale)).join('')}`,
      }
    },
  })
}

/** Mirrors have the layout and the prices of a single marketplace. */
function getPriceSource(upstreamUrl: string | undefined) {
  const host = upstreamUrl === undefined ? '' : new URL(upstreamUrl).host
  return { marketplace: 'TCGplayer', currency: 'USD', mirror: host === '' ? null : host }
}

/** Returns the last run, which may still be running. */
function getLastRun(deps: Deps): SyncRun | undefined {
  const run = deps.catalog.syncLog.getLast()
  const last = getLastSync(deps)
  return run?.finished_at === null && run.id !== last?.id ? run : last
}
