import type { TSchema } from '@sinclair/typebox'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Minimum speed of an upload. */
export type UploadPace = {
  /** Milliseconds without a byte after which an upload is aborted. */
  stallMs: number
  /** Milliseconds for which an upload may be slower. */
  graceMs: number
  /** Average since the start, in bytes per second. */
  bytesPerSecond: number
}

/**
 * 0.6 Mbit/s, which is 8 MB within two minutes. A stalled upload is aborted before the server closes the connection
 * after 30 s.
 */
const PACE: UploadPace = { stallMs: 15_000, graceMs: 15_000, bytesPerSecond: 80_000 }

/** An upload whose body is still arriving. */
export type UnfinishedUpload = {
  /** Milliseconds since its last byte, or its delay compared with a normal upload if that is longer. */
  lagMs(): number
  /** Aborts the upload, whose sender is asked to send it again. */
  abort(): void
}

/**
 * Reserves memory for a body.
 *
 * @param bytes its whole length so far
 * @param upload may be aborted for another body; undefined once the body is complete
 * @throws ServiceError if too much is held
 */
export type ReserveBytes = (bytes: number, upload?: UnfinishedUpload) => void

/** Speed below which an upload has to make room for others while memory is scarce: 3 Mbit/s. */
const SHARING_BYTES_PER_MS = 400

/** Memory of a body in chunks, before it grows. */
const CHUNKED_BYTES = 16 * 1024

/**
 * Reads the body of a request. A body whose declared length is too large is not read at all. Other bodies are aborted
 * at the size limit, or when they arrive too slowly.
 *
 * @param refuse throws the error for a body that is too large or incomplete
 * @throws ServiceError UNAVAILABLE if the body arrives too slowly
 */
export async function readRequestBody(
  request: Request,
  { bytesMax, reserve }: { bytesMax: number; reserve: ReserveBytes },
  refuse: (why: 'too large' | 'incomplete') => never,
  pace = PACE,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > bytesMax) refuse('too large')
  // Filled in place: a list of chunks would need twice the memory.
  let bytes = new Uint8Array(Number(declared ?? 0))
  const allocate = (length: number) => {
    reserve(length, watch)
    const larger = new Uint8Array(length)
    larger.set(bytes)
    bytes = larger
  }
  const reader = request.body.getReader()
  // Cancels the pending read, and closes the connection of a body that was not read to its end.
  const leave = () => void reader.cancel().catch(() => {})
  const watch = watchPace(pace, leave)
  const read = () => reader.read().catch(() => refuse('incomplete'))
  let length = 0
  try {
    reserve(bytes.length, watch)
    for (let { value } = await read(); value !== undefined; { value } = await read()) {
      const needed = length + value.length
      if (needed > bytesMax) refuse('too large')
      if (needed > bytes.length) allocate(Math.min(Math.max(2 * needed, CHUNKED_BYTES), bytesMax))
      bytes.set(value, length)
      length = needed
      watch.add(value.length)
    }
  } finally {
    watch.end()
    leave()
  }
  const problem = watch.problem()
  if (problem !== undefined) throw aborted(problem)
  reserve(bytes.length)
  return bytes.subarray(0, length)
}

/** Calls `onEnd` once if an upload is too slow or is aborted. */
function watchPace({ stallMs, graceMs, bytesPerSecond }: UploadPace, onEnd: () => void) {
  const startedAt = performance.now()
  let lastAt = startedAt
  let received = 0
  let problem: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Waits until the upload would be late without further bytes, then checks whether some have arrived. */
  function check(): void {
    const dueAt = Math.min(
      lastAt + stallMs,
      startedAt + graceMs + (received / bytesPerSecond) * 1_000,
    )
    const restMs = dueAt - performance.now()
    if (restMs <= 0) end(TOO_SLOW)
    else timer = setTimeout(check, restMs)
  }

  function end(why: string): void {
    problem ??= why
    onEnd()
  }

  check()
  return {
    lagMs() {
      const now = performance.now()
      return Math.max(now - lastAt, now - startedAt - received / SHARING_BYTES_PER_MS)
    },
    abort: () => end(DISPLACED),
    add(bytes: number): void {
      received += bytes
      lastAt = performance.now()
    },
    /** Reason why the upload was ended, as a sentence; undefined if it was not ended. */
    problem: () => problem,
    end: () => clearTimeout(timer),
  }
}

const TOO_SLOW = 'The body arrived too slowly: at least 80 KB a second are needed.'
const DISPLACED = 'Too many uploads are in progress, and this one made room for another.'

function aborted(problem: string): ServiceError {
  return new ServiceError('UNAVAILABLE', `${problem} Send the request again.`, { retryAfter: 1 })
}

/** Reads the body of a request, and documents it. */
export type BodySource<Body> = {
  /** Schemas by media type. */
  content: Readonly<Record<string, TSchema>>
  /** True if a request may omit the body. */
  isOptional?: boolean
  /** Maximum length of the body. */
  bytesMax: number
  /** @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR */
  read(request: Request, reserve: ReserveBytes): Promise<Body>
}

/** Body that is on disk until the response instead of in memory, for a request that waits for minutes. */
export type StoredBodySource = BodySource<Uint8Array> & { isStored: true }
