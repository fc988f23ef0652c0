// Individually paid photos while everything fails: the service is killed repeatedly, and the facilitator's responses
// are lost after the payment. Verification fails, the photo reader fails, and some customers try to get two photos
// for one payment. Customer results, the reader's log and the chain are compared. CARDSTOCK_CHAOS=full selects the
// long run.
import { afterAll, describe, expect, test } from 'bun:test'
import type { PaymentPayload } from '@x402/core/types'
import { CHAOS_SIZE } from '../support/chaos.ts'
import { type Closers, closeAfterEach } from '../support/closers.ts'
import { type ReadLine, scriptedPhoto } from '../support/photos/fake-reader.ts'
import { createPhotoProcess, type PhotoProcess } from '../support/photos/photo-process.ts'
import { type Chain, PHOTO_PRICE, startChain } from '../support/x402/chain.ts'
import { type Facilitator, startFacilitator } from '../support/x402/facilitator.ts'
import {
  authorizationOf,
  createPayer,
  type Payer,
  paymentRequiredIn,
} from '../support/x402/payer.ts'
import { PAID_PATH, type PhotoResponse, retryUntilAnswered } from '../support/x402/photo-buyer.ts'

const SIZES = {
  short: { payments: 16, clients: 6, kills: 3, lost: 6, bursts: 1, minutes: 1 },
  full: { payments: 500, clients: 16, kills: 300, lost: 250, bursts: 50, minutes: 25 },
}

const SIZE = SIZES[CHAOS_SIZE]

const chain = await startChain()
if (chain === undefined) test.skip('photo payments under failures on a real chain', () => {})
else describe('payments for photos', () => promises(chain))

/** A payment and the responses to the photos sent with it. */
type Purchase = {
  index: number
  payment: PaymentPayload
  photos: { name: string; bytes: Uint8Array<ArrayBuffer>; reply: PhotoResponse | undefined }[]
}

function promises(chain: Chain): void {
  const closers = closeAfterEach()
  afterAll(() => chain.close())

  const title = `${SIZE.payments} payments, ${SIZE.kills} kills, ${SIZE.lost} lost answers: who paid has one photo read, and who has it paid`

  test(
    title,
    async () => {
      const started = performance.now()
      const world = await openWorld(closers, chain)
      const { facilitator, service } = world
      const answers = new Map<string, number>()
      const purchases: Purchase[] = []
      facilitator.script(faultsOf(facilitator, world.ambush))
      const load = shop(world, purchases, answers)
      const downMs = await killOften(world, () => purchases.length)
      await load
      facilitator.script()

      // Now no response comes from memory, and every signature is old.
      await service.kill()
      await service.start()
      const found = await compare(chain, world.payTo, purchases, service.readings())
      const again = await resendPaid(service, purchases)
      const seconds = Math.round((performance.now() - started) / 1000)
      console.info(
        `${SIZE.payments} payments by ${SIZE.clients} clients, ${SIZE.kills} kills (down ${Math.round(downMs / SIZE.kills)} ms each), ${facilitator.counts.lost} lost settle answers, ${facilitator.counts.failed_verify} failed verifies, ${seconds} s: ${JSON.stringify({ ...found, ...again, answers: Object.fromEntries(answers) })}`,
      )
      expect(facilitator.counts.lost).toBeGreaterThanOrEqual(SIZE.lost)
      expect(found).toMatchObject({
        results: SIZE.payments,
        payments: SIZE.payments,
        moved: SIZE.payments,
        paid_without_result: 0,
        result_without_payment: 0,
        two_photos_for_one_payment: 0,
        other_transaction: 0,
        unanswered: 0,
      })
      expect(again).toEqual({ same_again: SIZE.payments, other_again: 0 })
    },
    SIZE.minutes * 60_000,
  )

  test(
    `20 requests at once with one signature, ${SIZE.bursts} times: one is processed and paid`,
    async () => {
      const { service, payTo, newPayer } = await openWorld(closers, chain)
      for (let burst = 0; burst < SIZE.bursts; burst++) {
        const payer = await newPayer(1)
        const payment = await payer.sign(await termsOf(service))
        const name = `burst ${burst}`
        const sent = { url: service.url, photo: scriptedPhoto({ name, ms: burst % 7 }), payment }
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => retryUntilAnswered(sent)),
        )
        expect(replies.map((reply) => reply?.status)).toEqual(Array(20).fill(200))
        expect(new Set(replies.map((reply) => reply?.id)).size).toBe(1)
        expect(service.readings().filter((line) => line.name === name)).toHaveLength(1)
      }
      expect(await chain.balanceOf(payTo)).toBe(BigInt(SIZE.bursts) * PHOTO_PRICE)
    },
    SIZE.minutes * 60_000,
  )
}

