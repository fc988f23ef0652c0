/**
 * Abuse of the running service by several attackers at once, beside customers whose figures are compared
 * with those of a calm phase in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceAccount } from '../../support/accounts/service-accounts.ts'
import { percentileOf } from '../../support/chaos/load-task.ts'
import { sendLoad } from '../../support/chaos/send-load.ts'
import { prepareSample, startService } from '../../support/server-process.ts'
import { startAttackers } from './attackers.ts'
import { type CallerRecord, call, createCallerRecord, repeatCalls, sendLogin } from './callers.ts'
import { type HeldUploadSender, holdUploads } from './held-uploads.ts'
import { freshNetwork } from './networks.ts'
import { type AbuseOptions, type AbuseWorld, createWorld, OWNER_HOME, PASSWORD } from './world.ts'

/** Seconds between two calls of honest callers. */
const PAUSES = { photo: 0.3, visit: 0.5, login: 3, newPlace: 5 }
/** Longest pause in seconds before the owner tries again from a new network. */
const OWNER_PAUSE_MAX = 2
/** Figures of the honest callers in one phase. Times are milliseconds. */
export type HonestFigures = {
  prices: { p50: number; p99: number; statuses: Record<string, number> }
  photos: { median: number; max: number; statuses: Record<string, number> }
  visitors: Record<string, number>
  loginsFromHome: Record<string, number>
  /** Percent of the phase in which the thread of requests used a CPU, and waited for one. */
  mainThread: { cpu: number; waiting: number }
}

/** Time until the owner was logged in from a new network, or until the run ended. */
export type LoginWait = { seconds: number; isLoggedIn: boolean }

export type AbuseReport = {
  calm: HonestFigures
  abused: HonestFigures
  loginsFromNewPlaces: LoginWait[]
  /** Memory of the service in megabytes: at rest, the maxima with held uploads and with all attackers, and afterwards. */
  memory: { calm: number; held: number; all: number; end: number }
  attackers: Record<string, Record<string, number>>
  held: { answers: Record<string, number>; open: number; longest_seconds: number }
  violations: string[]
}

