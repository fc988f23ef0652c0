/**
 * A soak: the service runs for a while with mixed requests, syncs, backups, photos and price alerts at once. Its
 * oracles are independent: a mirror that knows its prices, receivers that count alerts, and the process figures in
 * /proc.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceAccounts } from '../../support/accounts/service-accounts.ts'
import { startReceiver } from '../../support/alerts/receivers.ts'
import type { LoadWindow } from '../../support/chaos/load-task.ts'
import { sendLoad } from '../../support/chaos/send-load.ts'
import { finishSetup } from '../../support/finish-setup.ts'
import { samplePhotoPath } from '../../support/photos/photo-fixtures.ts'
import { runProcess } from '../../support/process.ts'
import { prepareSample, type ServerProcess, startService } from '../../support/server-process.ts'
import { type SoakMirror, startSoakMirror } from './soak-mirror.ts'
import { soakRequests } from './soak-requests.ts'

const PASSWORD = 'the password of every member'
/** Enough for two hours at 80 requests per second, with 50,000 requests a day each. */
const CUSTOMERS = 24
const WATCH_ACCOUNTS = 4
const PHOTOS = ['clean', 'tilted', 'slab', 'no-card', 'two-cards', 'dim']
/** Maximum time from the start of a sync until responses contain its data. */
const PUBLISHED_MS_MAX = 120_000
/** Maximum time from a publication to the last of its alerts. */
const ALERTED_MS_MAX = 30_000
const BACKUPS_KEPT = 2

/** Size of a soak. */
export type SoakOptions = {
  seconds: number
  /** Requests per second. */
  rate: number
  windowSeconds: number
  syncEverySeconds: number
  backupEverySeconds: number
  photoEverySeconds: number
  sets: number
  cardsPerSet: number
  watched: number
  /** Accepted statuses of photos. */
  photoStatuses: readonly string[]
  /** Receives each window when it ends. */
  onWindow?: (window: SoakWindow) => void
}

/** Figures of one window. Sizes are megabytes. */
export type SoakWindow = LoadWindow & { at: number; rss_mb: number; descriptors: number }

export type SoakReport = {
  windows: SoakWindow[]
  syncs: number
  backups: number
  photos: Record<string, number>
  alerts: { expected: number; delivered: number; repeated: number; unknown: number }
  violations: string[]
}

/** Runs a soak on a new data folder. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-soak-'))
  const mirror = startSoakMirror(options)
  const receiver = startAlertCounter()
  try {
    const dataDir = join(root, 'data')
    await prepareSample(dataDir)
    await finishSetup(dataDir)
    const env = { UPSTREAM_URL: mirror.url, INDEX_PICTURES: 'on', TRUST_PROXY: '1' }
    const settings = { ...env, WEBHOOK_NETWORK: 'loopback-ok', BACKUP_DIR: join(root, 'hourly') }
    const first = await runScript('sync.ts', [], { ...settings, DATA_DIR: dataDir })
    if (first.code !== 0) throw new Error(`the first sync failed: ${first.output}`)
    const service = await startService(dataDir, settings)
    try {
      return await soak(options, { root, dataDir, settings, mirror, receiver, service })
    } finally {
      await service.kill()
    }
  } finally {
    mirror.close()
    receiver.close()
    rmSync(root, { recursive: true, force: true })
  }
}

type SoakWorld = {
  root: string
  dataDir: string
  settings: Record<string, string>
  mirror: SoakMirror
  receiver: ReturnType<typeof startAlertCounter>
  service: ServerProcess
}

async function soak(options: SoakOptions, world: SoakWorld): Promise<SoakReport> {
  const { dataDir, mirror, service } = world
  const accounts = await createServiceAccounts(dataDir, [
    { tier: 'business', scans: 100_000, isOperator: true },
    ...Array.from({ length: WATCH_ACCOUNTS }, () => ({ tier: 'business' as const })),
    ...Array.from(
      { length: WATCH_ACCOUNTS },
      () => ({ tier: 'free', password: PASSWORD }) as const,
    ),
    ...Array.from({ length: CUSTOMERS }, () => ({ tier: 'business' as const })),
  ])
  const [operator, ...others] = accounts
  if (operator === undefined) throw new Error('the soak has no operator')
  const owners = others.slice(0, WATCH_ACCOUNTS)
  const members = others.slice(WATCH_ACCOUNTS, 2 * WATCH_ACCOUNTS)
  const customers = others.slice(2 * WATCH_ACCOUNTS)
  await createWatches(
    world,
    owners.map(({ cookie }) => cookie),
  )

  const report: SoakReport = {
    windows: [],
    syncs: 0,
    backups: 0,
    photos: {},
    violations: [],
    alerts: { expected: 0, delivered: 0, repeated: 0, unknown: 0 },
  }
  const ending = new AbortController()
  const jobs = [
    repeat(options.syncEverySeconds, ending.signal, () => sync(world, operator.cookie, report)),
    repeat(options.backupEverySeconds, ending.signal, () => backUp(world, report)),
    repeat(options.photoEverySeconds, ending.signal, () =>
      identify(options, world, operator.key, report),
    ),
  ]
  const requests = soakRequests({ customers, members, password: PASSWORD }, mirror)
  const { rate, seconds, windowSeconds } = options
  await sendLoad({ url: service.url, rate, seconds, windowSeconds, requests }, (window) => {
    const rss_mb = Math.round(service.memory() / 1e6)
    const at = (report.windows.length + 1) * windowSeconds
    const full = { at, ...window, rss_mb, descriptors: service.descriptors() }
    report.windows.push(full)
    options.onWindow?.(full)
  })
  ending.abort()
  await Promise.all(jobs)
  await countAlerts(world, report)
  report.violations.push(...windowViolations(report.windows), ...logViolations(service))
  const code = await service.stop()
  if (code !== 0) report.violations.push(`the service ended with ${code}`)
  return report
}

async function createWatches(world: SoakWorld, cookies: readonly string[]): Promise<void> {
  const { mirror, receiver, service } = world
  for (const [index, card_id] of mirror.watched.entries()) {
    const url = `${receiver.url}/${card_id}`
    const response = await fetch(`${service.url}/v1/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: cookies[index % cookies.length] ?? '',
      },
      body: JSON.stringify({ url, card_id, condition: 'below', threshold: mirror.threshold }),
    })
    if (response.status !== 201) throw new Error(`no webhook: ${await response.text()}`)
  }
}

/** Repeats a job until the soak ends. A failed job counts as a violation. */
async function repeat(seconds: number, signal: AbortSignal, job: () => Promise<void>) {
  while (!signal.aborted) {
    const next = performance.now() + seconds * 1000
    await job()
    while (!signal.aborted && performance.now() < next) await Bun.sleep(50)
  }
}

