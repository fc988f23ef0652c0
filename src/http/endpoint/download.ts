import { nextTurn } from '#actions/cooperative-loop.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import { type ByteRange, parseByteRange } from '#rules/primitives/byte-range.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorResponse } from './envelope.ts'

/** Answer that is a file instead of the envelope. */
export type Download = {
  /** File name suggested to browsers. */
  fileName: string
  contentType: string
  source: TextChunks | StoredFile | RemoteFile
  /** Further headers of the file. */
  headers?: readonly (readonly [name: string, value: string])[]
  /** Like `variant` of a JSON answer. */
  variant?: string
  /** Entity tag, if it does not depend on the catalog version. */
  tag?: string
}

/** Text that is rendered while it is sent. */
export type TextChunks = { chunks: Iterable<string> | AsyncIterable<string> }

/** File in the data folder. Any range of it can be requested. */
export type StoredFile = { path: string; size: number }

/** File in a bucket. Any range of it can be requested. */
export type RemoteFile = {
  size: number
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array>>
  /** Returns a URL from which the client downloads the file; undefined if this server has to send it. */
  sign(file: Pick<Download, 'fileName' | 'contentType'>): string | undefined
}

type SendOptions = {
  headers: Headers
  quota: Quota | undefined
  /** Entity tag; undefined if the file must not be stored. */
  tag?: string
  /** Entity tag of the client's form; undefined if it has none. */
  heldTag?: string | undefined
  /** Called if the response fails after it has begun, and is truncated. */
  onError(error: unknown): void
}

/** Returns true if a response is a file, whose body is a stream or has not been read yet. */
export function isDownload(headers: Headers): boolean {
  return headers.has('content-disposition')
}

/** Sends a file, the requested range of it, a redirect to a remote one, or 304 if the client has it. */
export function sendDownload(
  request: Request,
  download: Download,
  options: SendOptions,
): Response | Promise<Response> {
  const { fileName, contentType, source } = download
  const { headers, tag, heldTag } = options
  headers.set('content-disposition', `attachment; filename="${fileName}"`)
  for (const [name, value] of download.headers ?? []) headers.set(name, value)
  if (!('chunks' in source)) headers.set('accept-ranges', 'bytes')
  if (heldTag !== undefined) return new Response(null, { status: 304, headers })
  headers.set('content-type', contentType)
  // Also for HEAD, because without a body the server would send a length of 0.
  if ('chunks' in source) return new Response(streamText(source, options), { headers })
  const range = requestedRange(request, source.size, tag)
  if (range === 'none') return rangeNotSatisfiable(source, options)
  const { first, last } = range === 'whole' ? { first: 0, last: source.size - 1 } : range
  const isHead = request.method === 'HEAD'
  // The URL is signed for GET.
  const address = 'sign' in source && !isHead ? source.sign(download) : undefined
  if (address !== undefined) return redirect(address, headers)
  headers.set('content-length', String(last - first + 1))
  if (range !== 'whole') headers.set('content-range', `bytes ${first}-${last}/${source.size}`)
  const send = (body: BodyInit | null) =>
    new Response(body, { status: range === 'whole' ? 200 : 206, headers })
  if (isHead) return send(null)
  if ('path' in source) return send(Bun.file(source.path).slice(first, last + 1))
  // Bun sends a stream in chunks, without its length. A truncated stream lacks the last chunk.
  headers.delete('content-length')
  return source.open({ first, last }).then((bytes) => send(streamBytes(bytes, options)))
}

/** Redirects the client to a secret URL that is valid for some minutes. */
function redirect(address: string, headers: Headers): Response {
  for (const name of ['content-disposition', 'content-type', 'etag', 'accept-ranges']) {
    headers.delete(name)
  }
  headers.set('cache-control', 'private, no-store')
  headers.set('location', address)
  return new Response(null, { status: 302, headers })
}

/** Passes bytes on at the client's speed. A client that stops reading ends the transfer. */
function streamBytes(
  bytes: AsyncIterable<Uint8Array>,
  { onError }: SendOptions,
): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { value, done } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        onError(error)
        controller.error(error)
      }
    },
    cancel: () => void iterator.return?.(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function requestedRange(
  { method, headers }: Request,
  size: number,
  tag: string | undefined,
): ByteRange | 'whole' | 'none' {
  if (method !== 'GET') return 'whole'
  // A client that has a part of another version receives all of this one (RFC 9110, 13.1.5).
  const ifRange = headers.get('if-range')
  if (ifRange !== null && ifRange.trim() !== tag) return 'whole'
  return parseByteRange(headers.get('range'), size)
}

function rangeNotSatisfiable(
  { size }: Pick<StoredFile, 'size'>,
  { headers, quota }: SendOptions,
): Response {
  for (const name of ['content-disposition', 'etag']) headers.delete(name)
  headers.set('content-type', 'application/json; charset=utf-8')
  headers.set('cache-control', 'no-store')
  headers.set('content-range', `bytes */${size}`)
  const message = `The requested range begins after the end of the file (${size} bytes).`
  return errorResponse(new ServiceError('RANGE_NOT_SATISFIABLE', message), quota, headers)
}

/** Renders a chunk after the client has read the previous one, and serves other requests in between. */
function streamText({ chunks }: TextChunks, { onError }: SendOptions): ReadableStream<Uint8Array> {
  const iterator = iterate(chunks)
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      await nextTurn()
      try {
        const text = await nextChunk(iterator)
        if (text === '') controller.close()
        else controller.enqueue(encoder.encode(text))
      } catch (error) {
        onError(error)
        controller.error(error)
      }
    },
    cancel: () => void iterator.return?.(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

type TextIterator = Iterator<string> | AsyncIterator<string>

function iterate(chunks: TextChunks['chunks']): TextIterator {
  return Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
}

/** Joins pieces of text until they are large enough for a write; empty at the end. */
async function nextChunk(iterator: TextIterator): Promise<string> {
  let text = ''
  while (text.length < CHUNK_LENGTH_MIN) {
    const next = iterator.next()
    const { value, done } = next instanceof Promise ? await next : next
    if (done) break
    text += value
  }
  return text
}

const CHUNK_LENGTH_MIN = 65_536
