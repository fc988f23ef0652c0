// Payments for photos that another server read but never settled.
import { expect, test } from 'bun:test'
import { scheduledJobs } from 'croner'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { computePaymentId } from '#rules/x402/x402-protocol.ts'
import { createCountingWorker } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { createTestApp, PUBLIC_URL } from '../support/test-app.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  fakeX402,
  PAYER,
  paymentHeader,
  readPaymentSignature,
  TERMS,
  X402_ENV,
} from '../support/x402/x402-config.ts'

const OFF = { INDEX_PICTURES: 'off', BULK_FILES: 'off' }
const JOB = 'recover photo payments'

async function open(env: Record<string, string>) {
  const x402 = fakeX402(() => new Date(0))
  const isOn = env.X402_PAY_TO !== undefined
  const testApp = await createTestApp({ env: { ...OFF, ...env }, ...(isOn && { x402 }) })
  const start = () => {
    const jobs = startJobs(testApp.deps, {
      ...createWorkers(testApp.deps),
      sync: createCountingWorker<SyncReport>(undefined).thread,
    })
    closeAfterUse(() => jobs.close())
  }
  return { ...testApp, x402, start }
}

/** Creates a photo that a server read before it was killed. */
async function leavePhoto({ deps }: Awaited<ReturnType<typeof open>>): Promise<string> {
  const setting = { terms: TERMS, publicUrl: PUBLIC_URL, now: deps.now() }
  const payment = readPaymentSignature(paymentHeader(deps.now()), setting)
  const [id, owner, now] = [computePaymentId(payment), 'killed', deps.now()]
  const { photoPayments } = deps.ledger
  await photoPayments.claim({
    id,
    owner,
    now,
    payer: PAYER,
    fingerprint: 'a photo',
    payment: JSON.stringify(payment),
    valid_before: now.getTime() + 120_000,
    leaseMs: 0,
  })
  await photoPayments.markWorked({ id, owner, now }, '{}')
  return id
}

test('settles payments at the start, and every minute after', async () => {
  const testApp = await open(X402_ENV)
  const { photoPayments } = testApp.deps.ledger
  const first = await leavePhoto(testApp)
  testApp.start()
  await waitFor(async () => (await photoPayments.getById(first))?.state === 'settled')

  const job = scheduledJobs.find(({ name }) => name === JOB)
  expect(job?.getPattern()).toBe('* * * * *')
  const second = await leavePhoto(testApp)
  await job?.trigger()
  expect((await photoPayments.getById(second))?.state).toBe('settled')
  expect(testApp.x402.moved.size).toBe(2)
})

test('does not run if photos cannot be paid individually', async () => {
  const testApp = await open({})
  testApp.start()
  expect(scheduledJobs.some(({ name }) => name === JOB)).toBe(false)
})
