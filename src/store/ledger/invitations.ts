import { type Db, inTransaction } from '../db.ts'
import type { InvitationRow } from './schema.ts'

/** An invitation as it is listed. */
export type InvitationRecord = Omit<InvitationRow, 'code_hash'>

/** Invitations to create an account. */
export type InvitationStore = {
  /** Creates an invitation. @returns its id */
  create(invitation: {
    code_hash: Uint8Array
    /** The only address that may use it; null for any. */
    email: string | null
    created_at: number
    expires_at: number
  }): Promise<number>
  /** Returns true if an account with this address can be created with the code now. */
  isUsable(use: InvitationUse): Promise<boolean>
  /** Lists all invitations, newest first. */
  list(): Promise<InvitationRecord[]>
  /** Revokes an invitation; undefined if not found. A used one stays used. */
  revoke(id: number, now: Date): Promise<InvitationRecord | undefined>
}

/** Use of an invitation by an address. */
export type InvitationUse = { code_hash: Uint8Array; email: string; now: Date }

export function openInvitationStore(db: Db): InvitationStore {
  const writer = openInvitationWriter(db)
  const add = db.prepare<[Uint8Array, string | null, number, number]>(
    'INSERT INTO invitations (code_hash, email, created_at, expires_at) VALUES (?, ?, ?, ?)',
  )
  const columns = 'id, email, created_at, expires_at, revoked_at, used_at, account_id'
  const list = db.prepare<[], InvitationRecord>(
    `SELECT ${columns} FROM invitations ORDER BY id DESC`,
  )
  const get = db.prepare<[number], InvitationRecord>(
    `SELECT ${columns} FROM invitations WHERE id = ?`,
  )
  const revoke = db.prepare<[number, number]>(
    'UPDATE invitations SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND used_at IS NULL',
  )
  return {
    create: async ({ code_hash, email, created_at, expires_at }) =>
      Number(add.run(code_hash, email, created_at, expires_at).lastInsertRowid),
    isUsable: async (use) => writer.findUsable(use) !== undefined,
    list: async () => list.all(),
    revoke: async (id, now) =>
      inTransaction(db, () => {
        revoke.run(now.getTime(), id)
        return get.get(id)
      }),
  }
}

/** Prepares the use of invitations. The caller provides the transaction. */
export function openInvitationWriter(db: Db) {
  const find = db
    .prepare<[Uint8Array, number, string], number>(
      `SELECT id FROM invitations WHERE code_hash = +? AND used_at IS NULL AND revoked_at IS NULL
         AND expires_at > ? AND (email IS NULL OR email = +?)`,
    )
    .pluck()
  const use = db.prepare<[number, number, number]>(
    'UPDATE invitations SET used_at = ?, account_id = ? WHERE id = ?',
  )
  return {
    /** Returns the id of an invitation; undefined if the address cannot use it now. */
    findUsable: ({ code_hash, email, now }: InvitationUse): number | undefined =>
      find.get(code_hash, now.getTime(), email),
    /** Marks an invitation as used by an account. */
    markUsed: (id: number, accountId: number, now: Date): void =>
      void use.run(now.getTime(), accountId, id),
  }
}
