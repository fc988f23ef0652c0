import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

type ListedFile = Omit<BulkFile, 'name'> & { download_url: string }

const testApp = await createTestApp({ bulkFiles: true })
const files = (await testApp.client.get<ListedFile[]>('/v1/bulk-data', { as: 'free' })).body.data

const pathOf = ({ download_url }: ListedFile) => download_url.slice(PUBLIC_URL.length)
const get = (path: string, headers: Record<string, string> = {}) =>
  testApp.client.get(path, { as: 'business', headers })

const FILE = '/v1/bulk-data/3/wickerwild/cards.csv.gz'
/** Months with prices in the sample. */
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11']
const OF_ALL = '/v1/bulk-data/3/all/cards.csv.gz'

describe('GET /v1/bulk-data', () => {
  test('lists cards and prices of each game and of all, one catalog, and the history', () => {
    const listed = files.map(({ game, type, format }) => `${game} ${type} ${format}`)
    const kinds = ['cards jsonl.gz', 'cards csv.gz', 'prices jsonl.gz', 'prices csv.gz']
    const games = ['all', 'wickerwild', 'vellum-and-thorn', 'perihelion-drift']
    expect(listed.toSorted()).toEqual(
      [
        ...games.flatMap((game) => kinds.map((kind) => `${game} ${kind}`)),
        'all catalog sqlite.gz',
        ...MONTHS.map(() => 'all history tar.zst'),
      ].toSorted(),
    )
    expect(files.flatMap(({ month }) => month ?? [])).toEqual(MONTHS)
  })

  test('is empty before the first files are complete', async () => {
    const own = await createTestApp({ onDisk: true })
    const { status, body } = await own.client.get<Row[]>('/v1/bulk-data', { as: 'free' })
    expect([status, body.data]).toEqual([200, []])
    expect(body.meta).toEqual({ version: null, built_at: null } as never)
  })
})