/** The moment at which the service is killed next. */
type Moment = (typeof MOMENTS)[number]

const MOMENTS = [
  'any',
  'while the photo is read',
  'before the money moves',
  'after the money moved',
] as const

/** Waits for such a moment; the facilitator announces it. */
type Ambush = {
  wait(moment: Moment, action: () => Promise<void>): Promise<void>
  announce(moment: Moment): Promise<void>
}

type World = Awaited<ReturnType<typeof openWorld>>

/** @param closers close what was started, even if the rest fails to start */
async function openWorld(closers: Closers, chain: Chain) {
  const payTo = chain.newAddress()
  const facilitator = await startFacilitator(chain)
  closers.push(facilitator.close)
  const service = await createPhotoProcess({ chain, facilitatorUrl: facilitator.url, payTo })
  closers.push(service.close)
  await service.start()
  return {
    payTo,
    facilitator,
    service,
    ambush: openAmbush(),
    /** Creates a payer with the money for a number of photos. */
    newPayer: async (photos: number): Promise<Payer> =>
      createPayer(await chain.createFundedAccount(BigInt(photos) * PHOTO_PRICE), chain.asset),
  }
}

function openAmbush(): Ambush {
  let laid: { moment: Moment; spring: () => Promise<void> } | undefined
  return {
    wait(moment, action) {
      return new Promise((resolve, reject) => {
        const spring = async () => {
          if (laid?.spring !== spring) return
          laid = undefined
          await action().then(resolve, reject)
        }
        laid = { moment, spring }
        // After a while, any moment is accepted.
        setTimeout(() => void spring(), moment === 'any' ? Math.random() * 80 : 400)
      })
    },
    async announce(moment) {
      if (laid?.moment === moment) await laid.spring()
    },
  }
}

/** Loses every second response, spread over all payments, and fails every tenth verification. */
function faultsOf({ counts }: Facilitator, ambush: Ambush) {
  const turns = { verify: 0, settle: 0 }
  const share = Math.min(1, (SIZE.lost * 1.15) / SIZE.payments)
  return {
    verify() {
      turns.verify++
      if (turns.verify % 20 === 7) return 'bad gateway'
      return turns.verify % 20 === 17 ? 'closed' : undefined
    },
    settle() {
      turns.settle++
      if (turns.settle % 20 === 11) return 'bad gateway'
      if (counts.lost >= counts.settled * share) return undefined
      return (['lost', 'lost behind a gateway', 'denied'] as const)[turns.settle % 3]
    },
    afterVerify: () => ambush.announce('while the photo is read'),
    beforeSettle: () => ambush.announce('before the money moves'),
    afterSettle: () => ambush.announce('after the money moved'),
  } as const
}

/**
 * Kills the service after a number of further payments, and starts it again.
 *
 * @returns how long it was down, in ms
 */
async function killOften({ service, ambush }: World, done: () => number): Promise<number> {
  let downMs = 0
  for (let kill = 1; kill <= SIZE.kills; kill++) {
    while (done() < Math.floor((kill * SIZE.payments) / (SIZE.kills + 1))) await Bun.sleep(5)
    const moment = MOMENTS[kill % MOMENTS.length] ?? 'any'
    await ambush.wait(moment, async () => {
      if (moment === 'while the photo is read') await Bun.sleep(Math.random() * READ_MS_MAX)
      await service.kill()
    })
    const killed = performance.now()
    await service.start()
    downMs += performance.now() - killed
  }
  return downMs
}

/** Runs the customers: each buys one photo after another, until all are bought. */
async function shop(
  { service, newPayer }: World,
  purchases: Purchase[],
  answers: Map<string, number>,
): Promise<void> {
  const tally = (reply: PhotoResponse | undefined) => {
    const kind = reply === undefined ? 'no answer' : `${reply.status} ${reply.code ?? ''}`.trim()
    answers.set(kind, (answers.get(kind) ?? 0) + 1)
  }
  /** Pays once and sends the photos. */
  async function buy(payer: Payer, index: number): Promise<Purchase> {
    const payment = await payer.sign(await termsOf(service))
    const photos = await Promise.all(
      photosOf(index).map(async ({ name, bytes }) => {
        const reply = await retryUntilAnswered({ url: service.url, photo: bytes, payment }, tally)
        return { name, bytes, reply }
      }),
    )
    return { index, payment, photos }
  }

  let next = 0
  async function customer(): Promise<void> {
    const payer = await newPayer(2 * SIZE.payments)
    while (next < SIZE.payments) {
      const index = next++
      // A refused customer signs again; the end of the test checks that no payment was lost.
      for (let sign = 0; sign < SIGNED_MOST; sign++) {
        const purchase = await buy(payer, index)
        purchases.push(purchase)
        if (purchase.photos.some(({ reply }) => reply?.status === 200)) break
      }
    }
  }
  await Promise.all(Array.from({ length: SIZE.clients }, customer))
}

