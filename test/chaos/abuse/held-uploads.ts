import { connect, type Socket } from 'node:net'

const PHOTO_BYTES = 8 * 1024 * 1024
/** Bytes that are never sent, so that the body never ends. */
const MISSING_BYTES = 500
/** 250 uploads share 1 Gbit/s. Without a limit, they would measure how fast the kernel copies. */
const CHUNK_BYTES = 64 * 1024
const CHUNK_EVERY_MS = 125
/** Maximum time between a response and the next try; on average half of it, so that uploads are not synchronized. */
const REOPEN_MS_MAX = 10_000

/** Sender of an upload: its key, and its address behind the proxy. */
export type HeldUploadSender = { key: string; address: string }

export type HeldUploads = ReturnType<typeof holdUploads>

/** Opens uploads that stop shortly before their end, one per sender, and reopens each after its response. */
export function holdUploads(url: string, senders: readonly HeldUploadSender[]) {
  const { hostname, port } = new URL(url)
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const answers: Record<string, number> = {}
  const unexpected: string[] = []
  const sockets = new Set<Socket>()
  let longestMs = 0
  let isEnded = false

  function open(sender: HeldUploadSender): void {
    if (isEnded) return
    const socket = connect({ host: hostname, port: Number(port) })
    sockets.add(socket)
    const startedAt = performance.now()
    let head = ''
    socket.on('connect', () => {
      socket.write(headOf(sender))
      sendChunks(socket, chunk)
    })
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      if (head.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      if (isEnded) return
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 'closed'
      answers[status] = (answers[status] ?? 0) + 1
      if (isUnexpected(status, head)) unexpected.push(`a held upload got ${head.slice(0, 200)}`)
      setTimeout(() => open(sender), Math.random() * REOPEN_MS_MAX)
    })
  }

  for (const sender of senders) open(sender)
  return {
    /** Number of responses by status; `closed` counts connections without one. */
    answers,
    /** Responses that lack Retry-After, or that are server errors. */
    unexpected,
    /** Seconds of the longest upload that was answered or closed. */
    longestSeconds: () => Math.round(longestMs / 1000),
    held: () => sockets.size,
    end(): void {
      isEnded = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

function isUnexpected(status: string, head: string): boolean {
  if (status === '429' || status === '503') return !/^retry-after: \d+/im.test(head)
  return status.startsWith('5')
}

function headOf({ key, address }: HeldUploadSender): string {
  return [
    'POST /v1/identify HTTP/1.1',
    'Host: 127.0.0.1',
    `X-API-Key: ${key}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: image/jpeg',
    `Content-Length: ${PHOTO_BYTES}`,
    '\r\n',
  ].join('\r\n')
}

/** Sends all but the last bytes, at this upload's share of the bandwidth. */
function sendChunks(socket: Socket, chunk: Buffer): void {
  let rest = PHOTO_BYTES - MISSING_BYTES
  const next = () => {
    if (rest <= 0 || socket.destroyed) return
    const bytes = chunk.subarray(0, Math.min(rest, chunk.length))
    rest -= bytes.length
    const hasRoom = socket.write(bytes)
    const wait = () => setTimeout(next, CHUNK_EVERY_MS)
    if (hasRoom) wait()
    else socket.once('drain', wait)
  }
  next()
}
