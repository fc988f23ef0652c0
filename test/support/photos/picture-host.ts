import sharp from 'sharp'

/** Response at a path: bytes, or a custom handler. */
type ImageResponse = Uint8Array<ArrayBuffer> | (() => Response | Promise<Response>)

/** Starts a picture host on a free port. Unknown paths return 404. */
export function startImageHost(responses: Record<string, ImageResponse> = {}) {
  const requests: string[] = []
  const hosts: (string | null)[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    fetch(request) {
      const path = new URL(request.url).pathname.slice(1)
      requests.push(path)
      hosts.push(request.headers.get('host'))
      const response = responses[path]
      if (response === undefined) return new Response('not found', { status: 404 })
      return typeof response === 'function' ? response() : new Response(response)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Requested paths, in order; `hosts` has their Host headers. */
    requests,
    hosts,
    put(path: string, response: ImageResponse): void {
      responses[path] = response
    },
    close: () => server.stop(true),
  }
}

/** Creates a JPEG of one color. */
export async function createImage(
  background: string,
  { width = 600, height = 840 } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3, background } as const
  return new Uint8Array(await sharp({ create }).jpeg().toBuffer())
}

/** Creates the header of a PNG of this size, without data. */
export function decompressionBomb(side: number): Uint8Array<ArrayBuffer> {
  const chunk = Buffer.alloc(17)
  chunk.write('IHDR', 'latin1')
  chunk.writeUInt32BE(side, 4)
  chunk.writeUInt32BE(side, 8)
  chunk.set([8, 2, 0, 0, 0], 12)
  const length = Buffer.from([0, 0, 0, 13])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Bun.hash.crc32(chunk))
  return new Uint8Array(
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), length, chunk, sum]),
  )
}
