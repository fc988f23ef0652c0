import { expect, test } from 'bun:test'
import { readRequestBody, type UnfinishedUpload } from '#http/input/read-body.ts'

const refuse = (why: string): never => {
  throw new Error(why)
}

const UNLIMITED = { bytesMax: 1_000_000, reserve: () => {} }

/** Sends a byte every ten milliseconds, until the reader cancels. */
function trickle(onLeft: () => void): Request {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(10)
      controller.enqueue(new Uint8Array(1))
    },
    cancel: onLeft,
  })
  return new Request('http://localhost/', { method: 'POST', body })
}

test('a body that arrives too slowly is aborted, and its connection closed', async () => {
  let isLeft = false
  const read = readRequestBody(
    trickle(() => {
      isLeft = true
    }),
    UNLIMITED,
    refuse,
    { stallMs: 5_000, graceMs: 100, bytesPerSecond: 10_000 },
  )
  await expect(read).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
  expect(isLeft).toBe(true)
})

test('a body that stalls is aborted, however much of it has arrived', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(900_000)),
  })
  const request = new Request('http://localhost/', { method: 'POST', body })
  const pace = { stallMs: 50, graceMs: 5_000, bytesPerSecond: 10_000 }
  const read = readRequestBody(request, UNLIMITED, refuse, pace)
  await expect(read).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
})

test('a body that trickles or stops is late long before it is aborted', async () => {
  const uploads: UnfinishedUpload[] = []
  const reserve = (_: number, upload?: UnfinishedUpload) => {
    if (upload !== undefined) uploads.push(upload)
  }
  const slow = readRequestBody(
    trickle(() => {}),
    { bytesMax: 1_000_000, reserve },
    refuse,
  )
  const fast = readRequestBody(
    new Request('http://localhost/', {
      method: 'POST',
      body: new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(900_000)),
      }),
    }),
    { bytesMax: 1_000_000, reserve },
    refuse,
  )
  const startedAt = performance.now()
  while (performance.now() - startedAt < 300) await Bun.sleep(20)
  const [trickling, , stopped] = uploads
  // A byte every 10 ms is far too slow. The other upload sent 900 KB and then stopped.
  expect(trickling?.lagMs()).toBeGreaterThan(250)
  expect(stopped?.lagMs()).toBeGreaterThan(250)
  const reads = Promise.allSettled([slow, fast])
  for (const upload of uploads) upload.abort()
  const late = { status: 'rejected', reason: { code: 'UNAVAILABLE' } }
  expect(await reads).toMatchObject([late, late])
})

test('a body that arrives in time is read completely', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: 'in time' })
  expect(new TextDecoder().decode(await readRequestBody(request, UNLIMITED, refuse))).toBe(
    'in time',
  )
})

test('a body in chunks reserves memory as it arrives, and is aborted without any left', async () => {
  const chunks = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let chunk = 1; chunk <= 4; chunk++)
          controller.enqueue(new Uint8Array(30_000).fill(chunk))
        controller.close()
      },
    })
  const request = () => new Request('http://localhost/', { method: 'POST', body: chunks() })
  const reserved: number[] = []
  const limits = { bytesMax: 150_000, reserve: (bytes: number) => void reserved.push(bytes) }
  const bytes = await readRequestBody(request(), limits, refuse)
  expect([bytes.length, bytes[29_999], bytes[30_000], bytes[119_999]]).toEqual([120_000, 1, 2, 4])
  expect([...new Set(reserved)]).toEqual([0, 60_000, 150_000])
  const full = (bytes: number) => {
    if (bytes > 100_000) throw new Error('full')
  }
  const aborted = readRequestBody(request(), { bytesMax: 150_000, reserve: full }, refuse)
  await expect(aborted).rejects.toThrow('full')
})
