// Individually paid photos, with any number of servers. The ledger is a real file with several connections, like
// several servers; reader, facilitator and chain are fakes.

import {
  createPhotoPaymentHandler,
  type PaidPhotoRequest,
  type PaidPhotoResult,
  type PhotoPaymentOptions,
} from '#actions/x402/pay-for-photo.ts'
import { createPaymentSettler, recoverPendingPayments } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaymentId } from '#rules/x402/x402-protocol.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { fakeReader, PHOTO } from '../photos/reader-fixtures.ts'
import { createLedgerFile, createTestApp, openLedgerFile, PUBLIC_URL } from '../test-app.ts'
import { fakeX402, paymentHeader, readPaymentSignature, TERMS, X402_ENV } from './x402-config.ts'

const closers: (() => unknown)[] = []

/** Closes all open worlds in reverse order. */
export async function closePaymentWorlds(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** Creates a data folder, a clock, a facilitator and a chain, for any number of servers. */
export async function createPaymentWorld() {
  const reader = fakeReader()
  const file = await createLedgerFile()
  const ledger = openLedgerFile(file.folder)
  const testApp = await createTestApp({ ledger, env: X402_ENV, reader })
  closers.push(file.close, testApp.close)
  const { deps, log } = testApp
  const x402 = fakeX402(deps.now)
  const advanceClock = (ms: number) =>
    testApp.setClock(new Date(deps.now().getTime() + ms).toISOString())

  /** Pauses advance the clock for all of them. */
  const passing = async (ms: number) => {
    advanceClock(ms)
    await Bun.sleep(0)
  }

  /** Starts a server. @param change differences of this server's stores and clients */
  function server(
    change: (deps: Deps) => Partial<Deps> = () => ({}),
    { patienceMs = 20_000, pause = passing }: PhotoPaymentOptions = {},
  ) {
    const own = { ...deps, x402, ledger: openLedgerFile(file.folder) }
    const all = { ...own, ...change(own) }
    const payments = createPhotoPaymentHandler(all, { patienceMs, pause })
    const kill = () => own.ledger.close()
    closers.push(kill)
    return {
      ...payments,
      kill,
      /** Runs the recovery job once. */
      async runRecovery() {
        const settling = createPaymentSettler(all, { pause })
        await recoverPendingPayments(all, settling)
        await settling.close()
      },
    }
  }

  /** Simulates a server that is killed while it processes a request. */
  async function abandonRequest(
    photoRequest: PaidPhotoRequest,
    step: Step,
    when: 'before' | 'after',
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = server(stopAt(step, when, resolve))
    void first.handle(photoRequest).catch(() => undefined)
    await promise
    first.kill()
  }

  const request = (photo: Uint8Array = PHOTO.jpeg, header = paymentHeader(deps.now())) => {
    const setting = { terms: TERMS, publicUrl: PUBLIC_URL, now: deps.now() }
    const payment = readPaymentSignature(header, setting)
    return {
      payment,
      address: '192.0.2.1',
      photo,
      game: undefined,
      prices: false,
      country: undefined,
    }
  }
  /** Creates a request of another payer. */
  const requestOf = (from: string) =>
    request(PHOTO.jpeg, paymentHeader(deps.now(), { payload: { from } }))
  const rowOf = ({ payment }: Pick<PaidPhotoRequest, 'payment'>) =>
    deps.ledger.photoPayments.getById(computePaymentId(payment))
  return {
    deps,
    log,
    reader,
    x402,
    server,
    leave: abandonRequest,
    request,
    requestOf,
    rowOf,
    later: advanceClock,
  }
}

/** A timeout short enough for tests. */
export const IMPATIENT = { patienceMs: 150 }

/** Returns the code of an error, or the other response. */
export async function describeRefusal(paid: Promise<PaidPhotoResult>): Promise<string> {
  const thrown = await paid.then(
    () => undefined,
    (error: unknown) => error,
  )
  return thrown instanceof ServiceError ? thrown.code : `no refusal: ${String(thrown)}`
}

/** The response to a paid photo. */
export const NOT_REFUSED = 'no refusal: undefined'

/** Every external step of a server, in order. */
export const STEPS = [
  'claim',
  'verify',
  'markVerified',
  'read',
  'markWorked',
  'markAttempted',
  'settle',
  'markSettled',
] as const

export type Step = (typeof STEPS)[number]

/** Creates a server that stops forever before or after one of its steps. */
function stopAt(step: Step, when: 'before' | 'after', stopped: () => void) {
  const wrap = <T extends object>(room: T): T =>
    new Proxy(room, {
      get(target, name) {
        const own = Reflect.get(target, name)
        if (name !== step || typeof own !== 'function') return own
        return async (...args: unknown[]) => {
          if (when === 'after') await own.apply(target, args)
          stopped()
          return new Promise(() => {})
        }
      },
    })
  return ({ ledger, reader, x402 }: Deps): Partial<Deps> => ({
    reader: wrap(reader),
    ledger: { ...ledger, photoPayments: wrap(ledger.photoPayments) } satisfies Ledger,
    x402: x402 && { ...x402, facilitator: wrap(x402.facilitator) },
  })
}
