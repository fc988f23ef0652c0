import type { Elysia } from 'elysia'
import type { Deps } from '#deps.ts'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { registerGauges } from '../metrics/gauges.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'

/** Whether the process lives, whether it should get requests, and what it counts. */
export function healthRoutes(
  app: Elysia,
  deps: Deps,
  { meter, headers }: { meter: MetricsRegistry; headers: ResponseHeaders },
) {
  const { catalog, ledger, reader } = deps
  let draining = false
  registerGauges(meter, deps)

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
      return new Response(await meter.render(), { headers: own })
    },
    HIDDEN,
  )

  return {
    drain(): void {
      draining = true
    },
  }
}

const HIDDEN = { detail: { hide: true } }
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
