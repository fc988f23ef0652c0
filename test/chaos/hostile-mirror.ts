/**
 * A mirror that fails below HTTP: it drips, aborts, or closes early. It implements HTTP itself, because a server
 * library would repair some of these faults. Each connection serves one request.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from '../support/certificates.ts'

/** Faulty response to a request. */
export type MirrorFault =
  /** Sends this many bytes, then pauses. */
  | { kind: 'slow'; bytes: number; pauseMs: number }
  | { kind: 'status'; status: number; retryAfter?: number }
  /** Announces the whole file, sends half of it, and resets or closes the connection. */
  | { kind: 'reset' | 'short' }

/** A request as the mirror received it. Times are milliseconds of `performance.now`. */
export type MirrorRequest = {
  path: string
  startedAt: number
  /** Time at which the response was complete or the connection was closed; undefined until then. */
  endedAt?: number
  /** Seconds of a Retry-After header in the response. */
  retryAfter?: number
}

export type HostileMirrorOptions = {
  /** Returns the files by path. */
  files: () => ReadonlyMap<string, string>
  /** Returns the fault of a request; `times` counts earlier requests for the path. */
  faultOf: (path: string, times: number) => MirrorFault | undefined
  tls?: Certificate
  /** With TLS: returns the number of bytes to the client after which its connection is reset. */
  cutAfter?: (connection: number) => number | undefined
}

export type HostileMirror = Awaited<ReturnType<typeof startHostileMirror>>

/** Starts a hostile mirror on 127.0.0.1. */
export async function startHostileMirror(options: HostileMirrorOptions) {
  const requests: MirrorRequest[] = []
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const serve = (socket: Socket) => {
    track(socket)
    serveOne(socket, options, requests)
  }
  const { tls, cutAfter } = options
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  const servers = [server]
  let port = await listen(server)
  if (cutAfter !== undefined) {
    const front = createCuttingProxy(port, cutAfter, track)
    servers.push(front)
    port = await listen(front)
  }
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    close(): void {
      for (const one of servers) one.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

function serveOne(
  socket: Socket,
  { files, faultOf }: HostileMirrorOptions,
  requests: MirrorRequest[],
): void {
  let head = ''
  socket.on('data', (bytes: Buffer) => {
    const isComplete = head.includes('\r\n\r\n')
    head += bytes.toString('latin1')
    if (isComplete || !head.includes('\r\n\r\n')) return
    const path = (/^GET \/(\S*) HTTP/.exec(head)?.[1] ?? '').replace(/\?.*$/, '')
    const times = requests.filter((request) => request.path === path).length
    const request: MirrorRequest = { path, startedAt: performance.now() }
    requests.push(request)
    socket.on('close', () => {
      request.endedAt ??= performance.now()
    })
    const fault = faultOf(path, times)
    if (fault?.kind === 'status' && fault.retryAfter !== undefined) {
      request.retryAfter = fault.retryAfter
    }
    void respond(socket, { head, text: files().get(path), fault }).finally(() => {
      request.endedAt ??= performance.now()
    })
  })
}

type Exchange = { head: string; text: string | undefined; fault: MirrorFault | undefined }

async function respond(socket: Socket, { head, text, fault }: Exchange): Promise<void> {
  if (fault?.kind === 'status') {
    const retry = fault.retryAfter === undefined ? '' : `Retry-After: ${fault.retryAfter}\r\n`
    return end(socket, `HTTP/1.1 ${fault.status} Fault\r\n${retry}${NO_BODY}`)
  }
  if (text === undefined) return end(socket, `HTTP/1.1 404 Not Found\r\n${NO_BODY}`)
  const etag = `"${Bun.hash(text).toString(36)}"`
  if (head.includes(etag)) return end(socket, `HTTP/1.1 304 Not Modified\r\n${NO_BODY}`)
  const body = Buffer.from(text)
  const length = `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.write(`HTTP/1.1 200 OK\r\nETag: ${etag}\r\n${length}`)
  if (fault === undefined) return end(socket, body)
  if (fault.kind === 'slow') return sendSlowly(socket, body, fault)
  socket.write(body.subarray(0, Math.floor(body.length / 2)))
  // Long enough for the first half to arrive.
  await Bun.sleep(20)
  if (fault.kind === 'reset') socket.resetAndDestroy()
  else socket.end()
}

const NO_BODY = 'Content-Length: 0\r\nConnection: close\r\n\r\n'

async function end(socket: Socket, data: string | Buffer): Promise<void> {
  socket.end(data)
}

async function sendSlowly(
  socket: Socket,
  body: Buffer,
  { bytes, pauseMs }: { bytes: number; pauseMs: number },
): Promise<void> {
  for (let at = 0; at < body.length && !socket.destroyed; at += bytes) {
    socket.write(body.subarray(at, at + bytes))
    await Bun.sleep(pauseMs)
  }
  socket.end()
}

/** Forwards connections, and resets some of them after a number of bytes, in the middle of TLS. */
function createCuttingProxy(
  port: number,
  cutAfter: (connection: number) => number | undefined,
  track: (socket: Socket) => void,
): Server {
  let connections = 0
  return createServer((client) => {
    const limit = cutAfter(connections++)
    let sent = 0
    track(client)
    const upstream = Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(_, bytes) {
          const rest = limit === undefined ? bytes.length : Math.max(0, limit - sent)
          sent += bytes.length
          client.write(Buffer.from(bytes.subarray(0, rest)))
          if (limit !== undefined && sent >= limit) client.resetAndDestroy()
        },
        close: () => void client.end(),
        error: () => void client.destroy(),
      },
    })
    client.on('data', async (bytes: Buffer) => void (await upstream).write(bytes))
    client.on('close', async () => void (await upstream).end())
  })
}
