// The queue of a scan session: order, failures, pauses, and photos that outlive the page.
import { afterEach, describe, expect, test } from 'bun:test'
import { ApiError } from '#client/client.ts'
import { regionAround } from '#web/photos/sessions/photo-cuts.ts'
import {
  chooseNextPhoto,
  classifyFailure,
  cutKeyOf,
  photoKeyOf,
} from '#web/photos/sessions/queue-rules.ts'
import type { InboxPhoto, ScanInbox } from '#web/photos/sessions/scan-inbox.ts'
import { createScanQueue, replaceByPage, type ScanQueue } from '#web/photos/sessions/scan-queue.ts'

const OF = { account: 1, session: 'a' }

/** Creates an inbox in memory, with the data that a browser stores on disk. */
function createMemoryInbox() {
  const photos = new Map<string, InboxPhoto>()
  const inbox: ScanInbox = {
    async putPhoto(photo) {
      photos.set(photo.key, photo)
    },
    listPhotos: async () => [...photos.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    getPhoto: async ({ key }) => photos.get(key),
    async deletePhoto({ key }) {
      photos.delete(key)
    },
    async settlePhoto({ key }, _, unread) {
      photos.delete(key)
      for (const photo of unread) photos.set(photo.key, photo)
    },
    getCrop: async () => undefined,
    deleteCrop: async () => {},
    deleteSession: async () => {},
  }
  return { inbox, keys: () => [...photos.keys()] }
}

const JPEG = new Uint8Array([0xff, 0xd8, 0xff])
const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => new File([JPEG], `${index}.jpg`))

const errorOf = (status: number, code = 'X', seconds?: number) => {
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return new ApiError(code, `It failed: ${code}.`, {
    response: new Response(null, { status, headers }),
  })
}

const queues: ScanQueue[] = []
afterEach(() => {
  for (const queue of queues.splice(0)) queue.close()
})

/** Opens a queue whose requests a test answers one by one. */
function openQueue({ inbox } = createMemoryInbox()) {
  const requests: { key: string; answer: (error?: ApiError, unread?: InboxPhoto[]) => void }[] = []
  const listeners = new Set<() => void>()
  const queue = createScanQueue({
    of: OF,
    inbox,
    onAnswered: () => {},
    send: ({ key }) =>
      new Promise((resolve, reject) => {
        const answer = (error?: ApiError, unread: InboxPhoto[] = []) =>
          error === undefined ? resolve({ crops: [], unread }) : reject(error)
        requests.push({ key, answer })
        for (const listener of listeners) listener()
      }),
  })
  queues.push(queue)
  queue.subscribe(() => {
    for (const listener of listeners) listener()
  })
  /** Waits until the queue has reached a state. */
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      const listener = () => {
        if (!isThere()) return
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
      listener()
    })
  return { queue, requests, until }
}

const ALONE = { game: undefined, isPage: false }

describe('a queue', () => {
  test('sends two photos at once, oldest first, until all are answered', async () => {
    const memory = createMemoryInbox()
    const { queue, requests, until } = openQueue(memory)
    await queue.start()
    await queue.add(photos(5), ALONE)
    await until(() => requests.length === 2)
    for (let sent = 0; sent < 5; sent++) {
      await until(() => requests[sent] !== undefined)
      expect(requests.length - sent).toBeLessThanOrEqual(2)
      requests[sent]?.answer()
    }
    await until(() => queue.getState().answered === 5)
    const keys = requests.map(({ key }) => key)
    expect([keys, memory.keys()]).toEqual([keys.toSorted(), []])
  })

  test('names the files that are not photos', async () => {
    const { queue } = openQueue()
    const names = await queue.add([new File(['text'], 'list.txt'), ...photos(1)], ALONE)
    expect([names, queue.getState().photos.length]).toEqual([['list.txt'], 1])
  })

  test('that is opened again sends what has no answer under the same keys, and nothing else', async () => {
    const memory = createMemoryInbox()
    const first = openQueue(memory)
    await first.queue.start()
    await first.queue.add(photos(4), ALONE)
    await first.until(() => first.requests.length === 2)
    first.requests[0]?.answer()
    await first.until(() => first.queue.getState().answered === 1)
    // The page is closed while two photos are being sent.
    first.queue.close()
    const left = memory.keys()
    const second = openQueue(memory)
    await second.queue.start()
    await second.until(() => second.requests.length === 2)
    expect(left).toHaveLength(3)
    expect(second.queue.getState().photos.map(({ key }) => key)).toEqual(left)
    expect(second.requests.map(({ key }) => key)).toEqual(left.slice(0, 2))
  })

  test('waits for a person if no scans are left, and continues where it stopped', async () => {
    const { queue, requests, until } = openQueue()
    await queue.start()
    await queue.add(photos(1), ALONE)
    await until(() => requests.length === 1)
    requests[0]?.answer(errorOf(402, 'SCAN_BALANCE_EMPTY'))
    await until(() => queue.getState().pause !== undefined)
    queue.reconnect()
    expect(queue.getState().pause).toMatchObject({ until: undefined })
    queue.resume()
    await until(() => requests.length === 2)
    requests[1]?.answer()
    await until(() => queue.getState().answered === 1)
    expect(requests[1]?.key).toBe(requests[0]?.key ?? '')
  })

  test('keeps a photo that the server refuses, and sends the others', async () => {
    const { queue, requests, until } = openQueue()
    await queue.start()
    await queue.add(photos(3), ALONE)
    await until(() => requests.length === 2)
    requests[0]?.answer(errorOf(400, 'INVALID_IMAGE'))
    await until(() => requests.length === 3)
    requests[1]?.answer()
    requests[2]?.answer()
    await until(() => queue.getState().answered === 2)
    const [refused] = queue.getState().photos
    expect(queue.getState().photos).toMatchObject([{ problem: 'It failed: INVALID_IMAGE.' }])
    await queue.retry(refused?.key ?? '')
    await until(() => requests.length === 4)
    expect(requests[3]?.key).toBe(refused?.key ?? '')
  })

  test('sends cards that a page left unread as photos of their own', async () => {
    const { queue, requests, until } = openQueue()
    await queue.start()
    await queue.add(photos(1), { ...ALONE, isPage: true })
    await until(() => requests.length === 1)
    const key = cutKeyOf(requests[0]?.key ?? '', 0)
    const card = { ...OF, ...ALONE, key, added_at: 0, file: new Blob([JPEG]) }
    requests[0]?.answer(undefined, [card])
    await until(() => requests.length === 2)
    expect(requests[1]?.key).toBe(key)
  })
})

