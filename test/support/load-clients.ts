import { connect, type Socket } from 'node:net'

/** Results of requests on raw connections. */
export type LoadResult = {
  answered: number
  /** Status lines other than 200. */
  failed: string[]
  /** Refused connections, whose requests never began. */
  refused: number
  /** Requests that were sent without a complete response. */
  lost: string[]
}

type LoadOptions = { keepAlive: boolean; path?: string; isOver?: () => boolean }

/**
 * Sends requests one after another until the port refuses connections.
 *
 * @param keepAlive true: reuses the connection unless the response says `Connection: close`
 * @param isOver stops the client before the port is closed
 */
export async function runLoadClient(
  port: number,
  { keepAlive, path = '/v1/games', isOver = () => false }: LoadOptions,
  result: LoadResult,
): Promise<void> {
  const connection = keepAlive ? 'keep-alive' : 'close'
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`
  for (;;) {
    const socket = await open(port)
    if (socket === undefined) {
      result.refused++
      return
    }
    for (;;) {
      const outcome = await exchange(socket, request)
      if (typeof outcome === 'string') {
        result.lost.push(outcome)
        break
      }
      result.answered++
      if (outcome.status !== 'HTTP/1.1 200 OK') result.failed.push(outcome.status)
      if (outcome.isLast || !keepAlive || isOver()) break
    }
    socket.destroy()
    if (isOver()) return
  }
}

/**
 * Watches this process while a server stops: clients that do not run for a while cannot observe their requests.
 *
 * @returns a function that stops it, and returns true if the clients ran all the time
 */
export function watchClients(): () => boolean {
  let [last, stalledMs] = [performance.now(), 0]
  const watch = setInterval(() => {
    stalledMs = Math.max(stalledMs, performance.now() - last)
    last = performance.now()
  }, 5)
  return () => {
    clearInterval(watch)
    return stalledMs <= STALL_MS_MAX
  }
}

const STALL_MS_MAX = 100

function open(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    socket.once('error', () => resolve(undefined))
  })
}

type Answer = { status: string; isLast: boolean }

/** @returns the reason if the response is incomplete */
function exchange(socket: Socket, request: string): Promise<Answer | string> {
  return new Promise((resolve) => {
    let text = ''
    const end = (outcome: Answer | string) => {
      socket.removeAllListeners()
      socket.on('error', () => {})
      resolve(outcome)
    }
    const fail = (why: string) => end(`${why} after ${text.length} characters`)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const headEnd = text.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = text.slice(0, headEnd)
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
      if (text.length < headEnd + 4 + length) return
      const status = head.slice(0, head.indexOf('\r\n'))
      end({ status, isLast: /^connection: close/im.test(head) })
    })
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('closed'))
    socket.write(request)
  })
}
