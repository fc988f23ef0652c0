import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import type { VectorSource } from '#vision/retrieval/index-updates.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { createPhotoReader, type ReaderOptions } from '#vision/worker/reader.ts'
import { sizedFor } from '../../support/chaos.ts'
import { readThreadPriorities } from '../../support/operations/thread-priorities.ts'
import { cutCardAt } from '../../support/photos/reader-fixtures.ts'
import {
  LINES,
  PIPELINE_SCRIPT_FILE,
  scriptedVector,
} from '../../support/photos/scripted-pipeline.ts'
import { createTestLog } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const ENTRY = new URL('../../support/photos/scripted-worker.ts', import.meta.url)
const UNAVAILABLE = { code: 'IDENTIFY_UNAVAILABLE', retryAfter: 2 }

const readers: PhotoReader[] = []
afterEach(async () => {
  rmSync(PIPELINE_SCRIPT_FILE, { force: true })
  await Promise.all(readers.splice(0).map((photoReader) => photoReader.close()))
})

/** Pictures that a test can change, with vectors derived from the card ids. */
function openPictures(count: number) {
  let version = 1
  let rows = Array.from({ length: count }, (_, index) => ({
    card_id: index + 1,
    game_id: (index % 2) + 1,
    vector: scriptedVector(index + 1) as Int8Array | undefined,
    version,
  }))
  const source: VectorSource = {
    getVersion: () => version,
    *listChangesSince(since) {
      const changed = rows.filter((row) => row.version > since)
      for (let at = 0; at < changed.length; at += 4_000) yield changed.slice(at, at + 4_000)
    },
    getHashes: (ids) => new Map(ids.map((id) => [id, new Uint8Array(128).fill(id % 2 ? 0 : 255)])),
  }
  return {
    source,
    put(card_id: number, game_id: number, vector: Int8Array | undefined) {
      rows = rows.filter((row) => row.card_id !== card_id)
      rows.push({ card_id, game_id, vector, version: ++version })
    },
  }
}

function open({ limits, ...options }: Partial<ReaderOptions> = {}): PhotoReader {
  const photoReader = createPhotoReader({
    workers: 1,
    log: createTestLog([]),
    pictures: openPictures(0).source,
    entry: ENTRY,
    limits: { backoffMs: 1, backoffMaxMs: 10, pollIntervalMs: 5, ...limits },
    ...options,
  })
  readers.push(photoReader)
  return photoReader
}

/** Returns a sender; different names are different senders. */
const sender = (name: string) => ({ network: name, payer: name })
const ANY_GAME = { gameId: undefined, sender: sender('anyone') }
const read = (
  photoReader: PhotoReader,
  words: string,
  { gameId, from = words }: { gameId?: number; from?: string } = {},
) => photoReader.read(new TextEncoder().encode(words), { gameId, sender: sender(from) })

/** Returns the error of a read; undefined if it succeeds. */
const errorOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => undefined,
    (error) => error,
  )

describe('a page', () => {
  const bytes = (words: string) => new TextEncoder().encode(words)
  const collector = { gameId: undefined, sender: sender('collector') }

  test('is cut into photos of one card, between which others have their turn', async () => {
    const photoReader = open()
    const order: string[] = []
    const others: Promise<unknown>[] = []
    const readOther = (words: string) =>
      others.push(read(photoReader, words).then(() => order.push(words)))
    const page = photoReader.cut(bytes('see 1, see 2'), collector)
    // Waits behind the page, and before its first card.
    readOther('see 8')
    const { cards } = await page
    for (const { jpeg, placement } of cards) {
      const { items } = await photoReader.read(jpeg, { ...collector, placement })
      order.push(`card ${items}`)
      if (items === 1) readOther('see 9')
    }
    await Promise.all(others)
    expect(order).toEqual(['see 8', 'card 1', 'see 9', 'card 2'])
  })

  test('delays photos by one card at most, also if six accounts send pages', async () => {
    const photoReader = open()
    await read(photoReader, 'see 1')
    let [cards, isOver] = [0, false]
    const { placement } = cutCardAt(bytes(''), 0)
    const pages = Array.from({ length: 6 }, async (_, account) => {
      const page = { gameId: undefined, sender: sender(`page ${account}`), placement }
      while (!isOver) {
        await photoReader.read(bytes('sleep 20'), page)
        cards++
      }
    })
    await waitFor(() => photoReader.state().waiting === 5)
    const delays: number[] = []
    for (let photo = 0; photo < 10; photo++) {
      const before = cards
      await read(photoReader, 'sleep 20', { from: 'customer' })
      delays.push(cards - before)
    }
    isOver = true
    await Promise.all(pages)
    expect(Math.max(...delays)).toBe(1)
  })

  test('continues although the maximum number of photos of its payer waits', async () => {
    const photoReader = open()
    const waiting = [1, 2].map((n) => read(photoReader, `see ${n}`, { from: 'collector' }))
    const { placement } = cutCardAt(bytes(''), 0)
    const card = photoReader.read(bytes('see 3'), { ...collector, placement })
    expect(await errorOf(photoReader.cut(bytes('see 4'), collector))).toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    })
    expect((await card).items).toBe(3)
    await Promise.all(waiting)
  })
})

