// Downloads over a real connection: complete, in ranges, and while the catalog changes.
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { exportSet } from '#actions/pricing/export-prices.ts'
import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'

type ListedFile = Omit<BulkFile, 'name'> & { download_url: string }

/** Random, incompressible letters: more than fits into the socket's buffer of a waiting client. */
const BULKY = `UPDATE cards SET marketplace_url = hex(randomblob(70000))`
const FILE = '/v1/bulk-data/4/all/cards.jsonl.gz'
const SET = '/v1/export/set/90021'

const testApp = await createTestApp({ onDisk: true })
testApp.publish(BULKY)
await testApp.buildBulkFiles()
const { port, url: base } = testApp.listen()

const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(base + path, { method, headers: { 'x-api-key': testApp.keys.business, ...headers } })

async function list(): Promise<ListedFile[]> {
  // The shape of the body is checked elsewhere against the API document.
  return ((await (await request('/v1/bulk-data')).json()) as { data: ListedFile[] }).data
}

async function announced(path: string): Promise<ListedFile> {
  const file = (await list()).find(({ download_url }) => download_url === PUBLIC_URL + path)
  if (file === undefined) throw new Error(`${path} is not listed`)
  return file
}

describe('a file', () => {
  test('has the announced size and hash', async () => {
    const { size, sha256 } = await announced(FILE)
    const reply = await request(FILE)
    const bytes = await reply.bytes()
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(size)])
    expect([bytes.length, sha256Of(bytes)]).toEqual([size, sha256])
  })

  test('is complete if it is resumed after an interruption', async () => {
    const { size, sha256 } = await announced(FILE)
    const cut = await slowly(FILE)
    const begun = cut.some()
    cut.leave()
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.length).toBeLessThan(size)
    const headers = { range: `bytes=${begun.length}-`, 'if-range': `"${sha256}"` }
    const rest = await request(FILE, headers)
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${begun.length}-${size - 1}/${size}`,
    ])
    expect(sha256Of(Buffer.concat([begun, await rest.bytes()]))).toBe(sha256)
  })

  test('is sent in ranges: a part, the end, and past the end', async () => {
    const whole = await (await request(FILE)).bytes()
    const size = whole.length
    const part = await request(FILE, { range: 'bytes=1000-1999' })
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '1000'])
    expect(await part.bytes()).toEqual(whole.slice(1_000, 2_000))
    const end = await request(FILE, { range: 'bytes=-7' })
    expect([end.status, await end.bytes()]).toEqual([206, whole.slice(size - 7)])
    const beyond = await request(FILE, { range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    const malformed = await request(FILE, { range: 'bytes=x-y' })
    expect([malformed.status, (await malformed.bytes()).length]).toEqual([200, size])
  })

  test('has its length in HEAD unless it is rendered while it is sent', async () => {
    const { size } = await announced(FILE)
    for (const [path, length] of [
      [FILE, String(size)],
      [SET, null],
    ] as const) {
      const headResponse = await request(path, {}, 'HEAD')
      expect([headResponse.status, headResponse.headers.get('content-length')]).toEqual([
        200,
        length,
      ])
      expect((await headResponse.bytes()).length).toBe(0)
    }
  })

  test('can be loaded and resumed with curl', async () => {
    if (Bun.which('curl') === null) return console.log('curl is missing: it is not asked')
    const { size, sha256 } = await announced(FILE)
    const out = join(testApp.deps.config.dataDir, 'loaded.gz')
    const bytes = await (await request(FILE)).bytes()
    await Bun.write(out, bytes.slice(0, size >> 1))
    const key = `x-api-key: ${testApp.keys.business}`
    const child = Bun.spawn(['curl', '-sS', '-f', '-C', '-', '-H', key, '-o', out, base + FILE])
    expect(await child.exited).toBe(0)
    expect(sha256Of(await Bun.file(out).bytes())).toBe(sha256)
  })
})

test('an export that fails midway is aborted, so that it does not look complete', async () => {
  const own = await createTestApp()
  own.catalogDb.exec(`UPDATE cards SET name = hex(randomblob(50000)) WHERE set_id = 90021;
    UPDATE price_texts SET prices = '[{' WHERE card_id = 900215`)
  const headers = { 'x-api-key': own.keys.business }
  const reply = await fetch(own.listen().url + SET, { headers })
  expect(reply.status).toBe(200)
  await expect(reply.text()).rejects.toThrow()
  expect(own.log).toMatchObject([
    { level: 'error', facts: { request_id: reply.headers.get('x-request-id') } },
  ])
})

describe('a publication during a download', () => {
  test('does not change a running export: every byte is of one version', async () => {
    testApp.publish(`UPDATE cards SET name = hex(randomblob(150000)) WHERE set_id = 90021`)
    const before = [...exportSet(testApp.deps, 90021, 'json')].join('')
    expect(before.length).toBeGreaterThan(10_000_000)
    const running = await slowly(SET)
    testApp.publish(`UPDATE cards SET name = 'New' WHERE set_id = 90021`)
    while ((await (await request(SET)).text()) === before) await Bun.sleep(20)
    expect(sha256Of(await running.rest())).toBe(sha256Of(Buffer.from(before)))
    expect(await (await request(SET)).text()).toContain('"name":"New"')
  })

  test('lets it end with the announced hash; then the version is removed and the list is new', async () => {
    const old = await announced(FILE)
    const running = await slowly(FILE)
    const begun = running.some()
    const folder = join(testApp.deps.config.dataDir, 'bulk', 'v4')
    expect(existsSync(folder)).toBe(true)
    for (const url of ['one', 'two']) {
      testApp.publish(`UPDATE cards SET marketplace_url = 'https://${url}.example/'`)
      expect(await testApp.buildBulkFiles()).toMatchObject({ outcome: 'built' })
    }
    expect(existsSync(folder)).toBe(false)

    const bytes = await running.rest()
    expect([bytes.length, sha256Of(bytes)]).toEqual([old.size, old.sha256])

    const headers = { range: `bytes=${begun.length}-`, 'if-range': `"${old.sha256}"` }
    const resumed = await request(FILE, headers)
    expect(resumed.status).toBe(404)
    expect(await resumed.text()).toContain('File not found')

    let files = await list()
    while (files[0]?.download_url.includes('/v4/') || files[0]?.sha256 === old.sha256) {
      await Bun.sleep(50)
      files = await list()
    }
    expect(files).toHaveLength(21)
    for (const { download_url, sha256, size } of files) {
      expect(sha256).not.toBe(old.sha256)
      const loaded = await (await request(download_url.slice(PUBLIC_URL.length))).bytes()
      expect([loaded.length, sha256Of(loaded)]).toEqual([size, sha256])
    }
    expect(testApp.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** Reads a little, and then waits. */
async function slowly(path: string) {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${testApp.keys.business}\r\nConnection: close\r\n\r\n`
  const chunks: Buffer[] = []
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1', () => socket.write(head))
  socket.on('data', (data) => {
    const isFirst = chunks.length === 0
    chunks.push(Buffer.from(data))
    if (!isFirst) return
    socket.pause()
    begin()
  })
  socket.on('close', () => resolve())
  socket.on('error', reject)
  await begun
  return {
    /** The part of the body received before the wait. */
    some: (): Buffer => bodyOf(Buffer.concat(chunks)),
    leave: () => void socket.destroy(),
    /** Reads the body to its end. */
    async rest(): Promise<Buffer> {
      socket.resume()
      await closed
      return bodyOf(Buffer.concat(chunks))
    },
  }
}

/** Returns the body of a response as sent, with its chunks joined. */
function bodyOf(wire: Buffer): Buffer {
  const end = wire.indexOf('\r\n\r\n')
  const head = wire.subarray(0, end).toString().toLowerCase()
  const body = wire.subarray(end + 4)
  if (!head.includes('transfer-encoding: chunked')) return body
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) break
    const length = Number.parseInt(body.subarray(at, lineEnd).toString(), 16)
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
  return Buffer.concat(parts)
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
