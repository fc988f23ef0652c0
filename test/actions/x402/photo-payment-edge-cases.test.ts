// Individually paid photos: how many photos, payers and servers affect each other, and rare events: outages, lagging
// nodes, suspended servers, and masses of strangers.
import { afterEach, describe, expect, test } from 'bun:test'
import { createPaymentSettler, recoverPendingPayments } from '#actions/x402/settle-photo-payment.ts'
import { OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  closePaymentWorlds,
  createPaymentWorld,
  describeRefusal,
  NOT_REFUSED,
} from '../../support/x402/payment-world.ts'

afterEach(closePaymentWorlds)

/** Returns a unique address. */
const payerNumber = (number: number) => `0x${String(number).padStart(40, '0')}`

describe('one payer', () => {
  test('whose payments failed three times in a day is rejected for a day', async () => {
    const { server, request, x402, later, reader } = await createPaymentWorld()
    x402.script({
      settle: () => ({ kind: 'refused', reason: 'x' }),
      trace: () => ({ kind: 'lost' }),
    })
    const own = server()
    for (let count = 0; count < 3; count++) {
      expect(await describeRefusal(own.handle(request()))).toBe('PAYMENT_REJECTED')
    }
    expect(reader.requests).toHaveLength(3)
    x402.script({})
    expect(await describeRefusal(own.handle(request()))).toBe('PAYMENT_REJECTED')
    expect([reader.requests.length, x402.verified.length]).toEqual([3, 3])
    later(24 * 60 * 60 * 1_000)
    expect((await own.handle(request())).fresh).toBeString()
  })
})

describe('no payer is blocked', () => {
  test('for failures during an outage of the facilitator', async () => {
    const { server, request, x402, rowOf } = await createPaymentWorld()
    x402.script({ settle: () => ({ kind: 'unclear', why: 'it is away' }) })
    const own = server()
    for (let count = 0; count < 3; count++) {
      const photoRequest = request()
      expect(await describeRefusal(own.handle(photoRequest))).toBe('PAYMENT_REJECTED')
      expect((await rowOf(photoRequest))?.settlement).toContain('"by_payer":false')
    }
    x402.script({})
    expect(await describeRefusal(own.handle(request()))).toBe(NOT_REFUSED)
  })

  test('for payments that were not settled because of an outage of the server', async () => {
    const { server, leave, request, x402, later } = await createPaymentWorld()
    for (let count = 0; count < 3; count++) await leave(request(), 'markAttempted', 'before')
    later(300_000)
    const own = server()
    await own.runRecovery()
    expect(x402.settled.length).toBe(0)
    expect(await describeRefusal(own.handle(request()))).toBe(NOT_REFUSED)
  })
})

describe('a paid photo never counts as unpaid', () => {
  test('if the node lags two minutes behind', async () => {
    const { server, request, x402, rowOf, deps, later } = await createPaymentWorld()
    const photoRequest = request()
    const movedAt = new Map<string, number>()
    const seconds = () => Math.floor(deps.now().getTime() / 1_000)
    x402.script({
      settle(payment) {
        const { nonce } = payment.payload.authorization
        if (movedAt.has(nonce)) return { kind: 'refused', reason: 'nonce_used' }
        x402.move(payment)
        movedAt.set(nonce, seconds() + 110)
        return { kind: 'unclear', why: 'it took too long' }
      },
      trace(nonce) {
        const time = seconds() - 120
        const at = movedAt.get(nonce) ?? Number.POSITIVE_INFINITY
        if (at <= time) return { kind: 'paid', transaction: x402.moved.get(nonce) ?? '' }
        return { kind: 'unused', time }
      },
    })
    expect(await describeRefusal(server().handle(photoRequest))).toBe('PAYMENT_PENDING')
    later(600_000)
    await server().runRecovery()
    expect([x402.moved.size, (await rowOf(photoRequest))?.state]).toEqual([1, 'settled'])
  })
})

