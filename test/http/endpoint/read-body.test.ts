import { expect, test } from 'bun:test'
import { readRequestBody } from '#http/input/read-body.ts'

const refuse = (why: string): never => {
  throw new Error(why)
}

/** Sends a byte every ten milliseconds, for as long as somebody reads. */
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
    1_000_000,
    refuse,
    100,
  )
  await expect(read).rejects.toThrow('incomplete')
  expect(isLeft).toBe(true)
})

test('a body that arrives in time is read completely', async () => {
  const request = new Request('http://localhost/', { method: 'POST', body: 'in time' })
  expect(new TextDecoder().decode(await readRequestBody(request, 100, refuse))).toBe('in time')
})
