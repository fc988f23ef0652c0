import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { PORT_OWNER_PATH } from '#rules/operations/port-problem.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { folderFingerprint } from '#store/files/data-folder.ts'
import type { StorageHealth } from '#store/memory/storage-health.ts'
import type { RespondToPage } from '../../endpoint/pipeline.ts'
import { registerGauges, registerStorageMetrics } from '../../metrics/gauges.ts'
import type { Server } from '../../server.ts'

/** Liveness, readiness and metrics. */
export function healthRoutes(
  { pipeline, metrics, headers: templates, storage, drain }: Server,
  deps: Deps,
): void {
  const { catalog, config, ledger, reader } = deps
  const canWrite = createWriteProbe(ledger.probeWrite, storage)
  registerGauges(metrics, deps)
  registerStorageMetrics(metrics, storage)

  async function findFaults(): Promise<string[]> {
    const checks: [fault: string, isWell: boolean | Promise<boolean>][] = [
      ['draining', !drain.isDraining()],
      ['reader', reader.state().ready],
      ['catalog', succeeds(catalog.probe)],
      ['ledger', succeeds(ledger.probe)],
      ['disk', canWrite()],
      ['damage', !storage.isDamaged()],
    ]
    const results = await Promise.all(checks.map(([, isWell]) => isWell))
    return checks.flatMap(([fault], index) => (results[index] === true ? [] : [fault]))
  }

  function json(status: number, body: object): Response {
    return new Response(JSON.stringify(body), { status, headers: templates.plain('noStore') })
  }

  // Not counted, because the 503 of a draining server is not a failure.
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: null })

  mount('/healthz', () => json(200, { status: 'ok' }))
  mount('/readyz', async () => {
    const faults = await findFaults()
    return faults.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'not ready', faults })
  })
  const salt = randomUUID()
  const folder = folderFingerprint(config.dataDir, salt)
  mount(PORT_OWNER_PATH, () => json(200, { salt, folder, is_shared: config.sharePort }))

  async function sendMetrics(request: Request): Promise<Response> {
    assertMayReadMetrics(request, config.metricsToken)
    const headers = templates.plain('noStore')
    headers.set('content-type', METRICS_TYPE)
    return new Response(await metrics.render(), { headers })
  }
  pipeline.mountPage('/metrics', sendMetrics, { label: null, isCompressible: true })
}

/** @throws ServiceError METRICS_TOKEN_INVALID */
function assertMayReadMetrics({ headers }: Request, token: string | undefined): void {
  if (token === undefined) return
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  // Hashes have the same length, so that the comparison takes the same time for every token.
  if (timingSafeEqual(hashSecret(given), hashSecret(token))) return
  throw new ServiceError(
    'METRICS_TOKEN_INVALID',
    'The metrics require the token of the server. Send METRICS_TOKEN as "Authorization: Bearer".',
  )
}

async function succeeds(check: () => unknown): Promise<boolean> {
  try {
    await check()
    return true
  } catch {
    return false
  }
}

/**
 * Returns a function that returns true if data can be written. It writes at most every few seconds for all callers
 * together, because anybody can call the endpoint.
 */
function createWriteProbe(write: () => Promise<void>, storage: StorageHealth) {
  let attempt: Promise<boolean> | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - attemptedAt >= PROBE_EVERY_MS) {
      attemptedAt = performance.now()
      attempt = succeeds(write)
    }
    // A small write may still succeed while the writes of requests fail.
    return (await attempt) === true && !storage.hasFailedWrite()
  }
}

const PROBE_EVERY_MS = 3_000

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