describe('GET /v1/bulk-data/{version}/{game}/{name}', () => {
  test('returns each file as announced: its size, its hash, its rows', async () => {
    for (const file of files) {
      const { status, bytes, headers } = await get(pathOf(file))
      expect([status, bytes.length, headers.get('content-type')]).toEqual([
        200,
        file.size,
        file.type === 'history' ? 'application/zstd' : 'application/gzip',
      ])
      expect([headers.get('content-length'), sha256(bytes)]).toEqual([
        String(file.size),
        file.sha256,
      ])
      expect(headers.get('etag')).toBe(`"${file.sha256}"`)
      const kind = file.type === 'history' ? `history-${file.month}` : file.type
      const name = `${kind}.${file.format}`
      const saved = `attachment; filename="${file.game}-v3-${name}"`
      expect(headers.get('content-disposition')).toBe(saved)
      if (file.format === 'jsonl.gz') {
        const lines = gunzipSync(bytes).toString().split('\n')
        expect(lines).toHaveLength(file.rows + 1)
      }
    }
  })

  test('every tier can download a file of a game', async () => {
    const { status, bytes } = await testApp.client.get(FILE, { as: 'free' })
    expect([status, sha256(bytes)]).toEqual([200, announced(FILE).sha256])
  })

  test('the history needs the tier of the files of all games, and has ranges and a tag', async () => {
    const path = '/v1/bulk-data/3/all/history-2026-09.tar.zst'
    for (const as of ['free', 'starter'] as const) {
      expectRefusal(await testApp.client.get(path, { as }), 403, 'TIER_REQUIRED')
    }
    const { size, sha256: hash } = announced(path)
    const { status, bytes, headers } = await testApp.client.get(path, {
      as: 'pro',
      headers: { range: 'bytes=-10', 'if-range': `"${hash}"` },
    })
    expect([status, bytes.length, headers.get('etag')]).toEqual([206, 10, `"${hash}"`])
    expect(headers.get('content-range')).toBe(`bytes ${size - 10}-${size - 1}/${size}`)
    expect((await get(path, { 'if-none-match': `"${hash}"` })).status).toBe(304)
    const elsewhere = '/v1/bulk-data/3/wickerwild/history-2026-09.tar.zst'
    expectRefusal(await get(elsewhere), 404, 'NOT_FOUND')
  })

  test('304 for a known file, also of a range', async () => {
    const tag = `"${announced(FILE).sha256}"`
    for (const range of ['', 'bytes=0-9']) {
      const { status, text } = await get(FILE, { 'if-none-match': tag, range })
      expect([status, text]).toEqual([304, ''])
    }
  })

  test.each<[string, (size: number) => [number, number]]>([
    ['bytes=10-99', () => [10, 99]],
    ['bytes=-100', (size) => [size - 100, size - 1]],
  ])('%s returns that range of bytes', async (range, placeOf) => {
    const { bytes: whole } = await get(FILE)
    const [first, last] = placeOf(whole.length)
    const { status, bytes, headers } = await get(FILE, { range })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${whole.length}`)
    expect(headers.get('content-length')).toBe(String(last - first + 1))
    expect(bytes).toEqual(whole.slice(first, last + 1))
  })

  test('If-Range with another version returns the complete file', async () => {
    const { sha256, size } = announced(FILE)
    const lengthOf = async (known: string) => {
      const { status, bytes } = await get(FILE, { range: 'bytes=10-', 'if-range': known })
      return [status, bytes.length]
    }
    expect(await lengthOf(`"${sha256}"`)).toEqual([206, size - 10])
    // A weak ETag does not identify bytes, and neither does a date.
    for (const other of [`W/"${sha256}"`, '"other"', sha256, 'Sun, 15 Nov 2026 21:30:00 GMT']) {
      expect(await lengthOf(other)).toEqual([200, size])
    }
  })

  test('counts as a request, also with 416', async () => {
    const before = Number((await get(FILE)).headers.get('x-ratelimit-remaining'))
    await get(FILE, { range: 'bytes=0-9' })
    const { headers } = await get(FILE, { range: 'bytes=99999999-' })
    expect(headers.get('x-ratelimit-remaining')).toBe(String(before - 2))
  })

  test('200 for several ranges', async () => {
    const { status, bytes } = await get(FILE, { range: 'bytes=0-1,5-9' })
    expect([status, bytes.length]).toEqual([200, announced(FILE).size])
  })

  test.each(['bytes=99999999-', 'bytes=-0'])('416: %s is past the end', async (range) => {
    const { size } = announced(FILE)
    const { status, body, headers } = await get(FILE, { range })
    expect([status, body.error.code]).toEqual([416, 'RANGE_NOT_SATISFIABLE'])
    expect(headers.get('content-range')).toBe(`bytes */${size}`)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([headers.has('etag'), headers.has('content-disposition')]).toEqual([false, false])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('HEAD returns the headers of GET, also with a range', async () => {
    const { size } = announced(FILE)
    for (const range of ['', 'bytes=0-9', 'bytes=99999999-']) {
      const headResponse = await testApp.client.head(FILE, { as: 'free', headers: { range } })
      expect([headResponse.status, headResponse.text]).toEqual([200, ''])
      expect(headResponse.headers.get('accept-ranges')).toBe('bytes')
      expect(headResponse.headers.get('etag')).toBe(`"${announced(FILE).sha256}"`)
      expect(size).toBeGreaterThan(0)
    }
  })

  test.each([
    ['another version', '/v1/bulk-data/2/wickerwild/cards.csv.gz'],
    ['another game', '/v1/bulk-data/3/no-such-game/cards.csv.gz'],
    ['another name', '/v1/bulk-data/3/wickerwild/catalog.sqlite.gz'],
    ['the manifest', '/v1/bulk-data/3/wickerwild/..%2fmanifest.json'],
    ['a way out', '/v1/bulk-data/3/..%2f..%2f/ledger.db'],
    ['a way out as a name', '/v1/bulk-data/3/all/..%2f..%2f..%2fledger.db'],
    ['a member that every object has', '/v1/bulk-data/3/__proto__/constructor'],
  ])('404 for %s', async (_kind, path) => {
    expectRefusal(await get(path), 404, 'NOT_FOUND')
  })

  test.each([
    '%61ll',
    'a%6cl',
    '%61%6c%6c',
    '%2561ll',
    'ALL',
    'all%00',
    'all/',
    './all',
    'x/../all',
  ])('a file of all games requires its tier, in every notation of the URL /%s/', async (word) => {
    const path = OF_ALL.replace('/all/', `/${word}/`)
    for (const as of ['free', 'starter'] as const) {
      const { status, headers } = await testApp.client.get(path, { as })
      expect([400, 403, 404]).toContain(status)
      expect(headers.has('content-disposition')).toBe(false)
    }
  })
})

function announced(path: string): ListedFile {
  const file = files.find((one) => pathOf(one) === path)
  if (file === undefined) throw new Error(`${path} is not listed`)
  return file
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
