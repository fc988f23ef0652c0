import { gzipSync } from 'node:zlib'

const SETS = 4
const MIB = 1024 * 1024
/** Just within the limit for a file. */
const FILE_BYTES = 7.9 * MIB
const VALUES = 390_000
const RECORDS = 9_900

/** Product files that need much memory; `honest` has one card. */
export const OVERSIZED_FILES = {
  honest: (setId) => results([card(setId, 0)]),
  'a gzip bomb': () => bomb(),
  'an endless body': () => endless(new Uint8Array(MIB).fill(0x20)),
  'arrays beyond the limit': () => file('[', '['.repeat(7 * MIB), ']'),
  'nested arrays': () => file('[', `${'['.repeat(VALUES)}${']'.repeat(VALUES)}`, ']'),
  'records with keys of their own': () =>
    file(
      '[',
      repeat(VALUES / 2, (index) => `{"k${index}":${index}},`),
      '{}]',
    ),
  'long texts beyond ASCII': () => file('["', '日本語'.repeat(FILE_BYTES / 9), '"]'),
  'many large cards': (setId) =>
    results(Array.from({ length: RECORDS }, (_, index) => card(setId, index, ATTRIBUTES))),
} satisfies Record<string, (setId: number) => Response>

export type OversizedFile = keyof typeof OVERSIZED_FILES

/** Starts a mirror with one game, in which every second set has such a product file. */
export function startOversizedMirror(kind: OversizedFile) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    error: () => undefined,
    fetch(request) {
      const path = new URL(request.url).pathname
      if (path === '/last-updated.txt') return new Response('2026-08-05T20:05:50+0000')
      if (path.endsWith('/categories')) return results([{ categoryId: 3, name: 'Game' }])
      if (path.endsWith('/groups')) {
        const ids = Array.from({ length: SETS }, (_, index) => index + 1)
        return results(ids.map((id) => ({ groupId: id, categoryId: 3, name: `Set ${id}` })))
      }
      const setId = Number(/\/(\d+)\/products$/.exec(path)?.[1] ?? 0)
      if (setId === 0) return results([])
      return OVERSIZED_FILES[setId % 2 === 0 ? kind : 'honest'](setId)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) }
}

const ATTRIBUTES = Array.from({ length: 8 }, (_, index) => ({
  name: `Attribute ${index}`,
  value: 'x'.repeat(40),
}))

function card(setId: number, index: number, extendedData: object[] = []) {
  const productId = setId * 1_000_000 + index
  return { productId, categoryId: 3, groupId: setId, name: `Card ${index}`, extendedData }
}

function results(records: readonly object[]): Response {
  return file('', JSON.stringify(records), '')
}

function file(begin: string, content: string, end: string): Response {
  return new Response(`{"success":true,"errors":[],"results":${begin}${content}${end}}`)
}

function repeat(times: number, item: (index: number) => string): string {
  return Array.from({ length: times }, (_, index) => item(index)).join('')
}

/** 64 MiB of spaces, repeatedly, each compressed to 64 KiB. */
function bomb(): Response {
  return endless(gzipSync(new Uint8Array(64 * MIB).fill(0x20)), { 'content-encoding': 'gzip' })
}

/** Repeats the bytes until the client stops reading. */
function endless(bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Response {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(bytes)
      await Bun.sleep(0)
    },
  })
  return new Response(body, { headers })
}
