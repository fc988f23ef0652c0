import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Quota } from '#rules/accounts/quota.ts'
import { type ByteRange, parseByteRange } from '#rules/primitives/byte-range.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorResponse } from './envelope.ts'

/** An answer that is a file by itself, without the envelope. */
export type Download = {
  /** What the caller's disk shall call it. */
  fileName: string
  contentType: string
  source: TextChunks | StoredFile
  /** As of `Answer`. */
  variant?: string
  /** Its own entity tag, where it does not change with the catalog's version. */
  tag?: string
}

/** Text that is made while it is sent. */
export type TextChunks = { chunks: Iterable<string> }

/** A whole file of the data folder: any part of it may be asked for. */
export type StoredFile = { path: string; size: number }

/** What a file is sent with. */
type Sending = {
  headers: Headers
  quota: Quota | undefined
  /** Its entity tag, and whether the caller has it; undefined for what nobody keeps. */
  tag?: string
  isKnown?: boolean
  /** Told what goes wrong once the answer has begun: it is cut off then. */
  onFault(error: unknown): void
}

/** Sends a file: all of it, the part that was asked for, or nothing where the caller has it. */
export function sendDownload(request: Request, download: Download, sending: Sending): Response {
  const { fileName, contentType, source } = download
  const { headers, tag, isKnown = false } = sending
  headers.set('content-disposition', `attachment; filename="${fileName}"`)
  if ('path' in source) headers.set('accept-ranges', 'bytes')
  if (isKnown) return new Response(null, { status: 304, headers })
  headers.set('content-type', contentType)
  // To HEAD, too: without a body, the server would say that it is 0 bytes long.
  if ('chunks' in source) return new Response(streamOf(source, sending), { headers })
  const part = partOf(request, source.size, tag)
  if (part === 'none') return beyondTheEnd(source, sending)
  const { first, last } = part === 'whole' ? { first: 0, last: source.size - 1 } : part
  headers.set('content-length', String(last - first + 1))
  if (part !== 'whole') headers.set('content-range', `bytes ${first}-${last}/${source.size}`)
  const body = request.method === 'HEAD' ? null : Bun.file(source.path).slice(first, last + 1)
  return new Response(body, { status: part === 'whole' ? 200 : 206, headers })
}

function partOf(
  { method, headers }: Request,
  size: number,
  tag: string | undefined,
): ByteRange | 'whole' | 'none' {
  if (method !== 'GET') return 'whole'
  // Who has the beginning of another version is sent the whole of this one (RFC 9110, 13.1.5).
  const ifRange = headers.get('if-range')
  if (ifRange !== null && ifRange.trim() !== tag) return 'whole'
  return parseByteRange(headers.get('range'), size)
}

function beyondTheEnd({ size }: StoredFile, { headers, quota }: Sending): Response {
  for (const name of ['content-disposition', 'etag']) headers.delete(name)
  headers.set('content-type', 'application/json; charset=utf-8')
  headers.set('cache-control', 'no-store')
  headers.set('content-range', `bytes */${size}`)
  const error = new ServiceError('RANGE_NOT_SATISFIABLE', `The file ends after ${size} bytes.`)
  return errorResponse(error, quota, headers)
}

/**
 * Makes the next piece when the last one is gone, and lets other requests in between. Nothing is made
 * before somebody reads.
 */
function streamOf({ chunks }: TextChunks, { onFault }: Sending): ReadableStream<Uint8Array> {
  const left = chunks[Symbol.iterator]()
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      await nextTurn()
      try {
        const text = gather(left)
        if (text === '') controller.close()
        else controller.enqueue(encoder.encode(text))
      } catch (error) {
        onFault(error)
        controller.error(error)
      }
    },
    cancel: () => void left.return?.(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** The next pieces, up to about as many characters as are worth a write; empty at the end. */
function gather(left: Iterator<string>): string {
  let text = ''
  while (text.length < WRITE) {
    const { value, done } = left.next()
    if (done) break
    text += value
  }
  return text
}

const WRITE = 65_536