/** Runs the calm phase and the abuse on a new data folder with the sample. */
export async function runAbuse(options: AbuseOptions): Promise<AbuseReport> {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-abuse-'))
  const dataDir = join(root, 'data')
  await prepareSample(dataDir)
  const env = { TRUST_PROXY: '1', BACKUP_DIR: 'off', BULK_FILES: 'off', ...options.env }
  const service = await startService(dataDir, env)
  try {
    const world = await createWorld(service, dataDir, options)
    await warmUp(world)
    return await measure(options, world)
  } finally {
    await service.kill()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Lets the reader and the service reach their usual speed. */
async function warmUp(world: AbuseWorld): Promise<void> {
  for (let round = 0; round < 3; round++) await sendPhoto(world, 0, createCallerRecord())
  await logIn(world, OWNER_HOME, createCallerRecord())
}

async function measure(options: AbuseOptions, world: AbuseWorld): Promise<AbuseReport> {
  const { service } = world
  const calm = await runHonestCallers(options, world, options.calmSeconds, 0)
  const memory = { calm: megabytes(service.memory()), held: 0, all: 0, end: 0 }
  const senders = listSenders(world.holders, options.heldUploads)
  service.resetPeak()
  const uploads = holdUploads(service.url, senders)
  await Bun.sleep(1000 * options.heldSeconds)
  memory.held = megabytes(service.peakMemory())
  const attack = startAttackers(options, world)
  const ending = new AbortController()
  const newPlaces = logInFromNewPlaces(world, ending.signal)
  const abused = await runHonestCallers(options, world, options.abuseSeconds, 10_000)
  ending.abort()
  memory.all = megabytes(service.peakMemory())
  const open = uploads.held()
  uploads.end()
  const records = await attack.end()
  memory.end = megabytes(service.memory())
  const report: AbuseReport = {
    calm: calm.figures,
    abused: abused.figures,
    loginsFromNewPlaces: await newPlaces,
    memory,
    attackers: Object.fromEntries(
      Object.entries(records).map(([name, { sent, statuses }]) => [name, { sent, ...statuses }]),
    ),
    held: { answers: uploads.answers, open, longest_seconds: uploads.longestSeconds() },
    violations: [...calm.unexpected, ...abused.unexpected, ...uploads.unexpected].slice(0, 20),
  }
  for (const record of Object.values(records))
    report.violations.push(...record.unexpected.slice(0, 3))
  const errors = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  report.violations.push(...errors.slice(0, 5).map((line) => `logged ${line.slice(0, 300)}`))
  if (service.hasEnded()) report.violations.push('the service ended')
  return report
}

/** Sends prices, photos, visits and logins of honest callers for some seconds. */
async function runHonestCallers(
  { rates, cardsPerVisit }: AbuseOptions,
  world: AbuseWorld,
  seconds: number,
  firstNetwork: number,
): Promise<{ figures: HonestFigures; unexpected: string[] }> {
  const { service, cards, priceCustomers } = world
  const [photos, visits, logins] = [
    createCallerRecord(),
    createCallerRecord(),
    createCallerRecord(),
  ]
  const ending = new AbortController()
  const callers = [
    ...world.photoCustomers.map((_, index) =>
      repeatCalls(ending.signal, () => sendPhoto(world, index, photos)),
    ),
    repeatCalls(ending.signal, async (round) => {
      await visit(world, { address: freshNetwork(firstNetwork + round), cardsPerVisit }, visits)
      return PAUSES.visit
    }),
    repeatCalls(ending.signal, async () => {
      await logIn(world, OWNER_HOME, logins)
      return PAUSES.login
    }),
  ]
  const before = service.mainThread()
  const started = performance.now()
  const [window] = await sendLoad({
    url: service.url,
    rate: rates.prices,
    seconds,
    windowSeconds: seconds + 60,
    requests: [
      {
        kind: 'prices',
        weight: 1,
        paths: cards.map((id) => `/v1/cards/${id}/prices`),
        headers: priceCustomers.map(({ key }) => ({ 'x-api-key': key })),
      },
    ],
  })
  const after = service.mainThread()
  const percent = (seconds: number) => Math.round((seconds * 1e5) / (performance.now() - started))
  const mainThread = {
    cpu: percent(after.cpu - before.cpu),
    waiting: percent(after.waiting - before.waiting),
  }
  // A busy machine may need longer for the first responses.
  const isServed = ({ statuses }: CallerRecord) => statuses['200'] !== undefined
  while (![photos, visits, logins].every(isServed)) await Bun.sleep(50)
  ending.abort()
  await Promise.all(callers)
  const { p50 = Number.NaN, p99 = Number.NaN, statuses = {} } = window ?? {}
  const figures = {
    prices: { p50, p99, statuses },
    photos: {
      median: Math.round(percentileOf(photos.times, 50)),
      max: Math.round(percentileOf(photos.times, 100)),
      statuses: photos.statuses,
    },
    visitors: visits.statuses,
    loginsFromHome: logins.statuses,
    mainThread,
  }
  return { figures, unexpected: [...photos.unexpected, ...visits.unexpected, ...logins.unexpected] }
}

async function sendPhoto(
  { service, photoCustomers, photo }: AbuseWorld,
  index: number,
  record: CallerRecord,
): Promise<number> {
  const headers = {
    'x-api-key': photoCustomers[index]?.key ?? '',
    'x-forwarded-for': `192.0.2.${20 + index}`,
    'content-type': 'image/jpeg',
  }
  await call(service.url, { path: '/v1/identify', method: 'POST', headers, body: photo }, record)
  return PAUSES.photo
}

/** Opens some cards on the dashboard, from a new network. */
async function visit(
  { service, cards }: AbuseWorld,
  { address, cardsPerVisit }: { address: string; cardsPerVisit: number },
  record: CallerRecord,
): Promise<void> {
  const headers = { 'x-cardstock-page': '1', 'x-forwarded-for': address }
  for (const id of cards.slice(0, cardsPerVisit)) {
    await call(service.url, { path: `/v1/cards/${id}/prices`, headers }, record)
  }
}

function logIn({ service, owner }: AbuseWorld, address: string, record: CallerRecord) {
  const credentials = { email: owner.email, password: PASSWORD }
  return sendLogin(service.url, { credentials, address }, record)
}

/** Logs the owner in from one new network after another, waiting as Retry-After says. */
async function logInFromNewPlaces(world: AbuseWorld, signal: AbortSignal): Promise<LoginWait[]> {
  const waits: LoginWait[] = []
  await repeatCalls(signal, async (place) => {
    const started = performance.now()
    const record = createCallerRecord()
    while (record.statuses['200'] === undefined && !signal.aborted) {
      const { status, retryAfter = 1 } = await logIn(world, `100.64.${place}.5`, record)
      if (status !== 200) await Bun.sleep(1_000 * Math.min(retryAfter, OWNER_PAUSE_MAX))
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10
    waits.push({ seconds, isLoggedIn: record.statuses['200'] !== undefined })
    return PAUSES.newPlace
  })
  return waits
}

/** Half of the held uploads come from one account and address, the others from several. */
function listSenders(holders: readonly ServiceAccount[], count: number): HeldUploadSender[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % 2 === 0 ? 0 : index % holders.length
    return { key: holders[place]?.key ?? '', address: `192.0.2.${100 + place}` }
  })
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}
