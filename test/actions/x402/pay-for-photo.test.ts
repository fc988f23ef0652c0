// Individually paid photos: payment and response of one photo under any fault and kill. Many photos, payers and
// servers are tested in photo-payment-edge-cases.test.ts.
import { afterEach, describe, expect, test } from 'bun:test'
import { freeCardLimits } from '#actions/photos/free-cards.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  closePaymentWorlds,
  createPaymentWorld,
  describeRefusal,
  IMPATIENT,
  STEPS,
} from '../../support/x402/payment-world.ts'

afterEach(closePaymentWorlds)

describe('a photo', () => {
  test('is read once and paid once, and the same request gets the same response', async () => {
    const { server, request, x402, reader, rowOf } = await createPaymentWorld()
    const photoRequest = request()
    const first = await server().handle(photoRequest)
    expect([first.fresh, first.settlement.transaction]).toEqual([
      expect.any(String),
      [...x402.moved.values()].join(),
    ])
    for (const again of [
      await server().handle(photoRequest),
      await server().handle(photoRequest),
    ]) {
      expect(again).toEqual({ ...first, fresh: undefined })
    }
    expect([reader.requests.length, x402.verified.length, x402.settled.length]).toEqual([1, 1, 1])
    expect(await rowOf(photoRequest)).toMatchObject({ state: 'settled', owner: null, tries: 1 })
  })

  test.each([1, 2, 5])(
    'that 20 concurrent requests send to %i servers is read once and paid once',
    async (servers) => {
      const { server, request, x402, reader } = await createPaymentWorld()
      const photoRequest = request()
      reader.script(async () => {
        await Bun.sleep(20)
        return OBSERVATION
      })
      const patient = { pause: Bun.sleep }
      const all = Array.from({ length: servers }, () => server(undefined, patient))
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (all[index % servers] ?? server()).handle(photoRequest),
        ),
      )
      expect(new Set(answers.map(({ result }) => result)).size).toBe(1)
      expect(answers.filter(({ fresh }) => fresh !== undefined)).toHaveLength(1)
      expect([reader.requests.length, x402.moved.size, x402.settled.length]).toEqual([1, 1, 1])
    },
  )

  test('is never read for a payment that pays, or has paid, for another one', async () => {
    const { server, request, reader, x402 } = await createPaymentWorld()
    const one = request(PHOTO.jpeg)
    const other = { ...one, photo: PHOTO.png }
    const priced = { ...one, prices: true }
    const [a, b] = [server(), server()]
    const results = await Promise.all(
      [a.handle(one), a.handle(other), b.handle(other), b.handle(priced)].map((paid) =>
        paid.then(
          () => 'read',
          (error: ServiceError) => error.code,
        ),
      ),
    )
    expect(results).toEqual(['read', 'PAYMENT_REJECTED', 'PAYMENT_REJECTED', 'PAYMENT_REJECTED'])
    expect(await describeRefusal(b.handle(other))).toBe('PAYMENT_REJECTED')
    expect([reader.requests.length, x402.moved.size]).toEqual([1, 1])
  })
})

