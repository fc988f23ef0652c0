// Individually paid photos, with everything real except for the reader: the official client signs, the official
// facilitator settles, and the money moves on a chain, whose balances are checked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { PaymentPayload } from '@x402/core/types'
import { scriptedPhoto } from '../../support/photos/fake-reader.ts'
import { createPhotoProcess, type PhotoProcess } from '../../support/photos/photo-process.ts'
import { type Chain, PHOTO_PRICE, startChain } from '../../support/x402/chain.ts'
import {
  type Facilitator,
  type SettleFault,
  startFacilitator,
} from '../../support/x402/facilitator.ts'
import {
  authorizationOf,
  createPayer,
  firstOffer,
  type Payer,
  paymentHeaders,
  tamperWith,
} from '../../support/x402/payer.ts'
import {
  PAID_PATH,
  parsePhotoResponse,
  requestTerms,
  retryUntilAnswered,
  sendPhoto,
} from '../../support/x402/photo-buyer.ts'
import { type GateServer, startGateServer } from './gate-server.ts'

const chain = await startChain()
if (chain === undefined)
  test.skip('photos are paid on a real chain, where one is available', () => {})
else describe('photos paid on a real chain', () => promises(chain))

// A request whose payment cannot be settled waits for up to half a minute; only CARDSTOCK_CHAOS=full has time for
// that.
const isFull = process.env.CARDSTOCK_CHAOS === 'full'

/** Four seconds longer than the minimum validity of an arriving payment. */
const SHORTEST_SECONDS = 34

/** How much longer one customer waits for a response than another. */
const IMPATIENT_MS = 1_500

/** Names that no two photos have in common. */
let names = 0
const newName = () => `photo ${++names}`