/** Maximum number of signatures for one photo before the customer gives up. */
const SIGNED_MOST = 5

/** Longer than the service needs before it settles. */
const READ_MS_MAX = 40

/** Every fourth photo fails at first; every third payment is sent with two photos. */
function photosOf(index: number) {
  const names = index % 3 === 0 ? [`${index} one`, `${index} other`] : [`${index} one`]
  return names.map((name) => {
    const fails = index % 4 === 0 ? 1 : 0
    return { name, bytes: scriptedPhoto({ name, fails, ms: READ_MS_MAX / (1 + (index % 4)) }) }
  })
}

/** Returns the payment terms once the service responds. */
async function termsOf({ url }: PhotoProcess) {
  for (;;) {
    const response = await fetch(`${url}${PAID_PATH}`, { method: 'POST' }).catch(() => undefined)
    if (response?.status === 402) return paymentRequiredIn(response)
    await Bun.sleep(20)
  }
}

/** Repeats the requests of paid photos, both the accepted and the rejected one. */
async function resendPaid(service: PhotoProcess, purchases: readonly Purchase[]) {
  let [same_again, other_again] = [0, 0]
  // A payment that was rejected altogether stays unpaid and valid.
  const served = purchases.filter(({ photos }) => photos.some(({ reply }) => reply?.status === 200))
  for (const { payment, photos } of served) {
    for (const { bytes, reply } of photos) {
      const again = await retryUntilAnswered({ url: service.url, photo: bytes, payment })
      if (reply?.status === 200 && again?.id === reply.id) same_again++
      if (reply?.status !== 200 && again?.status === 200) other_again++
    }
  }
  return { same_again, other_again }
}

/** Compares the payments as recorded by customers, reader and chain. */
async function compare(
  chain: Chain,
  payTo: string,
  purchases: readonly Purchase[],
  readings: readonly ReadLine[],
) {
  const movements = (await chain.transfers()).filter(({ to }) => to === payTo)
  const paid = new Map(movements.map(({ nonce, transaction }) => [nonce, transaction]))
  const served = purchases.map(({ index, payment, photos }) => {
    const transaction = paid.get(authorizationOf(payment).nonce)
    const shown = photos.filter(({ reply }) => reply?.status === 200)
    const isProved = shown.every(({ reply }) => reply?.transaction === transaction)
    const isPaid = transaction !== undefined
    if (!isProved || isPaid !== (shown.length === 1)) {
      const answers = photos.map(({ reply }) => [reply?.transaction, reply?.body.error])
      console.info('not in order:', JSON.stringify({ index, transaction, answers }))
    }
    return { isPaid, isProved, shown: shown.length }
  })
  const works = purchases.map(
    ({ photos }) =>
      readings.filter(
        ({ name, outcome }) => outcome === 'read' && photos.some((photo) => photo.name === name),
      ).length,
  )
  const failures = readings.filter(({ outcome }) => outcome === 'failed').length
  const balance = await chain.balanceOf(movements[0]?.to ?? chain.asset)
  return {
    results: served.filter(({ shown }) => shown > 0).length,
    payments: movements.filter(({ amount }) => amount === PHOTO_PRICE).length,
    moved: Number(balance) / Number(PHOTO_PRICE),
    paid_without_result: served.filter(({ isPaid, shown }) => isPaid && shown === 0).length,
    result_without_payment: served.filter(({ isPaid, shown }) => !isPaid && shown > 0).length,
    two_photos_for_one_payment: served.filter(({ shown }) => shown > 1).length,
    other_transaction: served.filter(({ isProved }) => !isProved).length,
    refused: served.filter(({ isPaid, shown }) => !isPaid && shown === 0).length,
    races: purchases.filter(({ photos }) => photos.length > 1).length,
    reads: readings.length,
    reader_failures: failures,
    work_per_signature: works.reduce((sum, one) => sum + one, 0) / works.length,
    work_per_signature_most: Math.max(...works),
    unanswered: purchases.flatMap(({ photos }) => photos).filter(({ reply }) => !reply).length,
  }
}
