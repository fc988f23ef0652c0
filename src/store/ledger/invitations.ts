import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { InvitationRow } from './schema/accounts.ts'

/** An invitation for lists. */
export type InvitationRecord = Omit<InvitationRow, 'code_hash'>

/** Invitations to create an account. */
export type InvitationStore = {
  /** Creates an invitation. */
  create(invitation: NewInvitation, now: Date): Promise<InvitationRecord>
  /** Returns true if an account with this address can be created with the code now. */
  isUsable(use: InvitationUse): Promise<boolean>
  /** Lists all invitations, newest first. */
  list(): Promise<InvitationRecord[]>
  /** Revokes an invitation; undefined if not found. A used one stays used. */
  revoke(id: number, now: Date): Promise<InvitationRecord | undefined>
}

export type NewInvitation = {
  code_hash: Uint8Array
  /** The only address that may use it; null for any. */
  email: string | null
  /** Milliseconds until it expires. */
  validMs: number
}

/** Use of an invitation by an address. */
export type InvitationUse = { code_hash: Uint8Array; email: string; now: Date }

export function openInvitationStore(engine: LedgerEngine): InvitationStore {
  const { query, transact } = engine
  const writer = openInvitationWriter(engine)
  const columns = 'id, email, created_at, expires_at, revoked_at, used_at, account_id'
  const add = engine.prepare<[NewInvitation & { now: number }], InvitationRecord>(
    `INSERT INTO invitations (code_hash, email, created_at, expires_at)
     VALUES (@code_hash, @email, clock(@now), clock(@now) + @validMs) RETURNING ${columns}`,
  )
  const list = engine.prepare<[], InvitationRecord>(
    `SELECT ${columns} FROM invitations ORDER BY id DESC`,
  )
  const get = engine.prepare<[number], InvitationRecord>(
    `SELECT ${columns} FROM invitations WHERE id = ?`,
  )
  const revoke = engine.prepare<[number, number]>(
    'UPDATE invitations SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND used_at IS NULL',
  )
  return {
    async create(invitation, now) {
      const added = await query(add.get({ ...invitation, now: now.getTime() }))
      if (added === undefined) throw new Error('the invitation was not stored')
      return added
    },
    isUsable: async (use) => (await query(writer.findUsable(use))) !== undefined,
    list: () => query(list.all()),
    revoke: (id, now) =>
      transact(function* () {
        yield* revoke.run(now.getTime(), id)
        return yield* get.get(id)
      }),
  }
}

/** Prepares the use of invitations. The caller provides the transaction. */
export function openInvitationWriter(engine: LedgerEngine) {
  const find = engine.prepare<
    [Omit<InvitationUse, 'now'> & { now: number }],
    Pick<InvitationRow, 'id'>
  >(
    `SELECT id FROM invitations WHERE code_hash = +@code_hash AND used_at IS NULL
       AND revoked_at IS NULL AND expires_at > clock(@now) AND (email IS NULL OR email = +@email)`,
  )
  const use = engine.prepare<[number, number, number]>(
    'UPDATE invitations SET used_at = ?, account_id = ? WHERE id = ?',
  )
  return {
    /** Returns the id of an invitation; undefined if the address cannot use it now. */
    *findUsable({ code_hash, email, now }: InvitationUse): LedgerOperation<number | undefined> {
      return (yield* find.get({ code_hash, email, now: now.getTime() }))?.id
    },
    /** Marks an invitation as used by an account. */
    markUsed: (id: number, accountId: number, now: Date) => use.run(now.getTime(), accountId, id),
  }
}
