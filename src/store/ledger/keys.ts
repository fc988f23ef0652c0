import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Tier } from '#rules/tiers.ts'
import { openChangeCounter } from '../change-counter.ts'
import type { Db } from '../db.ts'
import { keys } from './schema.ts'

/** Whom a key stands for. */
export type KeyOwner = { key_id: string; account_id: number; tier: Tier; is_active: boolean }

export type NewKey = {
  id: string
  account_id: number
  name: string
  key_hash: Uint8Array
  key_prefix: string
  last4: string
  now: Date
}

/** API keys, by the hash of what was shown once. */
export function openKeys(db: Db) {
  const orm = drizzle(db)
  const owner = db.prepare<[Uint8Array], Omit<KeyOwner, 'is_active'> & { is_active: number }>(
    `SELECT keys.id AS key_id, account_id, tier, is_active
       FROM keys JOIN accounts ON accounts.id = account_id WHERE key_hash = +?`,
  )

  return {
    async add({ now, key_hash, ...key }: NewKey): Promise<void> {
      orm
        .insert(keys)
        .values({
          ...key,
          key_hash: Buffer.from(key_hash),
          is_active: true,
          created_at: now.getTime(),
        })
        .run()
    },
    async ownerOf(keyHash: Uint8Array): Promise<KeyOwner | undefined> {
      const row = owner.get(keyHash)
      return row && { ...row, is_active: row.is_active === 1 }
    },
    /** @returns whether there was such a key */
    async deactivate(id: string): Promise<boolean> {
      return orm.update(keys).set({ is_active: false }).where(eq(keys.id, id)).run().changes > 0
    },
    version: openAccessVersion(db),
  }
}

/**
 * A number that changes with every change of a key or a tier, here or in another process (the command
 * line, a second server): what was remembered of them is then asked again. The file is read only when
 * something was committed to it.
 */
function openAccessVersion(db: Db): () => number {
  const changes = openChangeCounter(db)
  const read = db.prepare<[], number>('SELECT version FROM access_version').pluck()
  let seen = Number.NaN
  let version = 0
  return () => {
    const found = changes()
    if (found !== seen) {
      // Noted before the file is read: a commit in between is then asked about once more.
      seen = found
      version = read.get() ?? 0
    }
    return version
  }
}