describe('the job', () => {
  test('settles other payments in time despite ones that cannot be settled', async () => {
    const { server, leave, requestOf, x402, later, rowOf } = await createPaymentWorld()
    const last = payerNumber(8)
    const photoRequests = Array.from({ length: 9 }, (_, number) => requestOf(payerNumber(number)))
    for (const one of photoRequests) {
      await leave(one, 'markAttempted', 'before')
      later(1)
    }
    later(5_000)
    x402.script({
      settle: (payment) =>
        payment.payload.authorization.from === last
          ? { kind: 'settled', transaction: x402.move(payment) }
          : { kind: 'refused', reason: 'insufficient_funds' },
    })
    await server().runRecovery()
    const states = await Promise.all(photoRequests.map(async (one) => (await rowOf(one))?.state))
    expect(states).toEqual([...Array(8).fill('failed'), 'settled'])
  })

  test('of a closing server leases nothing more, and releases everything', async () => {
    const { leave, request, x402, deps, later } = await createPaymentWorld()
    for (let count = 0; count < 3; count++) await leave(request(), 'markAttempted', 'before')
    later(5_000)
    const settling = createPaymentSettler({ ...deps, x402 }, { pause: Bun.sleep })
    const [requested, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    x402.script({
      settle: async () => {
        requested.resolve()
        await answered.promise
        return { kind: 'unclear', why: 'it is away' }
      },
    })
    const job = recoverPendingPayments(deps, settling)
    await requested.promise
    const closing = settling.close()
    answered.resolve()
    await closing
    await job
    const now = deps.now()
    const left = await deps.ledger.photoPayments.leaseAbandoned(
      { owner: 'next', now, leaseMs: 0 },
      10,
    )
    expect(left).toHaveLength(3)
  })
})

test('at most 64 invalid payments are checked at a time, and leave nothing', async () => {
  const { server, x402, requestOf, rowOf, reader } = await createPaymentWorld()
  let checked = 0
  const verdict = Promise.withResolvers<void>()
  x402.script({
    async verify() {
      checked++
      await verdict.promise
      return { kind: 'invalid', reason: 'invalid_signature' }
    },
  })
  const own = server()
  const photoRequests = Array.from({ length: 500 }, (_, number) => requestOf(payerNumber(number)))
  const codes: string[] = []
  const handled = photoRequests.map(async (one) =>
    codes.push(await describeRefusal(own.handle(one))),
  )
  await waitFor(() => codes.length === 436)
  expect([new Set(codes), checked]).toEqual([new Set(['PAYMENT_UNAVAILABLE']), 64])
  verdict.resolve()
  await Promise.all(handled)
  expect(new Set(codes.slice(436))).toEqual(new Set(['PAYMENT_REJECTED']))
  const left = await Promise.all(photoRequests.map(rowOf))
  expect([left.filter(Boolean), reader.requests]).toEqual([[], []])
})

test('a server that was suspended beyond its lease neither responds nor pays', async () => {
  const { server, request, reader, x402, later } = await createPaymentWorld()
  const photoRequest = request()
  const { promise, resolve } = Promise.withResolvers<void>()
  let wake = () => {}
  reader.script(async ({ photo }) => {
    if (photo[0] === PHOTO.png[0]) return OBSERVATION
    resolve()
    await new Promise<void>((go) => {
      wake = go
    })
    return OBSERVATION
  })
  const sleeper = describeRefusal(server().handle(photoRequest))
  await promise
  later(3_000)
  const other = await server().handle({ ...photoRequest, photo: PHOTO.png })
  wake()
  expect(await sleeper).toBe('PAYMENT_REJECTED')
  expect([...x402.moved.values()]).toEqual([other.settlement.transaction])
})

test('a lease is renewed while a photo is read, so that no other process gets it', async () => {
  const { server, request, reader, deps, rowOf, later } = await createPaymentWorld()
  const photoRequest = request()
  const [begun, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  reader.script(async () => {
    begun.resolve()
    await read.promise
    return OBSERVATION
  })
  const reading = server().handle(photoRequest)
  await begun.promise
  later(2_500)
  await waitFor(async () => ((await rowOf(photoRequest))?.due_at ?? 0) - +deps.now() === 3_000)
  read.resolve()
  expect((await reading).fresh).toBeString()
})