/** Publishes new prices, which the server and the command sync in turn. */
async function sync(world: SoakWorld, cookie: string, report: SoakReport): Promise<void> {
  const { mirror, service, settings, dataDir } = world
  const published = mirror.publish()
  const until = performance.now() + PUBLISHED_MS_MAX
  const isByCommand = report.syncs++ % 2 === 1
  let answer = ''
  while (performance.now() < until) {
    if (isByCommand) {
      answer = (await runScript('sync.ts', [], { ...settings, DATA_DIR: dataDir })).output
    } else {
      const headers = { 'content-type': 'application/json', cookie }
      const started = await fetch(`${service.url}/v1/operator/sync`, {
        method: 'POST',
        headers,
        body: '{}',
      }).catch(String)
      answer = typeof started === 'string' ? started : await started.text()
    }
    const next = performance.now() + 5_000
    while (performance.now() < next) {
      if (await isPublished(service, published)) return
      await Bun.sleep(200)
    }
  }
  report.violations.push(`the prices of ${published} were not published: ${answer.slice(0, 500)}`)
}

async function isPublished({ url }: ServerProcess, published: string): Promise<boolean> {
  try {
    const { data } = await (await fetch(`${url}/v1/meta`)).json()
    return data.published_at === published && data.last_sync?.outcome === 'complete'
  } catch {
    return false
  }
}

async function backUp({ root, settings, dataDir }: SoakWorld, report: SoakReport): Promise<void> {
  const folder = join(root, 'backups')
  mkdirSync(folder, { recursive: true })
  const { code, output } = await runScript('backup.ts', [folder], {
    ...settings,
    DATA_DIR: dataDir,
  })
  report.backups++
  if (code !== 0) report.violations.push(`a backup ended with ${code}: ${output.slice(0, 500)}`)
  for (const old of readdirSync(folder).sort().slice(0, -BACKUPS_KEPT)) {
    rmSync(join(folder, old), { recursive: true })
  }
}

async function identify(
  { photoStatuses }: SoakOptions,
  { service }: SoakWorld,
  key: string,
  report: SoakReport,
): Promise<void> {
  const sent = Object.values(report.photos).reduce((sum, one) => sum + one, 0)
  const photo = readFileSync(samplePhotoPath(PHOTOS[sent % PHOTOS.length] ?? 'clean'))
  const headers = { 'content-type': 'image/jpeg', 'x-api-key': key }
  const response = await fetch(`${service.url}/v1/identify`, {
    method: 'POST',
    headers,
    body: photo,
  }).catch(String)
  const status = typeof response === 'string' ? response : String(response.status)
  report.photos[status] = (report.photos[status] ?? 0) + 1
  if (!photoStatuses.includes(status)) report.violations.push(`a photo was answered with ${status}`)
}

/** Waits for the last alerts, and compares them with the mirror's publications. */
async function countAlerts({ mirror, receiver }: SoakWorld, report: SoakReport): Promise<void> {
  const expected = mirror.alerting() * mirror.watched.length
  const until = performance.now() + ALERTED_MS_MAX
  while (receiver.unique() < expected && performance.now() < until) await Bun.sleep(100)
  const delivered = receiver.unique()
  const unknown = receiver.paths().filter((path) => !mirror.watched.includes(Number(path.slice(1))))
  report.alerts = { expected, delivered, repeated: receiver.repeated(), unknown: unknown.length }
  if (delivered !== expected || unknown.length > 0) {
    report.violations.push(`alerts: ${JSON.stringify(report.alerts)}`)
  }
}

/** Counts alerts by message id, so that a repeated delivery counts once. */
function startAlertCounter() {
  const { url, received, stop } = startReceiver()
  const unique = () => new Set(received.map(({ id }) => id)).size
  return {
    url,
    unique,
    repeated: () => received.length - unique(),
    paths: () => [...new Set(received.map(({ path }) => path))],
    close: stop,
  }
}

function windowViolations(windows: readonly SoakWindow[]): string[] {
  return windows.flatMap(({ at, unexpected, examples }) => {
    const found = Object.entries(unexpected).map(([what, times]) => `${times} x ${what}`)
    return found.length === 0 ? [] : [`until second ${at}: ${found.join(', ')}; ${examples[0]}`]
  })
}

/** Returns errors that the service logged. */
function logViolations(service: ServerProcess): string[] {
  const errors = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  return errors.slice(0, 5).map((line) => `the service logged ${line.slice(0, 300)}`)
}

async function runScript(name: string, args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await runProcess(`scripts/${name}`, { args, env })
  return { code, output: stdout + stderr }
}