describe('the text of a card', () => {
  test.each([
    ['briefly on a page, if its picture is certain', 2, true, 'brief'],
    ['in full on a page, if two pictures are equally near', 3, true, 'all'],
    ['with less search in a photo of its own, if its picture is certain', 2, false, 'certain'],
    ['in full in a photo of its own, if two pictures are equally near', 3, false, 'all'],
  ] as const)('is read %s', async (_, pictures, isOfPage, detail) => {
    const photoReader = open({ pictures: openPictures(pictures).source })
    const { placement } = cutCardAt(new Uint8Array(), 0)
    const request = isOfPage ? { ...ANY_GAME, placement } : ANY_GAME
    const { lines } = await photoReader.read(new TextEncoder().encode('see 1'), request)
    expect(lines).toHaveLength(LINES[detail])
  })
})

describe('a photo', () => {
  test.skipIf(process.platform !== 'linux')(
    'is read by a thread that lets the thread of requests go first',
    async () => {
      await read(open(), 'see 1')
      const { main, all } = readThreadPriorities()
      expect(main).toBe(getPriority())
      expect(Math.max(...all)).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL)
    },
  )

  test('waits until the thread is ready', async () => {
    const photoReader = open()
    expect(photoReader.state()).toMatchObject({ ready: false, waiting: 0 })
    expect(await read(photoReader, 'see 7')).toMatchObject({ kind: 'raw', items: 7, neighbors: [] })
    expect(photoReader.state()).toMatchObject({ ready: true, waiting: 0, reading: 0, replaced: 0 })
  })

  test('is freed after it was read, with its pixels', async () => {
    const photoReader = open()
    for (let photo = 0; photo < 8; photo++) await read(photoReader, 'see 1')
    // The last ones may still be in use.
    const { items } = await read(photoReader, 'collected')
    expect(items).toBeGreaterThanOrEqual(3)
  })

  test('is compared with every picture, or those of one game', async () => {
    const reader = open({ pictures: openPictures(9_000).source })
    const { neighbors } = await read(reader, 'see 801')
    expect(neighbors).toHaveLength(50)
    expect(neighbors[0]).toEqual({ card_id: 801, cosine: 1, distance: 0 })
    // The pipeline yields hashes for one orientation only.
    const compared = neighbors.filter(({ distance }) => distance !== undefined)
    expect(compared.length > 0 && compared.length < 50).toBe(true)
    expect(reader.state().pictures).toBe(9_000)
    const others = await read(reader, 'see 801', { gameId: 2 })
    expect(others.neighbors.every(({ card_id }) => card_id % 2 === 0)).toBe(true)
  })

  test('matches a picture that was added later, and not a removed one', async () => {
    const pictures = openPictures(3)
    const reader = open({ pictures: pictures.source })
    await read(reader, 'see 1')
    pictures.put(500, 9, scriptedVector(500))
    pictures.put(1, 1, undefined)
    pictures.put(2, 1, undefined)
    await waitFor(() => reader.state().pictures === 2)
    const { neighbors } = await read(reader, 'see 500')
    expect(neighbors.map(({ card_id }) => card_id).sort()).toEqual([3, 500])
  })

  test('is read in order of arrival', async () => {
    const reader = open()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await read(reader, `sleep ${index % 3}`, { from: `${index}` })
        order.push(index)
      }),
    )
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  test('that is invalid is rejected, and the thread continues', async () => {
    const reader = open()
    expect(await errorOf(read(reader, 'refuse'))).toMatchObject({ code: 'INVALID_IMAGE' })
    await read(reader, 'see 1')
    expect(reader.state().replaced).toBe(0)
  })

  test('is rejected if the queue is full, or after the queue timeout', async () => {
    const reader = open({ limits: { queueMax: 2, queueTimeoutMs: 3_000 } })
    await read(reader, 'see 1')
    const slow = read(reader, 'sleep 4000')
    const waiting = [errorOf(read(reader, 'see 2')), errorOf(read(reader, 'see 3'))]
    expect(await errorOf(read(reader, 'see 4'))).toMatchObject(UNAVAILABLE)
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(UNAVAILABLE)
    expect((await slow).items).toBe(4_000)
    expect(reader.state()).toMatchObject({ waiting: 0, reading: 0 })
  })

  test('is rejected with 429 if its payer has two waiting photos, and others are not', async () => {
    const reader = open()
    await read(reader, 'see 1')
    const first = read(reader, 'sleep 200', { from: 'a' })
    const waiting = [read(reader, 'see 2', { from: 'a' }), read(reader, 'see 3', { from: 'a' })]
    const tooMany = { code: 'TOO_MANY_ATTEMPTS', retryAfter: 2 }
    expect(await errorOf(read(reader, 'see 4', { from: 'a' }))).toMatchObject(tooMany)
    expect(() => reader.assertRoom('a')).toThrow('already waiting')
    reader.assertRoom('b')
    expect((await read(reader, 'see 5', { from: 'b' })).items).toBe(5)
    expect((await first).items).toBe(200)
    await Promise.all(waiting)
  })

  test('leaves the queue with its client, without a turn', async () => {
    const reader = open()
    const first = read(reader, 'sleep 200', { from: 'a' })
    await waitFor(() => reader.state().reading === 1)
    const clients = [1, 2].map(() => new AbortController())
    const waiting = clients.map(({ signal: clientSignal }, index) =>
      errorOf(
        reader.read(new TextEncoder().encode(`see ${index}`), {
          gameId: undefined,
          sender: sender('a'),
          clientSignal,
        }),
      ),
    )
    expect(() => reader.assertRoom('a')).toThrow('already waiting')
    for (const client of clients) client.abort()
    reader.assertRoom('a')
    expect(await Promise.all(waiting)).toMatchObject([{ hasBegun: false }, { hasBegun: false }])
    expect(reader.state().waiting).toBe(0)
    await first
  })

  test('whose client leaves while it is read ends at once, and is not read again after a crash', async () => {
    const reader = open()
    await read(reader, 'see 1')
    for (const words of ['sleep 200', 'throw 200']) {
      const client = new AbortController()
      const request = { ...ANY_GAME, clientSignal: client.signal }
      const left = errorOf(reader.read(new TextEncoder().encode(words), request))
      await waitFor(() => reader.state().reading === 1)
      client.abort()
      expect(await left).toMatchObject({ code: 'INVALID_IMAGE', hasBegun: true })
      await waitFor(() => reader.state().reading === 0)
    }
    const gone = errorOf(
      reader.read(new TextEncoder().encode('see 2'), {
        ...ANY_GAME,
        clientSignal: AbortSignal.abort(),
      }),
    )
    expect(await gone).toMatchObject({ hasBegun: false })
    expect((await read(reader, 'see 3')).items).toBe(3)
    // The thread was replaced once: for the crash, not for a second attempt.
    expect(reader.state()).toMatchObject({ waiting: 0, replaced: 1 })
  })

  test('waits for at most one photo of an attacker who sends photos for 40 payers from one network', async () => {
    const reader = open({ limits: { queueTimeoutMs: 60_000 } })
    await read(reader, 'see 1')
    let isOver = false
    let attacks = 0
    const attack = Array.from({ length: 40 }, async (_, payer) => {
      const request = { gameId: undefined, sender: { network: 'attacker', payer: `${payer}` } }
      const photo = new TextEncoder().encode('sleep 20')
      while (!isOver) {
        const error = await errorOf(reader.read(photo, request))
        if (error === undefined) attacks++
        else await Bun.sleep(5)
      }
    })
    await waitFor(() => reader.state().waiting === 32)
    for (let photo = 0; photo < 10; photo++) {
      const before = attacks
      await read(reader, 'sleep 20', { from: 'honest' })
      expect(attacks - before).toBeLessThanOrEqual(1)
    }
    isOver = true
    await Promise.all(attack)
  })

  test.each(['exit', 'throw', 'stray'])(
    'that crashes its thread by "%s" is retried once, then refused',
    async (words) => {
      const reader = open({ limits: { refusalMs: 600_000 } })
      expect(await errorOf(read(reader, words))).toMatchObject({ code: 'IDENTIFY_UNAVAILABLE' })
      await read(reader, 'see 1')
      expect(reader.state().replaced).toBe(2)
      expect(await errorOf(read(reader, words))).toMatchObject({
        message: expect.stringContaining('another photo'),
      })
      expect(reader.state().replaced).toBe(2)
      const { now } = performance
      const clock = spyOn(performance, 'now').mockImplementation(
        () => now.call(performance) + 600_000,
      )
      try {
        expect(await errorOf(read(reader, words))).toMatchObject({ code: 'IDENTIFY_UNAVAILABLE' })
        await waitFor(() => reader.state().replaced > 2)
      } finally {
        clock.mockRestore()
      }
    },
  )

  test('that hangs its thread is rejected after the timeout, and the next is read', async () => {
    const reader = open({ limits: { photoTimeoutMs: 2_000 } })
    await read(reader, 'see 1')
    const hung = errorOf(read(reader, 'hang'))
    const next = read(reader, 'see 2')
    expect(await hung).toMatchObject(UNAVAILABLE)
    expect((await next).items).toBe(2)
    expect(reader.state().replaced).toBe(1)
  })
})

