import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** `head`: status line and headers. */
export type RawResponse = { status: number; head: string; body: string }

/**
 * Sends raw bytes, because `fetch` would correct what the tests send. Ends when the connection is closed, which the
 * bytes should request.
 *
 * @param text each character is a byte
 * @param tls undefined: unencrypted
 */
export function sendRaw(port: number, text: string, tls?: ConnectionOptions): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let received = ''
    const send = () => void socket.write(Buffer.from(text, 'latin1'))
    const target = { host: '127.0.0.1', port }
    const socket: Socket =
      tls === undefined ? connect(target, send) : connectTls({ ...target, ...tls }, send)
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('close', () => {
      const status = Number(received.split(' ')[1] ?? 0)
      const end = received.indexOf('\r\n\r\n')
      resolve({ status, head: received.slice(0, end), body: received.slice(end + 4) })
    })
    socket.on('error', reject)
  })
}
