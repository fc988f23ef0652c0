// Receivers of alerts on the local machine. They speak HTTP on raw sockets, because server libraries neither truncate
// their responses nor send endless ones.
import type { Socket } from 'bun'
import type { Certificate } from '../certificates.ts'

/** A message as received, whatever the response. */
export type Received = {
  id: string
  timestamp: string
  signature: string
  headers: Headers
  /** Includes the query. */
  path: string
  body: string
  /** Body as bytes, which may not be valid text. */
  bytes: Uint8Array
  /** Arrival of the last byte, in epoch milliseconds. */
  at: number
  /** True if the receiver processed it, whatever the response was. */
  isKept: boolean
}

/** Behavior of a receiver for a message. */
export type Behavior =
  /** 204. */
  | 'ok'
  /** 200, and some words. */
  | 'ok with body'
  | 'refuse'
  | 'gone'
  | 'fail'
  /** No response; the connection stays open. */
  | 'never'
  /** 200 with an endless body. */
  | 'endless'
  /** 200 with endless headers. */
  | 'endless headers'
  /** Closes the connection before the response. */
  | 'cut'
  /** Closes the connection within the body of a 200. */
  | 'cut within'
  /** Stores the message, and responds with 503. */
  | 'accept then fail'
  /** 307 to this address. */
  | { moved: string }
  /** 503 with this Retry-After. */
  | { busy: string }
  /** 204 after this many milliseconds. */
  | { slow: number }
  /** Any other response. */
  | { status: number; headers?: Record<string, string>; body?: string | Uint8Array }

export type ReceiverOptions = {
  /** Chooses the behavior once for each message; 'ok' by default. */
  behave?: (message: Omit<Received, 'isKept'>) => Behavior
  /** Uses HTTPS with this certificate. */
  tls?: Certificate
  hostname?: '127.0.0.1' | '::1'
  port?: number
}

export type Receiver = ReturnType<typeof startReceiver>

/** Starts a receiver on a free port. */
export function startReceiver({ behave, tls, hostname = '127.0.0.1', port }: ReceiverOptions = {}) {
  const received: Received[] = []
  let connections = 0
  const open = new Set<Socket<Wire>>()
  let bytesSent = 0

  function countSent(bytes: number): void {
    bytesSent += bytes
  }

  function receive(socket: Socket<Wire>, message: Omit<Received, 'isKept'>): void {
    const behavior = behave?.(message) ?? 'ok'
    received.push({ ...message, isKept: isKept(behavior) })
    respond(socket, behavior)
  }

  const server = Bun.listen<Wire>({
    hostname,
    port: port ?? 0,
    ...(tls && { tls }),
    socket: {
      open(socket) {
        connections++
        open.add(socket)
        const none = Buffer.alloc(0)
        socket.data = { read: none, unsent: none, timer: undefined, countSent }
      },
      data(socket, bytes) {
        socket.data.read = Buffer.concat([socket.data.read, bytes])
        for (
          let taken = parseRequest(socket.data);
          taken !== undefined;
          taken = parseRequest(socket.data)
        ) {
          receive(socket, taken)
        }
      },
      drain(socket) {
        flush(socket)
      },
      close(socket) {
        // With TLS, a failed handshake is closed without having been opened.
        if (!open.delete(socket)) return
        clearTimeout(socket.data.timer)
      },
      // Ignores clients that disconnect during a handshake or a response.
      error() {},
    },
  })

  return {
    url: `http${tls ? 's' : ''}://${hostname === '::1' ? '[::1]' : hostname}:${server.port}`,
    port: server.port,
    /** Every received message, oldest first. */
    received,
    /** Number of connections opened so far, and of those with TLS. */
    connections: () => connections,
    /** Number of open connections. */
    openConnections: () => open.size,
    /** Number of response bytes that the network has accepted so far. */
    bytesSent: () => bytesSent,
    /** Closes everything, including open connections, at once. */
    stop: () => server.stop(true),
  }
}

/** A connection with its unparsed input and unwritten output. */
type Wire = {
  read: Buffer
  unsent: Buffer
  /** Written repeatedly once `unsent` is empty. */
  refill?: Buffer
  timer: Timer | undefined
  countSent: (bytes: number) => void
}

