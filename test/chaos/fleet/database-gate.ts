// A server's proxy to PostgreSQL, which can fall silent, and which reports when a version is published.
import { connect, createServer, type Socket } from 'node:net'
import { createHold, type Hold, type PendingHold } from './hold.ts'

/** `begin`: before a transaction. `commit`: before its COMMIT. `committed`: before the response to it. */
export type TransactionStep = 'begin' | 'commit' | 'committed'

export type DatabaseGate = {
  port: number
  /** Passes nothing on, in either direction. */
  silence(): void
  /** Closes the silenced connections, and accepts new ones. */
  heal(): void
  /** Holds the next transaction; with `begin`, only one that publishes a version. */
  holdTransaction(at: TransactionStep): Hold
  close(): void
}

/** @param port PostgreSQL's port on this machine */
export async function startDatabaseGate(port: number): Promise<DatabaseGate> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let hold: (PendingHold & { at: TransactionStep }) | undefined

  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    /** True once a version is written on this connection, until its transaction ends. */
    let isPublishing = false
    let isAnswerHeld: PendingHold | undefined
    const end = () => {
      for (const socket of [client, database]) {
        sockets.delete(socket)
        socket.destroy()
      }
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    function take(step: TransactionStep): PendingHold | undefined {
      if (hold?.at !== step) return undefined
      const taken = hold
      hold = undefined
      return taken
    }
    function wait(from: Socket, to: Socket, data: Buffer, taken: PendingHold): void {
      from.pause()
      void taken.pass().then(() => {
        to.write(data)
        from.resume()
      })
    }

    client.on('data', (data: Buffer) => {
      if (isSilent) return
      if (data.includes(PUBLISHED_FILE)) isPublishing = true
      const isCommit = isPublishing && data.includes('COMMIT\0')
      if (isCommit) isPublishing = false
      const taken = isCommit ? take('commit') : data.includes('BEGIN ') ? take('begin') : undefined
      if (isCommit) isAnswerHeld = take('committed')
      if (taken === undefined) database.write(data)
      else wait(client, database, data, taken)
    })
    database.on('data', (data: Buffer) => {
      if (isSilent) return
      const taken = isAnswerHeld
      isAnswerHeld = undefined
      if (taken === undefined) client.write(data)
      else wait(database, client, data, taken)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    silence() {
      isSilent = true
    },
    heal() {
      isSilent = false
      endAll()
    },
    holdTransaction(at) {
      hold = { ...createHold(), at }
      return hold
    },
    close() {
      endAll()
      server.close()
    },
  }
}

/** Part of a snapshot's name, which only the publishing transaction contains. */
const PUBLISHED_FILE = '.db.zst'