describe('nothing is paid, and the payment can be used again,', () => {
  const busy = new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 2 })
  const none = new ServiceError('INVALID_IMAGE', 'The image cannot be decoded.')

  test.each([
    ['the reader is busy', busy, 'IDENTIFY_UNAVAILABLE'],
    ['the image cannot be decoded', none, 'INVALID_IMAGE'],
    ['the reader has a fault', new TypeError('undefined'), 'no refusal: TypeError: undefined'],
  ])('if %s', async (_why, thrown, code) => {
    const { server, request, reader, x402, rowOf } = await createPaymentWorld()
    const photoRequest = request()
    reader.script(() => {
      throw thrown
    })
    const own = server()
    expect(await describeRefusal(own.handle(photoRequest))).toBe(code)
    expect(await rowOf(photoRequest)).toMatchObject({
      state: 'released',
      owner: null,
      result: null,
    })
    reader.script(() => OBSERVATION)
    // Also for another photo.
    expect((await own.handle({ ...photoRequest, photo: PHOTO.webp })).fresh).toBeString()
    expect(x402.moved.size).toBe(1)
  })

  test('if the facilitator is unavailable', async () => {
    const { server, request, reader, x402, rowOf } = await createPaymentWorld()
    const photoRequest = request()
    const own = server()
    x402.script({ verify: () => ({ kind: 'unclear', why: 'it is away' }) })
    expect(await describeRefusal(own.handle(photoRequest))).toBe('PAYMENT_UNAVAILABLE')
    expect([await rowOf(photoRequest), reader.requests.length]).toEqual([undefined, 0])
    x402.script({ verify: () => ({ kind: 'invalid', reason: 'insufficient_funds' }) })
    expect(await describeRefusal(own.handle(photoRequest))).toBe('PAYMENT_REJECTED')
    expect([await rowOf(photoRequest), reader.requests.length]).toEqual([undefined, 0])
    x402.script({})
    expect((await own.handle(photoRequest)).fresh).toBeString()
  })

  test('and nothing is paid in a country without the photo reader, or for an unknown game', async () => {
    const { deps, request, rowOf, server } = await createPaymentWorld()
    const own = server(() => ({ config: { ...deps.config, blockedCountries: ['FR'] } }))
    const photoRequest = request()
    expect(await describeRefusal(own.handle({ ...photoRequest, country: 'FR' }))).toBe(
      'IDENTIFY_REGION_UNAVAILABLE',
    )
    expect(await describeRefusal(own.handle({ ...photoRequest, game: 'no-such-game' }))).toBe(
      'INVALID_GAME',
    )
    expect(await rowOf(photoRequest)).toBeUndefined()
  })
})

describe('settling', () => {
  test.each([
    ['moves the money and answers nothing', true],
    ['does nothing and answers nothing', false],
  ])('that %s is detected, and pays once', async (_what, moves) => {
    const { server, request, x402, reader } = await createPaymentWorld()
    let calls = 0
    x402.script({
      settle(payment) {
        if (++calls === 1 && moves) x402.move(payment)
        if (calls === 1) return { kind: 'unclear', why: 'it took too long' }
        return { kind: 'settled', transaction: x402.move(payment) }
      },
    })
    const { settlement } = await server().handle(request())
    expect([settlement.transaction]).toEqual([...x402.moved.values()])
    expect([calls, x402.moved.size, reader.requests.length]).toEqual([moves ? 1 : 2, 1, 1])
  })

  test('is checked on the chain even if the facilitator reports a failure', async () => {
    const { server, request, x402 } = await createPaymentWorld()
    x402.script({
      settle(payment) {
        x402.move(payment)
        return { kind: 'refused', reason: 'invalid_exact_evm_transaction_failed' }
      },
    })
    expect((await server().handle(request())).settlement.transaction).toBe(
      [...x402.moved.values()].join(),
    )
  })

  test('is retried until the payment has expired, and has then failed', async () => {
    const { server, request, x402, deps, rowOf } = await createPaymentWorld()
    x402.script({ settle: () => ({ kind: 'refused', reason: 'insufficient_funds' }) })
    const photoRequest = request()
    const started = deps.now().getTime()
    expect(await describeRefusal(server().handle(photoRequest))).toBe('PAYMENT_REJECTED')
    const row = await rowOf(photoRequest)
    expect(row).toMatchObject({ state: 'failed', owner: null, result: null })
    const seconds = (deps.now().getTime() - started) / 1_000
    expect(seconds).toBeGreaterThanOrEqual(125)
    expect(seconds).toBeLessThan(135)
    expect(x402.settled.length).toBeGreaterThan(20)
    expect(await describeRefusal(server().handle(photoRequest))).toBe('PAYMENT_REJECTED')
    expect(x402.moved.size).toBe(0)
  })

  test('fails immediately if the authorization was canceled or used elsewhere', async () => {
    const { server, request, x402, rowOf } = await createPaymentWorld()
    x402.script({
      settle: () => ({ kind: 'refused', reason: 'nonce_already_used' }),
      trace: () => ({ kind: 'lost' }),
    })
    const photoRequest = request()
    expect(await describeRefusal(server().handle(photoRequest))).toBe('PAYMENT_REJECTED')
    expect([await rowOf(photoRequest), x402.settled.length]).toEqual([
      expect.objectContaining({ state: 'failed', tries: 1 }),
      1,
    ])
  })

  test.each([
    ['cannot be asked', { kind: 'unknown', why: 'it is away' }],
    ['has blocks that lag behind', { kind: 'unused', time: 1 }],
    ['knows that it is used and not by what', { kind: 'untraced' }],
  ] as const)('never counts as unpaid while the chain %s', async (_what, trace) => {
    const { server, request, x402, rowOf, later } = await createPaymentWorld()
    const photoRequest = request()
    let isAway = true
    x402.script({
      settle(payment) {
        if (!x402.moved.has(payment.payload.authorization.nonce)) x402.move(payment)
        return { kind: 'unclear', why: 'it took too long' }
      },
      trace: (nonce) =>
        isAway ? trace : { kind: 'paid', transaction: x402.moved.get(nonce) ?? '' },
    })
    const own = server()
    const code = await describeRefusal(own.handle(photoRequest))
    expect([code, (await rowOf(photoRequest))?.state]).toEqual(['PAYMENT_PENDING', 'unknown'])
    isAway = false
    later(3_600_000)
    await server().runRecovery()
    expect(await rowOf(photoRequest)).toMatchObject({ state: 'settled' })
    expect((await own.handle(photoRequest)).fresh).toBeUndefined()
    expect(x402.moved.size).toBe(1)
  })

  test('that takes long returns Retry-After, and the response is available then', async () => {
    const { server, request, x402, reader, deps, rowOf, later } = await createPaymentWorld()
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    x402.script({
      async settle(payment) {
        await gate
        return { kind: 'settled', transaction: x402.move(payment) }
      },
    })
    const own = server(undefined, IMPATIENT)
    const photoRequest = request()
    expect(await describeRefusal(own.handle(photoRequest))).toBe('PAYMENT_PENDING')
    // It continues without the request, and still belongs to its server.
    later(2_500)
    await waitFor(async () => ((await rowOf(photoRequest))?.due_at ?? 0) - +deps.now() === 3_000)
    go()
    expect((await own.handle(photoRequest)).fresh).toBeUndefined()
    expect([reader.requests.length, x402.moved.size]).toEqual([1, 1])
  })
})

