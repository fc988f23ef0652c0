import { connect, createServer, type Socket } from 'node:net'

/**
 * Forwards connections to PostgreSQL, and cuts the first one that commits: before the database receives COMMIT, or
 * when it responds.
 */
export async function startLosingProxy(port: number, moment: 'before' | 'after') {
  let lost = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    let isCommitting = false
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', (data) => {
      if (lost === 0 && data.includes('COMMIT\0')) {
        lost++
        if (moment === 'before') return end()
        isCommitting = true
      }
      database.write(data)
    })
    database.on('data', (data) => (isCommitting ? end() : client.write(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    lost: () => lost,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
