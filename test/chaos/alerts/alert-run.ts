/**
 * A data folder whose processes are killed repeatedly while prices change and alerts are delivered. Completed steps
 * and arrivals are recorded outside of it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createCertificate } from '../../support/certificates.ts'
import type { KillableProcess } from '../../support/chaos.ts'
import { randomFrom } from '../../support/random.ts'
import {
  type KillPoint,
  startAlertWorker,
  waitForKillPoint,
  waitUntil,
} from './alert-kill-points.ts'
import {
  type AlertLeftovers,
  countUnrelayed,
  findLeftovers,
  readDeliveries,
} from './alert-leftovers.ts'
import { expectedAlerts } from './alert-model.ts'
import { ACCOUNTS, emailOf, planAlerts, STEP_DAYS } from './alert-plan.ts'
import { startAlertReceivers } from './alert-receivers.ts'
import type { AlertLine } from './alert-task.ts'

/** Report of a kill. */
export type KillReport = {
  kills: number
  hadTwo: boolean
  /** The last recorded line of the syncing process before the kill. */
  line: AlertLine | undefined
  /** Undefined if another process continues. */
  remains: AlertLeftovers | undefined
}

export type AlertRun = Awaited<ReturnType<typeof createAlertRun>>

/** Prepares a run without starting anything. */
export async function createAlertRun(seed: number, steps: number) {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-alerts-'))
  const folders = { dataDir: join(root, 'data'), mirror: join(root, 'mirror') }
  const { dataDir } = folders
  mkdirSync(folders.mirror)
  prepareFiles(dataDir)
  await addAccounts(dataDir)
  // The whole plan is within the last days, because older alerts are not delivered.
  const start = 1_000 * Math.floor(Date.now() / 1_000 - (steps + 1) * STEP_DAYS * 86_400)
  const plan = planAlerts({ seed, steps, start })
  const expected = expectedAlerts(plan)
  const tls = await createCertificate(['127.0.0.1'])
  const receivers = startAlertReceivers(plan, randomFrom(seed + 1), tls)
  const alertSteps = new Set(expected.map(({ step }) => step))
  const scene = { dataDir, receivers, alertSteps, random: randomFrom(seed + 2) }
  /** Lines of all processes that have ended, in order. */
  const lines: AlertLine[] = []
  let records = 0
  const workers: KillableProcess[] = []
  let sender: KillableProcess | undefined

  const begin = (from: number | undefined) => {
    const record = join(root, `record-${records++}`)
    const network = { urls: receivers.urls, ca: tls.cert }
    const task = { ...folders, ...network, record, plan: { seed, steps, start }, from }
    const worker = startAlertWorker(task)
    workers.push(worker)
    return worker
  }

  async function endSender(): Promise<void> {
    await sender?.kill()
    sender = undefined
  }

  return {
    plan,
    expected,
    receivers,
    /** Lines of all processes that have ended, in order. */
    lines,
    deliveries: () => readDeliveries(dataDir),
    unrelayed: () => countUnrelayed(dataDir),

    /**
     * Starts a process where the last one stopped, and kills it at a moment in or after a step.
     *
     * @param wantsTwo starts another process that only delivers, and is killed too or continues
     */
    async runUntilKilled(
      killPoint: KillPoint,
      step: number,
      wantsTwo: boolean,
    ): Promise<KillReport> {
      if (wantsTwo) sender ??= begin(undefined)
      const worker = begin(doneIn(lines))
      await waitForKillPoint(killPoint, worker, { ...scene, step })
      await worker.kill()
      const hadTwo = sender !== undefined
      const isSenderKilled = hadTwo && (!wantsTwo || scene.random() < 0.5)
      if (isSenderKilled) await endSender()
      const mine = worker.lines()
      lines.push(...mine)
      const leftovers =
        sender === undefined ? findLeftovers(dataDir, receivers.arrivals) : undefined
      return { kills: isSenderKilled ? 2 : 1, hadTwo, line: mine.at(-1), remains: leftovers }
    },

    /** Runs the last steps, and delivers the rest without kills. */
    async finish(limitMs: number): Promise<void> {
      const worker = begin(doneIn(lines))
      const isSettled = () =>
        doneIn(lines) + doneIn(worker.lines()) === steps &&
        countUnrelayed(dataDir) === 0 &&
        readDeliveries(dataDir).every(({ state }) => state !== 'pending')
      await waitUntil(worker, isSettled, limitMs, LOOK_MS)
      // Any delivery from now on is one too many.
      await Bun.sleep(SETTLED_MS)
      await worker.kill()
      lines.push(...worker.lines())
      await endSender()
    },

    /** Also called after a failed test. */
    close(): void {
      for (const worker of workers) worker.killNow()
      receivers.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const LOOK_MS = 50
const SETTLED_MS = 500

function doneIn(lines: readonly AlertLine[]): number {
  return lines.filter(({ stage }) => stage === 'done').length
}

async function addAccounts(dataDir: string): Promise<void> {
  const ledger = openLedger(dataDir)
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = { email: emailOf(index), password_hash: 'none', tier: 'pro' } as const
    await ledger.accounts.create(account, { now: new Date(), address: undefined })
  }
  ledger.close()
}
