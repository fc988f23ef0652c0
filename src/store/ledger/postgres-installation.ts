import type { DatabaseState } from '#rules/operations/installation.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { LedgerEngine } from './engine/operation.ts'

/** The installation that a shared database belongs to, and the secret of its servers. */
export type SharedInstallation = {
  /**
   * Returns the id of the installation; null before the first start.
   *
   * @throws ServiceError UNAVAILABLE if the servers have another secret, or the ledger was moved away
   */
  read(): Promise<DatabaseState>
  /** Stores an id and the secret. If several servers do so concurrently, one succeeds. */
  enter(id: string): Promise<void>
  /** Accepts the database: sets its id, or makes this server's secret the secret of all servers. */
  adopt(change: { id: string } | 'secret'): Promise<void>
}

/** @param secretHash keyed hash of this server's APP_SECRET */
export function openSharedInstallation(
  engine: LedgerEngine,
  secretHash: Uint8Array,
): SharedInstallation {
  const find = engine.prepare<[], { id: string; secret_hash: Uint8Array; moved_at: number | null }>(
    'SELECT id, secret_hash, moved_at FROM installation',
  )
  const enter = engine.prepare<[string, Uint8Array]>(
    'INSERT INTO installation (id, secret_hash) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const putId = engine.prepare<[string]>('UPDATE installation SET id = ?, moved_at = NULL')
  const putSecret = engine.prepare<[Uint8Array]>('UPDATE installation SET secret_hash = ?')

  return {
    async read() {
      const row = await engine.query(find.get())
      if (row === undefined) return { isEmpty: true, id: null, isShared: true }
      if (row.moved_at !== null) throw new ServiceError('UNAVAILABLE', MOVED)
      if (!Buffer.from(row.secret_hash).equals(secretHash)) {
        throw new ServiceError('UNAVAILABLE', OTHER_SECRET)
      }
      return { isEmpty: false, id: row.id, isShared: true }
    },
    enter: async (id) => void (await engine.query(enter.run(id, secretHash))),
    async adopt(change) {
      if (change === 'secret') return void (await engine.query(putSecret.run(secretHash)))
      await engine.query(enter.run(change.id, secretHash))
      await engine.query(putId.run(change.id))
    },
  }
}

const MOVED =
  'The ledger was moved from the database of LEDGER_URL to a file, or a move is unfinished. Start without LEDGER_URL, or run "bun run admin move-ledger" again.'

const OTHER_SECRET =
  'APP_SECRET differs from that of the other servers on the database of LEDGER_URL. Use the same one on all of them. If it is lost, "bun run admin adopt app-secret" accepts this one: webhooks then need new secrets, and links of collections cannot be shown again.'
