import type { LedgerEngine } from '../engine/operation.ts'

/** An import that runs or waits. `server` is the name of its server. */
export type ImportTurn = { id: string; account_id: number; server: string }

/** Place of an import: `lost` if its server has been silent for so long that others no longer wait for it. */
export type ImportPlace = 'first' | 'waiting' | 'lost'

/** Imports of all servers: an account has one that runs and one that waits. */
export type ImportTurnStore = {
  /** Returns true if another import of the account may enter. */
  hasRoom(accountId: number, now: Date): Promise<boolean>
  /** Adds an import behind the other one of its account. @returns false if there are two */
  enter(turn: ImportTurn, now: Date): Promise<boolean>
  /** Keeps an import in its place, and returns it. Call it more often than every `IMPORT_TURN_MS`. */
  keep(id: string, now: Date): Promise<ImportPlace>
  leave(id: string): Promise<void>
  /** Removes the imports that a killed process of a server has left. */
  leaveAll(server: string): Promise<void>
}

/** Time in milliseconds after which the import of a silent server has lost its place. */
export const IMPORT_TURN_MS = 15_000

/** Running and waiting. */
const IMPORTS_MAX = 2

/** Opens the imports on PostgreSQL. A server with a ledger file counts its own. */
export function openImportTurnStore(engine: LedgerEngine): ImportTurnStore {
  const { query, transact } = engine
  type OfAccount = { account_id: number; now: number }
  const count = engine.prepare<[OfAccount], { imports: number; last: number }>(
    `SELECT count(*) AS imports, coalesce(max(position), 0) AS last FROM import_turns
      WHERE account_id = @account_id AND expires_at > clock(@now)`,
  )
  const forget = engine.prepare<[OfAccount]>(
    'DELETE FROM import_turns WHERE account_id = @account_id AND expires_at <= clock(@now)',
  )
  const add = engine.prepare<[ImportTurn & { position: number; now: number }]>(
    `INSERT INTO import_turns (id, account_id, server, position, expires_at)
     VALUES (@id, @account_id, @server, @position, clock(@now) + ${IMPORT_TURN_MS})`,
  )
  const keep = engine.prepare<[{ id: string; now: number }], { waits: boolean }>(
    `UPDATE import_turns AS own SET expires_at = clock(@now) + ${IMPORT_TURN_MS}
      WHERE id = @id AND expires_at > clock(@now)
     RETURNING EXISTS (SELECT 1 FROM import_turns AS other
       WHERE other.account_id = own.account_id AND other.position < own.position
         AND other.expires_at > clock(@now)) AS waits`,
  )
  const leave = engine.prepare<[string]>('DELETE FROM import_turns WHERE id = ?')
  const leaveAll = engine.prepare<[string]>('DELETE FROM import_turns WHERE server = ?')

  return {
    async hasRoom(account_id, now) {
      const found = await query(count.get({ account_id, now: now.getTime() }))
      return found === undefined || found.imports < IMPORTS_MAX
    },
    enter: (turn, now) =>
      transact(
        function* () {
          const { account_id } = turn
          const at = { account_id, now: now.getTime() }
          yield* forget.run(at)
          const { imports = 0, last = 0 } = (yield* count.get(at)) ?? {}
          if (imports >= IMPORTS_MAX) return false
          yield* add.run({ ...turn, position: last + 1, now: now.getTime() })
          return true
        },
        { account: turn.account_id },
      ),
    async keep(id, now) {
      const kept = await query(keep.get({ id, now: now.getTime() }))
      if (kept === undefined) return 'lost'
      return kept.waits ? 'waiting' : 'first'
    },
    leave: async (id) => void (await query(leave.run(id))),
    leaveAll: async (server) => void (await query(leaveAll.run(server))),
  }
}