/** Returns the next message of a connection; undefined while it is incomplete. */
function parseRequest(wire: Wire): Omit<Received, 'isKept'> | undefined {
  const headEnd = wire.read.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [request = '', ...lines] = wire.read.subarray(0, headEnd).toString('latin1').split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const bodyEnd = headEnd + 4 + Number(headers.get('content-length') ?? 0)
  if (wire.read.length < bodyEnd) return undefined
  const bytes = new Uint8Array(wire.read.subarray(headEnd + 4, bodyEnd))
  wire.read = wire.read.subarray(bodyEnd)
  return {
    id: headers.get('webhook-id') ?? '',
    timestamp: headers.get('webhook-timestamp') ?? '',
    signature: headers.get('webhook-signature') ?? '',
    headers,
    path: request.split(' ')[1] ?? '',
    body: Buffer.from(bytes).toString('utf8'),
    bytes,
    at: Date.now(),
  }
}

function isKept(behavior: Behavior): boolean {
  if (typeof behavior === 'string') return KEPT.has(behavior)
  return 'slow' in behavior || ('status' in behavior && Math.floor(behavior.status / 100) === 2)
}

const KEPT: ReadonlySet<Behavior> = new Set<Behavior>([
  'ok',
  'ok with body',
  'endless',
  'cut within',
  'accept then fail',
])

function respond(socket: Socket<Wire>, behavior: Behavior): void {
  if (behavior === 'never') return
  if (behavior === 'cut') {
    socket.terminate()
  } else if (behavior === 'cut within') {
    send(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf of wh')
    // Long enough for the first half to be sent.
    socket.data.timer = setTimeout(() => socket.end(), 20)
  } else if (behavior === 'endless') {
    socket.data.refill = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    send(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
  } else if (behavior === 'endless headers') {
    socket.data.refill = Buffer.from(`x-more: ${'x'.repeat(1_000)}\r\n`)
    send(socket, 'HTTP/1.1 200 OK\r\n')
  } else if (typeof behavior === 'object' && 'slow' in behavior) {
    socket.data.timer = setTimeout(() => send(socket, answer({ status: 204 })), behavior.slow)
  } else {
    send(socket, answer(plain(behavior)))
  }
}

type Plain = Extract<Behavior, { status: number }>

function plain(behavior: Exclude<Behavior, { slow: number }>): Plain {
  if (typeof behavior === 'string') return PLAIN[behavior] ?? { status: 500 }
  if ('moved' in behavior) return { status: 307, headers: { location: behavior.moved } }
  if ('busy' in behavior) return { status: 503, headers: { 'retry-after': behavior.busy } }
  return behavior
}

const PLAIN: Readonly<Record<string, Plain>> = {
  ok: { status: 204 },
  'ok with body': { status: 200, body: 'Thank you.' },
  refuse: { status: 400, body: 'Unknown webhook.' },
  gone: { status: 410 },
  fail: { status: 500, body: 'We broke.' },
  'accept then fail': { status: 503 },
}

function answer({ status, headers, body = '' }: Plain): Buffer {
  const bytes = Buffer.from(body)
  const length = status === 204 ? {} : { 'content-length': bytes.length }
  const lines = Object.entries({ ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.concat([
    Buffer.from([`HTTP/1.1 ${status} Status`, ...lines, '', ''].join('\r\n')),
    bytes,
  ])
}

function send(socket: Socket<Wire>, bytes: string | Buffer): void {
  socket.data.unsent = Buffer.concat([socket.data.unsent, Buffer.from(bytes)])
  flush(socket)
}

/** Writes what the network accepts; the rest follows when the client has read that. */
function flush(socket: Socket<Wire>): void {
  const wire = socket.data
  for (;;) {
    if (wire.unsent.length === 0 && wire.refill !== undefined) wire.unsent = wire.refill
    if (wire.unsent.length === 0) return
    const written = socket.write(wire.unsent)
    if (written <= 0) return
    wire.countSent(written)
    wire.unsent = wire.unsent.subarray(written)
  }
}