function promises(chain: Chain): void {
  const payTo = chain.newAddress()
  let facilitator: Facilitator
  let rpc: GateServer
  let service: PhotoProcess
  /** A client with a fresh wallet for each test. */
  let payer: Payer

  beforeAll(async () => {
    facilitator = await startFacilitator(chain)
    rpc = startGateServer(chain.rpcUrl)
    const facilitatorUrl = facilitator.url
    service = await createPhotoProcess({ chain, facilitatorUrl, payTo, rpcUrl: rpc.url })
    await service.start()
  })
  beforeEach(async () => {
    facilitator.script()
    rpc.unblock()
    payer = await newPayer(100n * PHOTO_PRICE)
  })
  afterAll(async () => {
    await service.close()
    await rpc.close()
    await facilitator.close()
    await chain.close()
  })

  async function newPayer(amount: bigint): Promise<Payer> {
    return createPayer(await chain.createFundedAccount(amount), chain.asset)
  }

  const terms = () => requestTerms(service.url)
  const pay = async (photo: Uint8Array<ArrayBuffer>, payment: PaymentPayload) =>
    sendPhoto(service.url, photo, paymentHeaders(payment))
  /** Number of photos read. */
  const timesRead = (name: string) => service.readings().filter((line) => line.name === name).length

  /** Returns the transfers on the chain during a call, in prices of a photo. */
  async function paidDuring(action: () => Promise<unknown>): Promise<number> {
    const before = await chain.balanceOf(payTo)
    await action()
    return Number((await chain.balanceOf(payTo)) - before) / Number(PHOTO_PRICE)
  }

  describe('the official client', () => {
    const form = (photo: Uint8Array<ArrayBuffer>) => {
      const body = new FormData()
      body.set('image', new File([photo], 'card.webp', { type: 'image/webp' }))
      return { body }
    }
    const json = (photo: Uint8Array<ArrayBuffer>) => ({
      body: JSON.stringify({ image: photo.toBase64() }),
      headers: { 'content-type': 'application/json' },
    })
    const raw = (photo: Uint8Array<ArrayBuffer>) => ({
      body: photo,
      headers: { 'content-type': 'image/webp' },
    })

    test.each([
      ['a form', form],
      ['JSON', json],
      ['the body itself', raw],
    ] as const)('pays two cents for a photo sent as %s, and gets its result', async (_, sent) => {
      const name = newName()
      const balance = await chain.balanceOf(payer.address)
      const paid = await paidDuring(async () => {
        const init = { method: 'POST', ...sent(scriptedPhoto({ name, card: 900402 })) }
        const reply = await parsePhotoResponse(
          await payer.fetch(`${service.url}${PAID_PATH}`, init),
        )
        expect([reply.status, reply.code]).toEqual([200, null])
        expect(reply.body.data).toMatchObject({ status: expect.any(String) })
        expect(JSON.stringify(reply.body.data)).toContain('900402')
        expect(reply.body.meta).toEqual({ charged: 'payment', scans_remaining: 0 })
        const moved = (await chain.transfers()).filter(({ from }) => from === payer.address)
        expect(moved).toMatchObject([
          { to: payTo, amount: PHOTO_PRICE, transaction: reply.transaction },
        ])
      })
      expect(paid).toBe(1)
      expect(await chain.balanceOf(payer.address)).toBe(balance - PHOTO_PRICE)
      expect(timesRead(name)).toBe(1)
    })
  })

  describe('a payment', () => {
    test('that is repeated with its photo gets the same response, without a second payment', async () => {
      const name = newName()
      const payment = await payer.sign(await terms())
      const paid = await paidDuring(async () => {
        const first = await pay(scriptedPhoto({ name }), payment)
        const second = await pay(scriptedPhoto({ name }), payment)
        expect([first.status, second.status]).toEqual([200, 200])
        expect(second.body.data).toEqual(first.body.data)
        expect(second.transaction).toBe(first.transaction)
        expect(second.transaction).toMatch(/^0x[0-9a-f]{64}$/)
      })
      expect(paid).toBe(1)
      expect(timesRead(name)).toBe(1)
    })

    test('that expired during the call still gets its response', async () => {
      const name = newName()
      const lasts = { maxTimeoutSeconds: SHORTEST_SECONDS }
      const payment = await payer.signInstead(await terms(), lasts)
      const paid = await paidDuring(async () => {
        const first = await pay(scriptedPhoto({ name }), payment)
        expect([first.status, first.code]).toEqual([200, null])
        await Bun.sleep(5_500)
        const second = await pay(scriptedPhoto({ name }), payment)
        expect([second.status, second.id]).toEqual([200, first.id])
      })
      expect([paid, timesRead(name)]).toEqual([1, 1])
    })

    test('is rejected for another photo, and for other options', async () => {
      const [name, other] = [newName(), newName()]
      const payment = await payer.sign(await terms())
      const paid = await paidDuring(async () => {
        expect((await pay(scriptedPhoto({ name }), payment)).status).toBe(200)
        const replies = [
          await pay(scriptedPhoto({ name: other }), payment),
          await sendPhoto(service.url, scriptedPhoto({ name }), paymentHeaders(payment), {
            path: `${PAID_PATH}&include=prices`,
          }),
        ]
        for (const { status, code } of replies) {
          expect([status, code]).toEqual([402, 'PAYMENT_REJECTED'])
        }
      })
      expect(paid).toBe(1)
      expect([timesRead(name), timesRead(other)]).toEqual([1, 0])
    })

    test('is not used if the photo cannot be read, and remains valid', async () => {
      const name = newName()
      const photo = scriptedPhoto({ name, fails: 1 })
      const payment = await payer.sign(await terms())
      const settled = facilitator.counts.settlements
      const failed = await paidDuring(async () => {
        const { status, code, headers } = await pay(photo, payment)
        expect([status, code]).toEqual([503, 'IDENTIFY_UNAVAILABLE'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      })
      expect([failed, facilitator.counts.settlements - settled]).toEqual([0, 0])
      const paid = await paidDuring(async () => {
        expect((await pay(photo, payment)).status).toBe(200)
      })
      expect([paid, timesRead(name)]).toEqual([1, 2])
    })

    test('sent 20 times at once is processed once, and pays once', async () => {
      const name = newName()
      const photo = scriptedPhoto({ name, ms: 50 })
      const payment = await payer.sign(await terms())
      const paid = await paidDuring(async () => {
        const sent = { url: service.url, photo, payment }
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => retryUntilAnswered(sent)),
        )
        expect(replies.map((reply) => reply?.status)).toEqual(Array(20).fill(200))
        expect(new Set(replies.map((reply) => reply?.id)).size).toBe(1)
      })
      expect([paid, timesRead(name)]).toEqual([1, 1])
    })

    test('sent with two photos at once pays for one, and returns one', async () => {
      for (let round = 0; round < 20; round++) {
        const both = [newName(), newName()]
        const payment = await payer.sign(await terms())
        const paid = await paidDuring(async () => {
          const replies = await Promise.all(
            both.map((name) =>
              retryUntilAnswered({
                url: service.url,
                photo: scriptedPhoto({ name, ms: round % 5 }),
                payment,
              }),
            ),
          )
          expect(replies.map((reply) => reply?.status).sort()).toEqual([200, 402])
        })
        expect(paid).toBe(1)
      }
    })
  })

  describe('a payment is rejected, and nothing is read or moved,', () => {
    type Forge = (payer: Payer) => Promise<PaymentPayload>
    const signedFor = (instead: Parameters<Payer['signInstead']>[1]): Forge => {
      return async (by) => by.signInstead(await terms(), instead)
    }
    const changed = (change: Parameters<typeof tamperWith>[1]): Forge => {
      return async (by) => tamperWith(await by.sign(await terms()), change)
    }

    test.each<[string, Forge]>([
      ['that is signed for less', signedFor({ amount: String(PHOTO_PRICE - 1n) })],
      ['whose payer was changed', changed({ from: chain.newAddress() })],
      ['whose nonce was changed', changed({ nonce: `0x${'5'.repeat(64)}` })],
      ['whose end was put off', changed({ validBefore: '4102444800' })],
      [
        'of a payer without enough money',
        async () => (await newPayer(PHOTO_PRICE - 1n)).sign(await terms()),
      ],
    ])('%s', async (_, forge) => {
      const name = newName()
      const payment = await forge(payer)
      const moved = (await chain.transfers()).length
      const reply = await pay(scriptedPhoto({ name }), payment)
      expect([reply.status, reply.code]).toEqual([402, 'PAYMENT_REJECTED'])
      expect(reply.headers.has('payment-required')).toBe(true)
      expect((await chain.transfers()).length).toBe(moved)
      expect(timesRead(name)).toBe(0)
    })
  })

  test('a wallet that can pay for one of two photos gets one response', async () => {
    const poor = await newPayer(PHOTO_PRICE)
    const offers = await terms()
    const payments = await Promise.all([poor.sign(offers), poor.sign(offers)])
    const paid = await paidDuring(async () => {
      const patience = new AbortController()
      const replies = await Promise.all(
        payments.map(async (payment) => {
          const photo = scriptedPhoto({ name: newName(), ms: 100 })
          const { signal } = patience
          const sent = sendPhoto(service.url, photo, paymentHeaders(payment), { signal })
          const reply = await sent.catch(() => undefined)
          if (reply?.status === 200) setTimeout(() => patience.abort(), IMPATIENT_MS)
          return reply
        }),
      )
      expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(1)
      const [other] = replies.filter((reply) => reply?.status !== 200)
      expect(['nobody waited', 'PAYMENT_REJECTED']).toContain(other?.code ?? 'nobody waited')
    })
    expect(paid).toBe(1)
  })

  describe('a failing facilitator', () => {
    test.each(['bad gateway', 'closed'] as const)(
      'to verify (%s): nothing is read or paid, and the same payment remains valid',
      async (fault) => {
        const name = newName()
        const payment = await payer.sign(await terms())
        facilitator.script({ verify: () => fault })
        const refused = await pay(scriptedPhoto({ name }), payment)
        expect([refused.status, refused.code]).toEqual([503, 'PAYMENT_UNAVAILABLE'])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(timesRead(name)).toBe(0)
        expect(await chain.balanceOf(payer.address)).toBe(100n * PHOTO_PRICE)
        facilitator.script()
        const paid = await paidDuring(async () => {
          expect((await pay(scriptedPhoto({ name }), payment)).status).toBe(200)
        })
        expect([paid, timesRead(name)]).toEqual([1, 1])
      },
    )

    test.each<SettleFault>(['bad gateway', 'lost', 'lost behind a gateway', 'denied'])(
      'to settle (%s): the customer still gets the response, and pays once',
      async (fault) => {
        const name = newName()
        const payment = await payer.sign(await terms())
        let faults = 0
        facilitator.script({ settle: () => (faults++ === 0 ? fault : undefined) })
        const paid = await paidDuring(async () => {
          const codes: (string | null)[] = []
          const sent = { url: service.url, photo: scriptedPhoto({ name }), payment }
          const reply = await retryUntilAnswered(sent, (one) => codes.push(one?.code ?? null))
          expect([reply?.status, reply?.code]).toEqual([200, null])
          expect(codes.filter((code) => code !== 'PAYMENT_PENDING')).toEqual([null])
          const moved = (await chain.transfers()).filter(({ from }) => from === payer.address)
          expect(moved).toMatchObject([{ transaction: reply?.transaction }])
        })
        expect([paid, timesRead(name)]).toEqual([1, 1])
      },
    )

    test('together with the chain: a customer who returns later gets the response', async () => {
      const name = newName()
      const payment = await payer.sign(await terms())
      facilitator.script({ settle: () => 'lost' })
      rpc.block()
      const paid = await paidDuring(async () => {
        const leaving = new AbortController()
        const { signal } = leaving
        const settled = facilitator.counts.settlements
        const photo = scriptedPhoto({ name })
        const left = sendPhoto(service.url, photo, paymentHeaders(payment), { signal })
        while (facilitator.counts.settlements === settled) await Bun.sleep(5)
        leaving.abort()
        expect(await left.catch((error) => error.name)).toBe('AbortError')
        const other = await pay(scriptedPhoto({ name: newName() }), payment)
        expect([other.status, other.code]).toEqual([402, 'PAYMENT_REJECTED'])
        rpc.unblock()
        const reply = await retryUntilAnswered({
          url: service.url,
          photo: scriptedPhoto({ name }),
          payment,
        })
        expect(reply?.status).toBe(200)
      })
      expect([paid, timesRead(name)]).toEqual([1, 1])
    })

    test.skipIf(!isFull)(
      'together with the chain for half a minute: a waiting customer gets Retry-After',
      async () => {
        const name = newName()
        const payment = await payer.sign(await terms())
        facilitator.script({ settle: () => 'lost' })
        rpc.block()
        const paid = await paidDuring(async () => {
          const pending = await pay(scriptedPhoto({ name }), payment)
          expect([pending.status, pending.code]).toEqual([503, 'PAYMENT_PENDING'])
          expect(Number(pending.headers.get('retry-after'))).toBeGreaterThan(0)
          rpc.unblock()
          expect((await pay(scriptedPhoto({ name }), payment)).status).toBe(200)
        })
        expect([paid, timesRead(name)]).toEqual([1, 1])
      },
    )

    test('that is slow: the same request in the meantime pays nothing more', async () => {
      const name = newName()
      const payment = await payer.sign(await terms())
      facilitator.script({ beforeSettle: () => Bun.sleep(500) })
      const paid = await paidDuring(async () => {
        const sent = { url: service.url, photo: scriptedPhoto({ name }), payment }
        const first = retryUntilAnswered(sent)
        await Bun.sleep(200)
        const [one, other] = await Promise.all([first, retryUntilAnswered(sent)])
        expect([one?.status, other?.status]).toEqual([200, 200])
        expect(one?.id).toBe(other?.id ?? '')
      })
      expect([paid, timesRead(name)]).toEqual([1, 1])
    })
  })

  test('a service that is killed after the payment responds after its restart', async () => {
    const name = newName()
    const payment = await payer.sign(await terms())
    let kills = 0
    facilitator.script({ afterSettle: () => (kills++ === 0 ? service.kill() : undefined) })
    const paid = await paidDuring(async () => {
      const reply = retryUntilAnswered({
        url: service.url,
        photo: scriptedPhoto({ name }),
        payment,
      })
      while (kills === 0) await Bun.sleep(5)
      await service.kill()
      await service.start()
      expect((await reply)?.status).toBe(200)
    })
    expect([paid, timesRead(name)]).toEqual([1, 1])
    const [moved] = (await chain.transfers()).slice(-1)
    expect(moved?.nonce).toBe(authorizationOf(payment).nonce)
    expect(firstOffer(await terms()).amount).toBe(String(PHOTO_PRICE))
  })
}
