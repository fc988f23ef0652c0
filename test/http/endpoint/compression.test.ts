// Bodies that are compressed while they are sent, and the limits of that.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createCompressor } from '#http/endpoint/compression.ts'
import { decodeBody } from '../../support/decode-body.ts'
import { countTurns } from '../../support/event-loop-turns.ts'
import { expectProperty } from '../../support/properties.ts'

const CODINGS = ['gzip', 'zstd'] as const
const LARGE = `{"data":[${Array.from({ length: 60_000 }, (_, id) => `{"id":${id}}`)}]}`

const requestOf = (accepts: string, more: Record<string, string> = {}) =>
  new Request('http://localhost/', { headers: { 'accept-encoding': accepts, ...more } })

function responseOf(
  body: BodyInit | null,
  { status = 200, ...more }: { status?: number; type?: string; name?: string } = {},
): Response {
  const { type = 'application/json; charset=utf-8', name } = more
  const headers = new Headers({ 'content-type': type, etag: '"a"', vary: 'X-API-Key' })
  if (name !== undefined) headers.set('content-disposition', `attachment; filename="${name}"`)
  return new Response(body, { status, headers })
}

const codingOf = (response: Response) => response.headers.get('content-encoding')

/** Endless text, like a rendered export. */
function endlessText() {
  const state = { pulled: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await Bun.sleep(0)
        state.pulled++
        controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)))
      },
      cancel: () => void Object.assign(state, { isCancelled: true }),
    },
    { highWaterMark: 0 },
  )
  return { body, state }
}

describe('a body', () => {
  const compress = createCompressor()

  test('is equal after decoding, whatever it is and the client accepts', async () => {
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const text = fc.tuple(unit, fc.integer({ min: 0, max: 4_000 })).map(([a, n]) => a.repeat(n))
    const accepts = fc.constantFrom('gzip', 'zstd', 'zstd;q=0.1, gzip', '*', 'identity', 'br', '')
    const property = fc.asyncProperty(text, accepts, async (body, accepts) => {
      const response = await compress(requestOf(accepts), responseOf(body))
      const sent = await response.bytes()
      const coding = codingOf(response)
      const plain = Buffer.from(body)
      const isDue = plain.length > 1_024 && /gzip|zstd|\*/.test(accepts)
      if (isDue !== (coding !== null)) throw new Error(`${plain.length} bytes: ${coding}`)
      if (!plain.equals(decodeBody(sent, response.headers))) throw new Error('another body')
      const tag = coding === null ? '"a"' : `"a-${coding}"`
      if (response.headers.get('etag') !== tag) throw new Error('another tag')
    })
    await expectProperty(property, { numRuns: 100 })
  })

  test('has a Vary header, also if it is small', async () => {
    const response = await compress(requestOf('gzip'), responseOf('{}'))
    expect(response.headers.get('vary')).toBe('X-API-Key, Accept-Encoding')
  })

  test.each([
    ['of a 204', requestOf('gzip'), responseOf(null, { status: 204 })],
    ['of a 304', requestOf('gzip'), responseOf(null, { status: 304 })],
    ['of a 206', requestOf('gzip'), responseOf(LARGE, { status: 206 })],
    ['that is an image', requestOf('gzip'), responseOf(LARGE, { type: 'image/webp' })],
    ['that is a gzip file', requestOf('gzip'), responseOf(LARGE, { type: 'application/gzip' })],
    ['of a request for a range', requestOf('gzip', { range: 'bytes=0-9' }), responseOf(LARGE)],
    ['of a client that asks for none', new Request('http://localhost/'), responseOf(LARGE)],
  ])('%s is left alone', async (_, request, response) => {
    expect(await compress(request, response)).toBe(response)
    expect([codingOf(response), response.headers.get('etag')]).toEqual([null, '"a"'])
  })

  test('of an error is compressed like any other', async () => {
    const response = await compress(requestOf('gzip'), responseOf(LARGE, { status: 400 }))
    expect([response.status, codingOf(response)]).toEqual([400, 'gzip'])
  })

  test.each(CODINGS)('of many MB is compressed as %s beside other requests', async (coding) => {
    const body = LARGE.repeat(20)
    let turnsMax = 0
    // On a busy machine, this thread may have to wait for the other one, but not every time.
    for (let attempt = 0; attempt < 20 && turnsMax === 0; attempt++) {
      const work = Promise.resolve(compress(requestOf(coding), responseOf(body)))
      const { result, turns } = await countTurns(work)
      expect(decodeBody(await result.bytes(), result.headers).length).toBe(body.length)
      turnsMax = turns
    }
    expect(turnsMax).toBeGreaterThan(0)
  })

  test('is sent uncompressed while four large bodies are compressed', async () => {
    const all = Array.from({ length: 6 }, () => compress(requestOf('gzip'), responseOf(LARGE)))
    const codings = (await Promise.all(all)).map(codingOf)
    expect(codings).toEqual(['gzip', 'gzip', 'gzip', 'gzip', null, null])
    expect(codingOf(await compress(requestOf('gzip'), responseOf(LARGE)))).toBe('gzip')
  })
})

describe('a download', () => {
  test.each(CODINGS)(
    'is compressed as %s no faster than the client reads it, until the client disconnects',
    async (coding) => {
      const compress = createCompressor()
      const { body, state } = endlessText()
      const response = await compress(requestOf(coding), responseOf(body, { name: 'a.json' }))
      expect([codingOf(response), response.headers.get('etag')]).toEqual([coding, `"a-${coding}"`])
      const reader = (response.body ?? new ReadableStream()).getReader()
      await reader.read()
      // It stops by itself, long before the end of an endless text.
      for (let seen = -1; seen !== state.pulled; await Bun.sleep(50)) seen = state.pulled
      expect(state.pulled).toBeLessThan(50)
      await reader.cancel()
      while (!state.isCancelled) await Bun.sleep(5)
      expect(state.isCancelled).toBe(true)
    },
  )

  test('is sent uncompressed while 32 other bodies are compressed', async () => {
    const compress = createCompressor()
    const begin = async () =>
      compress(requestOf('zstd'), responseOf(endlessText().body, { name: 'a.json' }))
    const open = await Promise.all(Array.from({ length: 32 }, begin))
    expect(open.map(codingOf)).toEqual(Array.from({ length: 32 }, () => 'zstd'))
    const plain = await begin()
    expect([codingOf(plain), plain.headers.get('etag')]).toEqual([null, '"a"'])
    await open[0]?.body?.cancel()
    let next = await begin()
    while (codingOf(next) === null) {
      await Bun.sleep(5)
      next = await begin()
    }
    await Promise.all([next, ...open.slice(1)].map(({ body }) => body?.cancel()))
  })
})
