import { expect, test } from 'bun:test'
import { readRequestBody, type UnfinishedUpload } from '#http/input/read-body.ts'

const refuse = (why: string): never => {
  throw new Error(why)
}

const UNLIMITED = { bytesMax: 1_000_000, reserve: () => {} }

/** Sends a byte every ten milliseconds, until the reader cancels. */
function trickle(onCancel: () => void): Request {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(10)
      controller.enqueue(new Uint8Array(1))
    },
    cancel: onCancel,
  })
  return new Request('http://localhost/', { method: 'POST', body })
}

test('a body that arrives too slowly is aborted, and its connection closed', async () => {
  let isCanceled = false
  const read = readRequestBody(
    trickle(() => {
      isCanceled = true
    }),
    UNLIMITED,
    refuse,
    { stallMs: 5_000, graceMs: 100, bytesPerSecond: 10_000 },
  )
  await expect(read).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
  expect(isCanceled).toBe(true)
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

test('a body that trickles or stops counts as late before it is aborted', async () => {
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
  // A byte every 10 ms is far too slow. The other upload sent 900 KB and then stopped.
  const areLate = () => {
    const [trickling, , stopped] = uploads
    return [trickling, stopped].every((upload) => (upload?.lagMs() ?? 0) > 250)
  }
  while (!areLate()) await Bun.sleep(20)
  const reads = Promise.allSettled([slow, fast])
  for (const upload of uploads) upload.abort()
  const aborted = { status: 'rejected', reason: { code: 'UNAVAILABLE' } }
  expect(await reads).toMatchObject([aborted, aborted])
})

test('a body that arrives in time is read completely', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: 'in time' })
  expect(new TextDecoder().decode(await readRequestBody(request, UNLIMITED, refuse))).toBe(
    'in time',
  )
})

test('a body in chunks reserves memory as it arrives, and is aborted if none is left', async () => {
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