const CRASHES = STEPS.flatMap((step) => [['before', step] as const, ['after', step] as const])

describe.each(CRASHES)('a server that is killed %s reaches "%s"', (when, step) => {
  const isRead =
    STEPS.indexOf(step) > STEPS.indexOf('markWorked') || `${when} ${step}` === 'after markWorked'

  async function crash() {
    const world = await createPaymentWorld()
    const photoRequest = world.request()
    await world.leave(photoRequest, step, when)
    const readBefore = world.reader.requests.length
    return { ...world, photoRequest, readBefore }
  }

  async function expectOnce({
    server,
    photoRequest,
    x402,
    reader,
    rowOf,
    readBefore,
  }: Awaited<ReturnType<typeof crash>>) {
    const answer = await server().handle(photoRequest)
    expect([answer.settlement.transaction]).toEqual([...x402.moved.values()])
    expect(await server().handle(photoRequest)).toMatchObject({ result: answer.result })
    expect([await rowOf(photoRequest), x402.moved.size]).toEqual([
      expect.objectContaining({ state: 'settled', owner: null }),
      1,
    ])
    // A stored result is not read again.
    if (isRead) expect(reader.requests).toHaveLength(readBefore)
  }

  test('leaves a request that another server processes, and that is paid once', async () => {
    const world = await crash()
    world.later(3_000)
    await expectOnce(world)
  })

  test('leaves payments that the job of another server settles', async () => {
    const world = await crash()
    world.later(3_000)
    await world.server().runRecovery()
    const state = (await world.rowOf(world.photoRequest))?.state
    if (`${when} ${step}` === 'before claim') expect(state).toBeUndefined()
    else expect(state).toBe(isRead ? 'settled' : 'released')
    await expectOnce(world)
  })

  // Nothing is leased before "claim" and after "markSettled".
  if (!['before claim', 'after markSettled'].includes(`${when} ${step}`)) {
    test('blocks others only as long as its lease lasts', async () => {
      const world = await crash()
      await world.server().runRecovery()
      expect((await world.rowOf(world.photoRequest))?.state).not.toBe('released')
      expect(world.x402.settled.length).toBe(
        ['after settle', 'before markSettled'].includes(`${when} ${step}`) ? 1 : 0,
      )
      // Pauses of waiting requests advance the clock: the lease ends eventually.
      await expectOnce(world)
    })
  }
})

