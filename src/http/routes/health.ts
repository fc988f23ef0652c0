import type { Deps } from '#deps.ts'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import type { Pipeline, RespondToPage } from '../endpoint/pipeline.ts'
import { registerGauges } from '../metrics/gauges.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'

export type HealthRoutes = {
  /** Makes /readyz answer 503, so that the load balancer sends no more requests. */
  drain(): void
}

/** Liveness, readiness and metrics. */
export function healthRoutes(
  pipeline: Pipeline,
  deps: Deps,
  { metrics, headers: templates }: { metrics: MetricsRegistry; headers: ResponseHeaders },
): HealthRoutes {
  const { catalog, ledger, reader } = deps
  let isDraining = false
  registerGauges(metrics, deps)

  async function findFaults(): Promise<string[]> {
    const checks: [string, () => unknown][] = [
      ['catalog', () => catalog.probe()],
      ['ledger', () => ledger.probe()],
    ]
    const faults: string[] = isDraining ? ['draining'] : []
    if (!reader.state().ready) faults.push('reader')
    for (const [name, check] of checks) {
      try {
        await check()
      } catch {
        faults.push(name)
      }
    }
    return faults
  }

  function json(status: number, body: object): Response {
    return new Response(JSON.stringify(body), { status, headers: templates.plain('noStore') })
  }

  // Not counted: the 503 of a draining server is not a failure.
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: null })

  mount('/healthz', () => json(200, { status: 'ok' }))
  mount('/readyz', async () => {
    const faults = await findFaults()
    return faults.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'not ready', faults })
  })
  mount('/metrics', async () => {
    const headers = templates.plain('noStore')
    headers.set('content-type', METRICS_TYPE)
    return new Response(await metrics.render(), { headers })
  })

  return {
    drain() {
      isDraining = true
    },
  }
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
