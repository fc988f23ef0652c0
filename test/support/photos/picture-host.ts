import sharp from 'sharp'

/** What the host answers at a path: bytes, or whatever an odd host does. */
type ImageResponse = Uint8Array<ArrayBuffer> | (() => Response | Promise<Response>)

/** A host of pictures on a port of its own; 404 for what it was not given. */
export function startImageHost(deeds: Record<string, ImageResponse> = {}) {
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
      const deed = deeds[path]
      if (deed === undefined) return new Response('not found', { status: 404 })
      return typeof deed === 'function' ? deed() : new Response(deed)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Paths that were asked for, in their order, and the hosts that were meant. */
    requests,
    hosts,
    put(path: string, imageResponse: ImageResponse): void {
      deeds[path] = imageResponse
    },
    close: () => server.stop(true),
  }
}

/** A picture of one colour, as marketplaces have them. */
export async function createImage(
  background: string,
  { width = 600, height = 840 } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3, background } as const
  return new Uint8Array(await sharp({ create }).jpeg().toBuffer())
}

/** The head of a PNG that says how large it is, and nothing after it. */
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
