import type { Socket } from 'bun'

type Ends = { received: string; up: Socket | undefined }

/**
 * Starts a proxy that replaces the internet: `port` of the local machine answers for every public address. `targets`
 * are the requested addresses with their ports.
 */
export function startProxy(port: number) {
  const targets: string[] = []
  const server = Bun.listen<Ends>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        client.data = { received: '', up: undefined }
      },
      async data(client, bytes) {
        const ends = client.data
        if (ends.up !== undefined) {
          ends.up.write(bytes)
          return
        }
        ends.received += bytes.toString('latin1')
        const target = /^CONNECT (\S+) [\s\S]*\r\n\r\n$/.exec(ends.received)?.[1]
        if (target === undefined) return
        targets.push(target)
        ends.up = await Bun.connect({
          hostname: '127.0.0.1',
          port,
          socket: {
            data: (_, answer) => void client.write(answer),
            close: () => void client.end(),
            error() {},
          },
        })
        client.write('HTTP/1.1 200 Connected\r\n\r\n')
      },
      close(client) {
        client.data.up?.end()
      },
      error() {},
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, targets, close: () => server.stop(true) }
}