describe('a photo whose client leaves while it is read', () => {
  test('is not paid, and a later request with the payment reads and pays it', async () => {
    const { server, request, reader, x402 } = await createPaymentWorld()
    const own = server()
    const client = new AbortController()
    const photo = { ...request(), clientSignal: client.signal }
    reader.script(() => {
      client.abort()
      return new Promise(() => {})
    })
    expect(await describeRefusal(own.handle(photo))).toBe('INVALID_IMAGE')
    expect(x402.settled).toEqual([])
    reader.script(() => OBSERVATION)
    const again = await own.handle({ ...photo, clientSignal: undefined })
    expect([again.fresh, x402.settled.length]).toEqual([expect.any(String), 1])
  })

  test('is read for another client that waits for the same answer', async () => {
    const { server, request, reader, x402 } = await createPaymentWorld()
    const own = server()
    const clients = [new AbortController(), new AbortController(), new AbortController()]
    const photo = request()
    const { promise: isRead, resolve: finish } = Promise.withResolvers<void>()
    reader.script(async () => {
      await isRead
      return OBSERVATION
    })
    const answers = clients.map(({ signal }) => own.handle({ ...photo, clientSignal: signal }))
    await waitFor(() => reader.requests.length === 1)
    clients[0]?.abort()
    clients[1]?.abort()
    finish()
    const { result } = await (answers[2] as (typeof answers)[0])
    expect(await answers[0]).toMatchObject({ result })
    expect(x402.settled).toHaveLength(1)
  })

  test('is paid after a hundred of a day, from a wallet or a network', async () => {
    const { server, request, requestOf, reader, x402, deps, later } = await createPaymentWorld()
    const own = server()
    const leave = async (photo: ReturnType<typeof request>) => {
      const client = new AbortController()
      const { promise, resolve } = Promise.withResolvers<typeof OBSERVATION>()
      reader.script(() => {
        client.abort()
        resolve(OBSERVATION)
        return promise
      })
      const answer = own.handle({ ...photo, clientSignal: client.signal })
      return describeRefusal(answer)
    }
    const limits = freeCardLimits(deps, {
      payer: `wallet ${request().payment.payload.authorization.from}`,
      address: request().address,
    })
    for (let card = 0; card < 99; card++) await deps.ledger.attempts.consume(limits, deps.now())
    expect(await leave(request())).toBe('INVALID_IMAGE')
    expect(x402.settled).toEqual([])
    expect(await leave(request())).toStartWith('no refusal')
    expect(await leave(requestOf(`0x${'7'.repeat(40)}`))).toStartWith('no refusal')
    expect(x402.settled).toHaveLength(2)
    later(24 * 3_600_000)
    expect(await leave(request())).toBe('INVALID_IMAGE')
  })
})

describe('damaged photos of a wallet', () => {
  test('are read five times a day, and then refused before they are read', async () => {
    const { server, request, reader, x402, later } = await createPaymentWorld()
    reader.script(() => {
      throw new DamagedPhoto('The image is damaged.')
    })
    const own = server()
    const send = () => describeRefusal(own.handle(request()))
    for (let photo = 0; photo < 5; photo++) expect(await send()).toBe('INVALID_IMAGE')
    expect([await send(), reader.requests.length]).toEqual(['TOO_MANY_ATTEMPTS', 5])
    later(24 * 3_600_000)
    expect([await send(), reader.requests.length]).toEqual(['INVALID_IMAGE', 6])
    expect(x402.settled).toEqual([])
  })
})
