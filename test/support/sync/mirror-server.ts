import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Faults of the fake mirror; the first of `html`, `cutOff` and `status` that is set applies. */
export type Fault = {
  /** Response status instead of the file, with an empty body. */
  status?: number
  headers?: Record<string, string>
  /** Delay before the response. */
  delayMs?: number
  /** No response before this promise settles. */
  until?: Promise<void>
  /** Half of the file, then the connection is cut. */
  cutOff?: boolean
  /** A maintenance page with status 200. */
  html?: boolean
  /** Number of requests with the fault; all by default. */
  times?: number
}

export type RecordedRequest = { path: string; headers: Headers; at: number; status: number }

export type Mirror = ReturnType<typeof startMirror>

/**
 * Starts a mirror on a free port that responds like the real one: ETag and Last-Modified, 304 for a known ETag, 404
 * for unknown paths.
 *
 * @param content texts by path, or a folder; both are read on each request
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
    // Otherwise Bun prints every connection that is closed on purpose.
    development: false,
    // A mirror without a response keeps its connections open.
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

    /** Changes a file; undefined removes it (not in a folder). */
    put(path: string, text: string | undefined): void {
      if (typeof content === 'string') {
        mkdirSync(dirname(join(content, path)), { recursive: true })
        writeFileSync(join(content, path), text ?? '')
      } else if (text === undefined) content.delete(path)
      else content.set(path, text)
    },

    /** Sets a fault for one path, or for every path without its own fault. */
    fault(path: string, fault: Fault): void {
      faults.set(path, fault)
    },

    /** Removes all faults. */
    recover(): void {
      faults.clear()
    },

    close: () => server.stop(true),
  }
}

/** Every path, as an argument of `fault`. */
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

/** Returns a body whose connection is cut in the middle, before the announced length. */
function halfOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)))
      // Long enough for the first half to be sent.
      await Bun.sleep(5)
      controller.error(new Error('cut off on purpose'))
    },
  })
}
