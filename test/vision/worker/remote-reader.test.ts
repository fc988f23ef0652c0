// Photos on other machines, which are fakes here: where each photo goes, and what happens to a lost one.
import { afterEach, describe, expect, test } from 'bun:test'
import type { WorkerAnswer, WorkerResult } from '#rules/photos/worker-messages.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { createRemoteReader, type RemoteLimits } from '#vision/worker/remote-reader.ts'
import type { PhotoWorker } from '#vision/worker/remote-worker.ts'
import { OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { waitFor } from '../../support/wait-for.ts'

const REQUEST = { gameId: undefined, sender: { network: 'n', payer: 'p' } }
const READ: WorkerResult = { kind: 'read', observation: OBSERVATION }
const LOST: WorkerAnswer = { kind: 'failed', why: 'the connection was cut off', isLost: true }
const REFUSED: WorkerAnswer = { kind: 'failed', why: 'the connection was refused', isLost: false }

const readers: PhotoReader[] = []
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()))
})

/** Creates a worker on another machine, whose state and responses a test sets. */
function playWorker(name: string) {
  const state = { ready: true, threads: 1, waiting: 0, reading: 0, replaced: 0, pictures: 5 }
  const played = {
    url: `http://${name}`,
    photos: 0,
    polls: 0,
    state,
    answer: (_: AbortSignal): WorkerAnswer | Promise<WorkerAnswer> => played.reply(READ),
    poll: (): WorkerAnswer => played.reply(),
    reply: (result?: WorkerResult): WorkerAnswer => ({
      kind: 'reply',
      reply: { state: { ...state }, ...(result && { result }) },
    }),
  }
  const worker: PhotoWorker = {
    url: played.url,
    async read(_, __, signal) {
      played.photos++
      return played.answer(signal)
    },
    async cut(_, __, signal) {
      played.photos++
      return played.answer(signal)
    },
    async getState() {
      played.polls++
      return played.poll()
    },
  }
  return { played, worker }
}

async function openReader(count: number, limits: Partial<RemoteLimits> = {}) {
  const parts = Array.from({ length: count }, (_, index) => playWorker(`worker-${index}`))
  const lines: [event: string, facts: object | undefined][] = []
  const add = (event: string, facts?: object) => void lines.push([event, facts])
  const reader = createRemoteReader({
    workers: parts.map(({ worker }) => worker),
    log: { debug: add, info: add, warn: add, error: add },
    limits: { pollIntervalMs: 10, ...limits },
  })
  readers.push(reader)
  await waitFor(() => reader.state().threads === count)
  return { reader, lines, played: parts.map(({ played }) => played) }
}

const photoNumber = (number: number) => Uint8Array.of(...PHOTO.jpeg, number)

describe('a photo goes', () => {
  test('to the less busy of two workers', async () => {
    const { reader, played } = await openReader(2)
    const [one, two] = played
    if (one === undefined || two === undefined) throw new Error('no worker')
    one.state.waiting = 3
    await waitFor(() => reader.state().waiting === 3)
    for (let photo = 0; photo < 10; photo++) await reader.read(photoNumber(photo), REQUEST)
    expect([one.photos, two.photos]).toEqual([0, 10])
  })

  test('to a worker with more threads, if each of them has fewer photos', async () => {
    const { reader, played } = await openReader(2)
    const [one, two] = played
    if (one === undefined || two === undefined) throw new Error('no worker')
    Object.assign(one.state, { threads: 8, reading: 4 })
    two.state.reading = 1
    await waitFor(() => reader.state().reading === 5)
    for (let photo = 0; photo < 10; photo++) await reader.read(photoNumber(photo), REQUEST)
    expect([one.photos, two.photos]).toEqual([10, 0])
  })

  test('to both of them in equal shares under load', async () => {
    const { reader, played } = await openReader(2, { pollIntervalMs: 60_000 })
    for (const worker of played) {
      worker.answer = async () => {
        await Bun.sleep(5)
        return worker.reply(READ)
      }
    }
    await Promise.all(
      Array.from({ length: 40 }, (_, photo) => reader.read(photoNumber(photo), REQUEST)),
    )
    expect(played.map(({ photos }) => photos)).toEqual([20, 20])
  })

  test('to all of several workers', async () => {
    const { reader, played } = await openReader(4)
    for (let photo = 0; photo < 80; photo++) await reader.read(photoNumber(photo), REQUEST)
    for (const { photos } of played) expect(photos).toBeGreaterThan(0)
  })

  test('nowhere while no worker is ready', async () => {
    const { reader, played } = await openReader(1)
    for (const worker of played) worker.state.ready = false
    await waitFor(() => !reader.state().ready)
    expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toMatchObject({
      code: 'IDENTIFY_UNAVAILABLE',
      retryAfter: 2,
    })
  })
})

