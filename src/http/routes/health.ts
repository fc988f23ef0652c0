import type { Elysia } from 'elysia'
import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/freshness.ts'
import type { HeaderMaker } from '../headers.ts'
import type { RequestMeter } from '../meter.ts'

/** Whether the process lives, whether it should get requests, and what it counts. */
export function healthRoutes(
  app: Elysia,
  { catalog, ledger, reader, now }: Deps,
  { meter, headers }: { meter: RequestMeter; headers: HeaderMaker },
) {
  let draining = false
  meter.gauge('cardstock_catalog_version', 'The published version of the catalog.', () => {
    return catalog.publication.current().version
  })
  meter.gauge('cardstock_stale_games', 'Games that have missed their refresh.', () => {
    return catalog.games.freshness().filter((game) => staleSince(game, now()) !== undefined).length
  })
  meter.gauge(
    'cardstock_last_sync_complete',
    '1 when the last sync got everything, else 0.',
    () => {
      return catalog.syncLog.last()?.outcome === 'complete' ? 1 : 0
    },
  )

  for (const [name, help] of Object.entries(READER_GAUGES) as [
    keyof typeof READER_GAUGES,
    string,
  ][]) {
    meter.gauge(`cardstock_reader_${name}`, help, () => reader.state()[name])
  }

  async function faults(): Promise<string[]> {
    const checks: [string, () => unknown][] = [
      ['catalog', () => catalog.probe()],
      ['ledger', () => ledger.probe()],
    ]
    const found: string[] = draining ? ['draining'] : []
    if (!reader.state().ready) found.push('reader')
    for (const [name, check] of checks) {
      try {
        await check()
      } catch {
        found.push(name)
      }
    }
    return found
  }

  function answer(status: number, body: object): Response {
    return new Response(JSON.stringify(body), { status, headers: headers.plain('unkept') })
  }

  app.get('/healthz', () => answer(200, { status: 'ok' }), HIDDEN)
  app.get(
    '/readyz',
    async () => {
      const found = await faults()
      return found.length === 0
        ? answer(200, { status: 'ready' })
        : answer(503, { status: 'not ready', faults: found })
    },
    HIDDEN,
  )
  app.get(
    '/metrics',
    async () => {
      const own = headers.plain('unkept')
      own.set('content-type', METRICS_TYPE)
      return new Response(await meter.text(), { headers: own })
    },
    HIDDEN,
  )

  return {
    drain(): void {
      draining = true
    },
  }
}

const READER_GAUGES = {
  waiting: 'Photos that wait for a thread.',
  reading: 'Photos that are being read.',
  replaced: 'Threads that died or hung, and were replaced.',
  pictures: 'Pictures of cards that photos are compared with.',
}

const HIDDEN = { detail: { hide: true } }
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
