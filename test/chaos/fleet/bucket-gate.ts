// A server's proxy to the bucket, which can be cut, slow or broken, and which reports when an upload begins and ends.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHold, type Hold, type PendingHold } from './hold.ts'

/** `cut`: connections are lost. `failing`: every request is answered with 500. A number: bytes per second. */
export type BucketBehavior = 'open' | 'cut' | 'failing' | number

export type BucketGate = {
  url: string
  behave(behavior: BucketBehavior): void
  /** Holds the next upload of a snapshot: before the bucket has it, or before the server gets the response. */
  holdUpload(at: 'begin' | 'end'): Hold
  close(): void
}

/** @param target address of the bucket. The proxy keeps the `Host` header, which the signature covers. */
export async function startBucketGate(target: string): Promise<BucketGate> {
  let behavior: BucketBehavior = 'open'
  let hold: (PendingHold & { at: 'begin' | 'end' }) | undefined

  async function passHold(request: IncomingMessage, at: 'begin' | 'end'): Promise<void> {
    const isUpload = request.method === 'PUT' && SNAPSHOT.test(request.url ?? '')
    if (!isUpload || hold?.at !== at) return
    const { pass } = hold
    hold = undefined
    await pass()
  }

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request)
    if (behavior === 'cut') return void request.socket.destroy()
    if (behavior === 'failing') return void response.writeHead(500).end()
    await passHold(request, 'begin')
    if (typeof behavior === 'number') await Bun.sleep((body.length / behavior) * 1000)
    const { connection: _, ...headers } = request.headers as Record<string, string>
    const method = request.method ?? 'GET'
    const answer = await fetch(target + request.url, {
      method,
      headers,
      decompress: false,
      ...(body.length > 0 && { body }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    await passHold(request, 'end')
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    await send(response, bytes)
  }

  async function send(response: ServerResponse, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (behavior === 'cut') return void response.destroy()
      const size = typeof behavior === 'number' ? Math.ceil(behavior / TICKS) : bytes.length
      response.write(bytes.subarray(at, at + size))
      at += size
      if (at < bytes.length) await Bun.sleep(1000 / TICKS)
    }
    response.end()
  }

  const server = createServer((request, response) => {
    relay(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    behave(next) {
      behavior = next
    },
    holdUpload(at) {
      hold = { ...createHold(), at }
      return hold
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const SNAPSHOT = /\/catalog\/v\d+-/

/** Writes per second of a slow transfer. */
const TICKS = 10

async function readAll(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