describe('a failure', () => {
  test.each([
    ['NETWORK', 0, undefined, 'wait', 4_000],
    ['TOO_MANY_ATTEMPTS', 429, 7, 'wait', 7_000],
    ['IDENTIFY_UNAVAILABLE', 503, 2, 'wait', 2_000],
    ['BAD_GATEWAY', 502, undefined, 'wait', 4_000],
    ['INVALID_IMAGE', 400, undefined, 'refuse', undefined],
    ['INVALID_IMAGE', 0, undefined, 'refuse', undefined],
    ['PAYLOAD_TOO_LARGE', 413, undefined, 'refuse', undefined],
    ['INTERNAL_ERROR', 500, undefined, 'refuse', undefined],
    ['SCAN_BALANCE_EMPTY', 402, undefined, 'stop', undefined],
    ['SCAN_SESSION_FULL', 409, undefined, 'stop', undefined],
    ['NOT_FOUND', 404, undefined, 'stop', undefined],
    ['SESSION_REQUIRED', 401, undefined, 'stop', undefined],
    ['NO_STORAGE', 0, undefined, 'stop', undefined],
    ['PAGE', 0, undefined, 'stop', undefined],
  ] as const)('%s (%d) after %p s: %s', (code, status, retryAfter, kind, ms) => {
    const failure = classifyFailure({ code, status, retryAfter }, 2)
    expect(failure).toMatchObject(ms === undefined ? { kind } : { kind, ms })
  })

  test('waits half a minute at most for an unreachable server', () => {
    const waits = [0, 1, 4, 5, 20].map((attempt) =>
      classifyFailure({ code: 'NETWORK', status: 0, retryAfter: undefined }, attempt),
    )
    expect(waits).toEqual([1, 2, 16, 30, 30].map((s) => ({ kind: 'wait', ms: 1_000 * s })))
  })
})

test('a page of cards is sent while no other page is', () => {
  const [page, card] = [{ isPage: true }, { isPage: false }]
  const waiting = (one: { isPage: boolean }) => ({ ...one, isSending: false })
  const sending = (one: { isPage: boolean }) => ({ ...one, isSending: true })
  expect(chooseNextPhoto([sending(page), waiting(page)])).toBeUndefined()
  expect(chooseNextPhoto([sending(card), waiting(page)])).toEqual(waiting(page))
  expect(chooseNextPhoto([sending(card), sending(card), waiting(card)])).toBeUndefined()
  expect(chooseNextPhoto([{ ...waiting(card), problem: 'refused' }])).toBeUndefined()
})

test('keys are accepted by the API, and sort as photos were added', () => {
  const times = [Date.parse('2026-11-26'), Date.parse('2040-01-01')]
  const keys = times.flatMap((time) =>
    [0, 1, 35, 36, 999].map((index) => photoKeyOf(time, index, 7)),
  )
  const cuts = keys.flatMap((key) => [key, cutKeyOf(key, 0), cutKeyOf(key, 35)])
  expect(cuts).toEqual(cuts.toSorted())
  expect(cuts.filter((key) => !/^[A-Za-z0-9_-]{1,64}$/.test(key))).toEqual([])
})

test('a crop is the box around a card with a rim, within the photo', () => {
  const outline = [
    { x: 100, y: 20 },
    { x: 300, y: 10 },
    { x: 310, y: 300 },
    { x: 90, y: 310 },
  ]
  const size = { width: 1_000, height: 640 }
  expect(regionAround(outline, 2, size)).toEqual({ x: 144, y: 0, width: 512, height: 640 })
})

describe('an item that its photo replaces as a page', () => {
  const crop = { picture: new Blob([JPEG]), game: 'wickerwild' }

  test('is deleted before the photo is sent', async () => {
    const { inbox, keys } = createMemoryInbox()
    const { queue } = openQueue({ inbox, keys })
    let stored: string[] | undefined
    await replaceByPage(queue, crop, async () => {
      stored = keys()
    })
    expect(stored).toEqual([])
    expect(queue.getState().photos).toMatchObject([{ isPage: true }])
  })

  test('stays, and its photo is not sent, if another tab has changed it', async () => {
    const { inbox, keys } = createMemoryInbox()
    const { queue } = openQueue({ inbox, keys })
    const conflict = () => Promise.reject(errorOf(409))
    await expect(replaceByPage(queue, crop, conflict)).rejects.toThrow('It failed')
    expect(keys()).toEqual([])
    expect(queue.getState().photos).toEqual([])
  })
})
