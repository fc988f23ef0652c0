import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { fetchRateFile, type RateFileOptions } from '#outbound/pricing/rate-file-client.ts'
import { createTempFolder } from '../../support/closers.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'

/** Serves the responses one after another, and repeats the last one. */
function serve(...responses: (() => Response)[]) {
  const agents: (string | null)[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      agents.push(headers.get('user-agent'))
      return (responses[agents.length - 1] ?? responses.at(-1) ?? Response.error)()
    },
  })
  closeAfterUse(() => void server.stop(true))
  return { url: `http://127.0.0.1:${server.port}/eurofxref.xml`, agents }
}

/** Fetches without waiting between attempts, and records the pauses. */
async function fetchFile(url: string, options: Partial<RateFileOptions> = {}) {
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const limits = { userAgent: 'Cardstock/0.0.0', bytesMax: 1_000, sleep, ...options }
  const outcome = await fetchRateFile({ url, ...limits }).then(
    (bytes) => ({ text: new TextDecoder().decode(bytes) }),
    (error: Error) => ({ error: error.message }),
  )
  return { ...outcome, waits }
}

const ok =
  (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  () =>
    new Response(body, { headers })
const status =
  (code: number, headers = {}) =>
  () =>
    new Response('<html>', { status: code, headers })

describe('a file on the web', () => {
  test('is fetched with the name of the client, and decompressed', async () => {
    const { url, agents } = serve(
      ok(Uint8Array.from(gzipSync('rates')), { 'content-encoding': 'gzip' }),
    )
    expect(await fetchFile(url)).toEqual({ text: 'rates', waits: [] })
    expect(agents).toEqual(['Cardstock/0.0.0'])
  })

  test('is requested again after a transient error, as late as the server wants', async () => {
    const { url } = serve(status(503), status(429, { 'retry-after': '90' }), ok('rates'))
    const { waits, ...outcome } = await fetchFile(url)
    expect(outcome).toEqual({ text: 'rates' })
    expect(waits).toHaveLength(2)
    expect(waits[1]).toBe(90_000)
  })

  test.each([
    ['is gone', () => serve(status(404)).url, 'responded with 404', 0],
    ['is refused', () => serve(status(403)).url, 'responded with 403', 0],
    ['stays unavailable', () => serve(status(500)).url, 'responded with 500', 3],
    ['is too large', () => serve(ok('x'.repeat(1_001))).url, 'larger than 1000 bytes', 0],
    ['has no server', () => 'http://127.0.0.1:1/', 'the connection failed', 3],
  ])('that %s is an error', async (_, locate, why, retries) => {
    const { waits, ...outcome } = await fetchFile(locate())
    expect(outcome).toEqual({ error: expect.stringContaining(why) })
    expect(waits).toHaveLength(retries)
  })

  test('is not taken from another server in a private network', async () => {
    const inner = serve(ok('secret'))
    const { url } = serve(status(302, { location: inner.url.replace('127.0.0.1', '[::1]') }))
    expect(await fetchFile(url)).toMatchObject({
      error: expect.stringContaining('set EXCHANGE_RATES_URL to it'),
    })
    expect(inner.agents).toEqual([])
  })
})

describe('a file on this machine', () => {
  const folder = createTempFolder('cardstock-rates-')
  const urlOf = (name: string) => pathToFileURL(join(folder, name)).href

  test('is read', async () => {
    writeFileSync(join(folder, 'rates.xml'), 'rates')
    writeFileSync(join(folder, 'large.xml'), 'x'.repeat(1_001))
    expect(await fetchFile(urlOf('rates.xml'))).toMatchObject({ text: 'rates' })
    expect(await fetchFile(urlOf('large.xml'))).toMatchObject({
      error: expect.stringContaining('larger than 1000 bytes'),
    })
    expect(await fetchFile(urlOf('missing.xml'))).toMatchObject({
      error: expect.stringContaining('ENOENT'),
    })
  })
})
