import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptedForms, type Coding, formOf, setCoding } from './content-coding.ts'
import { isDownload } from './download.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Compresses responses for clients that accept it. Compressed bodies are not cached, because most contain the
 * remaining quota and are unique. Static files, whose compressed form is cached (static-file.ts), arrive here
 * compressed.
 */
export type Compressor = (request: Request, response: Response) => Response | Promise<Response>

/** Creates the compressor, which limits its simultaneous work: beyond the limits, bodies are sent uncompressed. */
export function createCompressor(): Compressor {
  let bodies = 0
  let streams = 0

  /** Compresses in a thread, unless the threads are busy or the compression fails. */
  async function encodeLarge(body: Bytes, coding: Coding): Promise<Bytes | undefined> {
    if (bodies >= LARGE_BODIES_MAX) return undefined
    bodies++
    try {
      return await encode(body, coding, LEVELS)
    } catch {
      return undefined
    } finally {
      bodies--
    }
  }

  async function compressBody(response: Response, accept: string): Promise<Response> {
    const { status, headers } = response
    const body = new Uint8Array(await response.arrayBuffer())
    const form = formOf(acceptedForms(accept), body.length)
    if (form === 'identity') return new Response(body, { status, headers })
    const encoded =
      body.length > SYNC_BYTES_MAX ? await encodeLarge(body, form) : encodeNow(body, form)
    if (encoded === undefined) return new Response(body, { status, headers })
    setCoding(headers, form)
    return new Response(encoded, { status, headers })
  }

  /** Compresses while the client reads. When the client disconnects, rendering stops. */
  function compressStream(request: Request, response: Response, coding: Coding): Response {
    const { status, headers, body } = response
    if (body === null || streams >= STREAMS_MAX) return response
    setCoding(headers, coding)
    // The server omits the body of HEAD without reading it.
    if (request.method === 'HEAD') return response
    // Bun's CompressionStream also has zstd.
    const { readable, writable } = new CompressionStream(coding as CompressionFormat)
    streams++
    // A failure ends both sides: the source has logged it, and the client gets a truncated response.
    void body
      .pipeTo(writable)
      .catch(() => {})
      .finally(() => {
        streams--
      })
    return new Response(readable, { status, headers })
  }

  return (request, response) => {
    const accept = request.headers.get('accept-encoding')
    if (accept === null || !isCompressible(request, response)) return response
    addVary(response.headers)
    if (!isDownload(response.headers)) return compressBody(response, accept)
    const [form = 'identity'] = acceptedForms(accept)
    return form === 'identity' ? response : compressStream(request, response, form)
  }
}

/**
 * Maximum size that is compressed in the main thread, within a millisecond on a slow core: a thread would take as
 * long to start.
 */
const SYNC_BYTES_MAX = 65_536

/** Maximum number of bodies that threads compress at once: the other threads stay free for files and downloads. */
const LARGE_BODIES_MAX = 4

/** Maximum number of downloads that are compressed at once, even if they are read slowly: each needs up to 2 MB. */
const STREAMS_MAX = 32

/**
 * Levels for bodies of one request. Higher levels save at most five percent, and take a third longer or up to three
 * times as long (docs/decisions/0025-compression.md).
 */
const LEVELS = { zstd: 1, gzip: 2 } as const

/** Levels for files, which each process compresses once. */
const FILE_LEVELS = { zstd: 17, gzip: 9 } as const

const gzipAsync = promisify(gzip)

// Bun's types do not say that its buffers are never shared between threads.
function encodeNow(body: Bytes, coding: Coding): Bytes {
  return coding === 'zstd'
    ? (Bun.zstdCompressSync(body, { level: LEVELS.zstd }) as Bytes)
    : Bun.gzipSync(body, { level: LEVELS.gzip })
}

/** Compresses a file in a thread: slower than the body of a request, and smaller. */
export function encodeFile(body: Bytes, coding: Coding): Promise<Bytes> {
  return encode(body, coding, FILE_LEVELS)
}

async function encode(body: Bytes, coding: Coding, levels: Record<Coding, number>): Promise<Bytes> {
  const encoded =
    coding === 'zstd'
      ? await Bun.zstdCompress(body, { level: levels.zstd })
      : await gzipAsync(body, { level: levels.gzip })
  return encoded as Bytes
}

function isCompressible(
  { headers: requestHeaders }: Request,
  { status, headers }: Response,
): boolean {
  return (
    !BODILESS.has(status) &&
    // A range of a compressed body cannot be combined with a range of the uncompressed body.
    !requestHeaders.has('range') &&
    !headers.has('content-encoding') &&
    TEXT.test(headers.get('content-type') ?? '')
  )
}

/** Statuses without a body, or with a range of one. */
const BODILESS = new Set([204, 206, 304])

/** Excludes images and gzip files, which are already compressed, and events, which would be delayed. */
const TEXT = /^(?:text\/(?!event-stream)|application\/json\b)/

function addVary(headers: Headers): void {
  if (!headers.get('vary')?.includes('Accept-Encoding')) headers.append('vary', 'Accept-Encoding')
}
