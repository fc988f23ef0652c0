import type { LedgerEngine } from '../engine/operation.ts'

/** A requested sync of one game, by its slug, or of all games (null). */
export type SyncRequestRow = { game: string | null; force: boolean }

/** Syncs that operators start on servers that do not lead the fleet. */
export type SyncRequestStore = {
  /** Adds a request. @returns false if one is already waiting */
  add(request: SyncRequestRow, now: Date): Promise<boolean>
  /** Returns the request and deletes it; undefined without one. A request expires after an hour. */
  take(now: Date): Promise<SyncRequestRow | undefined>
}

/** Opens the requests on PostgreSQL. A server with a ledger file starts its syncs itself. */
export function openSyncRequestStore(engine: LedgerEngine): SyncRequestStore {
  const { query } = engine
  type Times = { now: number }
  const add = engine.prepare<[StoredRequest & Times]>(
    `INSERT INTO sync_requests AS waiting (id, game, force, requested_at)
     VALUES (1, @game, @force, clock(@now))
     ON CONFLICT (id) DO UPDATE SET game = excluded.game, force = excluded.force,
       requested_at = excluded.requested_at
      WHERE waiting.requested_at <= clock(@now) - ${EXPIRY_MS}`,
  )
  const take = engine.prepare<[Times], StoredRequest & { is_valid: boolean }>(
    `DELETE FROM sync_requests
     RETURNING game, force, requested_at > clock(@now) - ${EXPIRY_MS} AS is_valid`,
  )

  return {
    async add(request, now) {
      const stored = { ...request, force: Number(request.force), now: now.getTime() }
      return (await query(add.run(stored))) === 1
    },
    async take(now) {
      const found = await query(take.get({ now: now.getTime() }))
      if (found === undefined || !found.is_valid) return undefined
      return { game: found.game, force: found.force === 1 }
    },
  }
}

type StoredRequest = { game: string | null; force: number }

/** Time in milliseconds after which a waiting request expires, because no server was leading or a sync was running. */
const EXPIRY_MS = 3_600_000