describe('a lost photo', () => {
  test.each([
    ['lost', () => LOST],
    ['refused', () => REFUSED],
  ])('is read on another worker after a connection that was %s', async (_, answer) => {
    const { reader, played } = await openReader(2, { pollIntervalMs: 60_000 })
    const [one, two] = played
    if (one === undefined || two === undefined) throw new Error('no worker')
    one.answer = answer
    for (let photo = 0; photo < 10; photo++) {
      expect(await reader.read(photoNumber(photo), REQUEST)).toEqual(OBSERVATION)
    }
    expect(one.photos).toBeGreaterThan(0)
    expect(two.photos).toBe(10)
  })

  test('is read on another worker if the first is stopping', async () => {
    const { reader, played } = await openReader(2)
    const [one] = played
    if (one === undefined) throw new Error('no worker')
    one.answer = () => one.reply({ kind: 'stopping' })
    for (let photo = 0; photo < 10; photo++) await reader.read(photoNumber(photo), REQUEST)
    expect(one.photos).toBeGreaterThan(0)
  })

  test('is never sent to the same worker again, and to two at most', async () => {
    const { reader, played } = await openReader(3)
    for (const worker of played) worker.answer = () => LOST
    expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toMatchObject({ code: 'IDENTIFY_UNAVAILABLE' })
    await waitFor(() => played.reduce((sum, { photos }) => sum + photos, 0) === 2)
    expect(played.map(({ photos }) => photos).sort()).toEqual([0, 1, 1])
  })

  test('fails if there is no other worker', async () => {
    const { reader, played } = await openReader(1)
    for (const worker of played) worker.answer = () => LOST
    expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toMatchObject({ code: 'IDENTIFY_UNAVAILABLE' })
    expect(played.map(({ photos }) => photos)).toEqual([1])
  })

  test('is refused for a while after it was lost twice, others are not', async () => {
    const { reader, played } = await openReader(2, { refusalMs: 60_000 })
    for (const worker of played) worker.answer = () => LOST
    const poison = photoNumber(1)
    expect(reader.read(poison, REQUEST)).rejects.toThrow('was lost')
    await waitFor(() => played.every(({ photos }) => photos === 1))
    for (const worker of played) worker.answer = () => worker.reply(READ)
    await waitFor(() => reader.state().threads === 2)
    expect(reader.read(poison, REQUEST)).rejects.toMatchObject({ retryAfter: 60 })
    expect(await reader.read(photoNumber(2), REQUEST)).toEqual(OBSERVATION)
    expect(played.reduce((sum, { photos }) => sum + photos, 0)).toBe(3)
  })

  test('is read elsewhere while a machine stands still', async () => {
    const { reader, played } = await openReader(2)
    const [one] = played
    if (one === undefined) throw new Error('no worker')
    one.answer = async (signal) => {
      one.poll = () => LOST
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return LOST
    }
    const photos = Array.from({ length: 6 }, (_, photo) => photoNumber(photo))
    const observations = await Promise.all(photos.map((photo) => reader.read(photo, REQUEST)))
    expect(observations).toEqual(photos.map(() => OBSERVATION))
    expect(one.photos).toBeGreaterThan(0)
  })
})

describe('the reader', () => {
  test('passes on the error that a worker states, without a retry', async () => {
    const { reader, played } = await openReader(2)
    for (const worker of played) {
      worker.answer = () =>
        worker.reply({
          kind: 'refused',
          code: 'IDENTIFY_UNAVAILABLE',
          message: 'The queue is full.',
          isDamaged: false,
          retryAfter: 7,
        })
    }
    expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toMatchObject({
      code: 'IDENTIFY_UNAVAILABLE',
      message: 'The queue is full.',
      retryAfter: 7,
    })
    expect(played.reduce((sum, { photos }) => sum + photos, 0)).toBe(1)
  })

  test('gives a photo up after the limit of time', async () => {
    const { reader, played } = await openReader(2, { answerMs: 20 })
    for (const worker of played) {
      worker.answer = async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return LOST
      }
    }
    await expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toThrow('took too long')
    expect(played.reduce((sum, { photos }) => sum + photos, 0)).toBe(1)
    expect(reader.state().ready).toBe(true)
  })

  test('ends a photo with its client, and sends it to no other worker', async () => {
    const { reader, played } = await openReader(2)
    const client = new AbortController()
    for (const worker of played) {
      worker.answer = async (signal) => {
        const ended = new Promise((resolve) => signal.addEventListener('abort', resolve))
        client.abort()
        await ended
        return LOST
      }
    }
    const request = { ...REQUEST, clientSignal: client.signal }
    await expect(reader.read(PHOTO.jpeg, request)).rejects.toMatchObject({ hasBegun: true })
    await expect(reader.cut(PHOTO.jpeg, request)).rejects.toMatchObject({ hasBegun: false })
    expect(played.reduce((sum, { photos }) => sum + photos, 0)).toBe(1)
  })

  test('adds up the states of its workers', async () => {
    const { reader, played } = await openReader(2)
    for (const { state } of played) Object.assign(state, { waiting: 2, reading: 1, replaced: 3 })
    await waitFor(() => reader.state().waiting === 4)
    expect(reader.state()).toEqual({
      ready: true,
      threads: 2,
      waiting: 4,
      reading: 2,
      replaced: 6,
      pictures: 5,
    })
  })

  test('logs once why a worker is not ready, with what to do, and when it is', async () => {
    const { reader, played, lines } = await openReader(1)
    const [one] = played
    if (one === undefined) throw new Error('no worker')
    one.poll = () => ({
      kind: 'failed',
      why: 'it has protocol 2, this server 1',
      remedy: 'Upgrade.',
      isLost: false,
    })
    await waitFor(() => !reader.state().ready)
    const before = one.polls
    await waitFor(() => one.polls > before + 3)
    one.poll = () => one.reply()
    await waitFor(() => reader.state().ready)
    expect(lines).toEqual([
      ['photo worker ready', { worker: one.url }],
      [
        'photo worker not ready',
        { worker: one.url, reason: 'it has protocol 2, this server 1', remedy: 'Upgrade.' },
      ],
      ['photo worker ready', { worker: one.url }],
    ])
  })

  test('rejects pending photos when it closes', async () => {
    const { reader, played } = await openReader(2)
    for (const worker of played) {
      worker.answer = async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return LOST
      }
    }
    const pending = reader.read(PHOTO.jpeg, REQUEST)
    await reader.close()
    expect(pending).rejects.toThrow('shutting down')
    expect(reader.read(PHOTO.jpeg, REQUEST)).rejects.toThrow('shutting down')
  })
})
