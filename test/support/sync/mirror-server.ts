import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Faults of the fake mirror; the first of `html`, `cutOff`, `status` that is set applies. */
export type Fault = {
  /** Answered instead of the file, with an empty body. */
  status?: number
  headers?: Record<string, string>
  /** Before anything is answered. */
  delayMs?: number
  /** Nothing is answered before it ends. */
  until?: Promise<void>
  /** Half of the file, then the connection breaks. */
  cutOff?: boolean
  /** A maintenance page with status 200. */
  html?: boolean
  /** The number of requests with the fault; all by default. */
  times?: number
}

export type RecordedRequest = { path: string; headers: Headers; at: number; status: number }

export type Mirror = ReturnType<typeof startMirror>

/**
 * A mirror on its own port that answers like the real one: ETag and Last-Modified, 304 for a known
 * ETag, 404 for unknown paths.
 *
 * @param content path below the root to text, or a folder; both are read for each request
 */
export function startMirror(content: Map<string, string> | string) {
  const faults = new Map<string, Fault>()
  const requests: RecordedRequest[] = []

  function textOf(path: string): string | undefined {
    if (typeof content !== 'string') return content.get(path)
    const file = join(content, path)
    return statSync(file, { throwIfNoEntry: false })?.isFile()
      ? readFileSync(file, 'utf8')
      : undefined
  }

  function faultOf(path: string): Fault | undefined {
    const key = faults.has(path) ? path : EVERY_PATH
    const fault = faults.get(key)
    if (fault?.times === undefined) return fault
    if (fault.times <= 1) faults.delete(key)
    else faults.set(key, { ...fault, times: fault.times - 1 })
    return fault
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Otherwise Bun prints every connection that is broken on purpose.
    development: false,
    // A mirror that does not answer keeps its connections.
    idleTimeout: 0,
    error: () => undefined,
    async fetch(request) {
      const path = new URL(request.url).pathname.slice(1)
      const seen = { path, headers: request.headers, at: performance.now(), status: 0 }
      requests.push(seen)
      const fault = faultOf(path)
      if (fault?.delayMs !== undefined) await Bun.sleep(fault.delayMs)
      await fault?.until
      const response = answer(request, textOf(path), fault)
      seen.status = response.status
      return response
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,

    requestsOf: (path: string) => requests.filter((request) => request.path === path),

    /** Changes a file; undefined takes it away (not in a folder). */
    put(path: string, text: string | undefined): void {
      if (typeof content === 'string') {
        mkdirSync(dirname(join(content, path)), { recursive: true })
        writeFileSync(join(content, path), text ?? '')
      } else if (text === undefined) content.delete(path)
      else content.set(path, text)
    },

    /** Misbehaves on one path, or on every path that has no fault of its own. */
    fault(path: string, fault: Fault): void {
      faults.set(path, fault)
    },

    /** Behaves again. */
    recover(): void {
      faults.clear()
    },

    close: () => server.stop(true),
  }
}

/** As a path of `fault`: all of them. */
export const EVERY_PATH = '*'

function answer(request: Request, text: string | undefined, fault: Fault | undefined): Response {
  const headers = { ...fault?.headers }
  if (fault?.html) return new Response('<!DOCTYPE html><p>Back soon', { headers })
  if (fault?.cutOff) return new Response(halfOf(text ?? 'not much'), { headers })
  if (fault?.status !== undefined) return new Response(null, { status: fault.status, headers })
  if (text === undefined) return new Response('not found', { status: 404, headers })
  const etag = `"${Bun.hash(text).toString(36)}"`
  const fresh = { ETag: etag, 'Last-Modified': LAST_MODIFIED, ...headers }
  const isKnown = request.headers.get('if-none-match') === etag
  return isKnown
    ? new Response(null, { status: 304, headers: fresh })
    : new Response(text, { headers: fresh })
}

const LAST_MODIFIED = 'Wed, 05 Aug 2026 20:05:50 GMT'

/** A body whose connection breaks in the middle: the client has been promised more than it gets. */
function halfOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)))
      // Long enough for the first half to leave.
      await Bun.sleep(5)
      controller.error(new Error('cut off on purpose'))
    },
  })
}