const CRASHES = sizedFor(20, 100)

describe('the reader', () => {
  test(`settles every photo once if its thread crashes with 32 in the queue, ${CRASHES} times`, async () => {
    const photoReader = open()
    await read(photoReader, 'see 1')
    const answers = { read: 0, refused: 0 }
    for (let round = 0; round < CRASHES; round++) {
      const words = (index: number) => (index === 0 ? `exit ${round}` : `see ${index}`)
      await Promise.all(
        Array.from({ length: 33 }, (_, index) =>
          read(photoReader, words(index)).then(
            ({ items }) => {
              expect(items).toBe(index)
              answers.read++
            },
            (error) => {
              expect(error).toMatchObject({ code: 'IDENTIFY_UNAVAILABLE' })
              answers.refused++
            },
          ),
        ),
      )
    }
    expect(answers).toEqual({ read: 32 * CRASHES, refused: CRASHES })
    expect(photoReader.state()).toMatchObject({ waiting: 0, reading: 0, replaced: 2 * CRASHES })
  })

  test.each(['broken', 'never'])(
    'whose pipeline is %s restarts, and rejects photos in the queue',
    async (how) => {
      writeFileSync(PIPELINE_SCRIPT_FILE, how)
      const reader = open({ limits: { startTimeoutMs: 2_000, queueTimeoutMs: 2_500 } })
      expect(await errorOf(read(reader, 'see 1'))).toMatchObject(UNAVAILABLE)
      expect(reader.state().ready).toBe(false)
      expect(reader.state().replaced).toBeGreaterThan(0)
      rmSync(PIPELINE_SCRIPT_FILE)
      await waitFor(() => reader.state().ready)
      expect((await read(reader, 'see 1')).items).toBe(1)
    },
  )

  test('rejects all pending photos when it is closed', async () => {
    const reader = open()
    await read(reader, 'see 1')
    const left = ['hang', 'see 2', 'see 3'].map((words) => errorOf(read(reader, words)))
    await reader.close()
    for (const error of await Promise.all(left)) expect(error).toMatchObject(UNAVAILABLE)
    expect(await errorOf(read(reader, 'see 4'))).toMatchObject(UNAVAILABLE)
    expect(reader.state()).toMatchObject({ ready: false, waiting: 0, reading: 0 })
  })

  test('does not block the event loop while it sends 500,000 pictures', async () => {
    const vector = scriptedVector(1)
    let sent = 0
    const source: VectorSource = {
      getVersion: () => 1,
      *listChangesSince() {
        for (let at = 0; at < 500_000; at += 4_000) {
          yield Array.from({ length: 4_000 }, () => ({ card_id: ++sent, game_id: 1, vector }))
        }
      },
      getHashes: () => new Map(),
    }
    const lags: number[] = []
    let last = performance.now()
    const clock = setInterval(() => {
      lags.push(performance.now() - last)
      last = performance.now()
    }, 1)
    const reader = open({ pictures: source, limits: { queueTimeoutMs: 60_000 } })
    await read(reader, 'see 1')
    clearInterval(clock)
    expect(reader.state().pictures).toBe(500_000)
    // There are 125 slices. No pause is longer than a few of them, however busy the machine is.
    const total = lags.reduce((sum, lag) => sum + lag, 0)
    expect(Math.max(...lags)).toBeLessThan(total / 4)
  })

  test('does not leak photos', async () => {
    const reader = open()
    const photo = new Uint8Array(1_000_000)
    photo.set(new TextEncoder().encode('see 1 '))
    const readMany = async (times: number) => {
      for (let time = 0; time < times; time++) await reader.read(photo, ANY_GAME)
      Bun.gc(true)
      return process.memoryUsage.rss()
    }
    const before = await readMany(200)
    // If photos leaked, this would be 1,000 MB.
    expect((await readMany(1_000)) - before).toBeLessThan(200e6)
  })

  test('is disabled without threads', async () => {
    expect(await errorOf(read(open({ workers: 0 }), 'see 1'))).toMatchObject({
      code: 'IDENTIFY_UNAVAILABLE',
    })
  })
})
