/** The processes of an alert run, and the moments at which they are killed. */
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { type KillableProcess, readRecordFile, startKillable } from '../../support/chaos.ts'
import type { AlertReceivers } from './alert-receivers.ts'
import type { AlertLine, AlertTask } from './alert-task.ts'

const WORKER = 'test/chaos/alerts/alert-worker.ts'
/** A moment that does not come is not awaited any longer. */
const MOMENT_MS_MAX = 3_000
/** Duration of a process start and of a sync: some are killed during these. */
const START_MS = 600
const SYNC_MS = 50

/** Points of a process's work at which it is killed. */
export const KILL_POINTS = [
  /** During a sync that causes alerts. */
  'sync',
  /** The commit of such a sync, before its process returns from it. */
  'committed',
  /** After such a sync has ended. */
  'published',
  /** When a delivery arrives, before the response. */
  'arrival',
  /** When the response accepts a delivery. */
  'answer',
  'any',
  /** While the process starts. */
  'start',
] as const

export type KillPoint = (typeof KILL_POINTS)[number]

export type SyncProcess = ReturnType<typeof startAlertWorker>

export function startAlertWorker(task: AlertTask) {
  return {
    ...startKillable(WORKER, task),
    lines: () => readRecordFile(task.record) as AlertLine[], // what alert-worker.ts writes
  }
}

type KillContext = {
  dataDir: string
  receivers: AlertReceivers
  /** Steps that cause alerts. */
  alertSteps: ReadonlySet<number>
  random: () => number
  /** The earliest step in which a moment can be. */
  step: number
}

/** Waits for a moment in a process's work. If the moment passes quickly, the process is already killed. */
export async function waitForKillPoint(
  killPoint: KillPoint,
  worker: SyncProcess,
  killContext: KillContext,
): Promise<void> {
  const { random, step, alertSteps } = killContext
  if (killPoint === 'start') return Bun.sleep(random() * START_MS)
  await waitUntil(worker, () => worker.lines().some((line) => line.step >= step))
  if (killPoint === 'any') return Bun.sleep(random() * 5 * SYNC_MS)
  if (killPoint === 'arrival' || killPoint === 'answer')
    return killOnDelivery(killPoint, worker, killContext)
  const stage = killPoint === 'published' ? 'done' : 'syncing'
  const seen = worker.lines().length
  const isNew = (line: AlertLine, place: number) =>
    place >= seen && line.stage === stage && alertSteps.has(line.step)
  await waitUntil(worker, () => worker.lines().some(isNew), MOMENT_MS_MAX)
  if (killPoint === 'sync') await Bun.sleep(random() * SYNC_MS)
  if (killPoint === 'committed') {
    waitForCommit(killContext.dataDir)
    worker.killNow()
  }
}

/** Polls for a new version without a pause, because publishing takes almost no time. */
function waitForCommit(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const version = db.prepare<[], number>('SELECT version FROM publication').pluck()
  const before = version.get()
  const over = performance.now() + 4 * SYNC_MS
  while (version.get() === before && performance.now() < over);
  db.close()
}

/** Kills the process during a delivery: before the response is sent, or while it is sent. */
async function killOnDelivery(
  moment: 'arrival' | 'answer',
  worker: SyncProcess,
  { receivers }: KillContext,
): Promise<void> {
  const came = Promise.withResolvers<void>()
  receivers.listen(({ isAccepted }) => {
    if (moment === 'answer' && !isAccepted) return
    receivers.listen(undefined)
    if (moment === 'arrival') worker.killNow()
    else setImmediate(worker.killNow)
    came.resolve()
  })
  await Promise.race([came.promise, Bun.sleep(MOMENT_MS_MAX)])
  receivers.listen(undefined)
}

/** Waits until a condition is met, the process has ended, or it takes too long. */
export async function waitUntil(
  process: Pick<KillableProcess, 'hasEnded'>,
  isSo: () => boolean,
  limitMs = UNTIL_MS_MAX,
  everyMs = 1,
): Promise<void> {
  const over = performance.now() + limitMs
  while (!process.hasEnded() && performance.now() < over && !isSo()) await Bun.sleep(everyMs)
}

const UNTIL_MS_MAX = 120_000
