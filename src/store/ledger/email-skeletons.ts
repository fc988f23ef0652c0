import { emailSkeleton, isInternational } from '#rules/accounts/email-address.ts'
import { type Db, inTransaction } from '../db.ts'

/** Computes the skeletons of accounts that an older version created. */
export function addMissingSkeletons(db: Db): void {
  const missing = db.prepare<[number], { id: number; email: string }>(
    'SELECT id, email FROM accounts WHERE email_skeleton IS NULL LIMIT ?',
  )
  const put = db.prepare<[string, number]>('UPDATE accounts SET email_skeleton = ? WHERE id = ?')
  const addBatch = () =>
    inTransaction(db, () => {
      const found = missing.all(BATCH)
      for (const { id, email } of found) put.run(emailSkeleton(email), id)
      return found.length
    })
  // Most starts find none: they need no write transaction.
  while (missing.get(1) !== undefined) addBatch()
}

const BATCH = 1_000

/** Prepares finding another account whose address looks like a given one. */
export function openLookalikeFinder(db: Db): (email: string) => boolean {
  const find = db
    .prepare<[string, 0 | 1], number>(
      `SELECT 1 FROM accounts WHERE email_skeleton = ?
         AND (+? = 1 OR email GLOB '*[^ -~]*' OR email LIKE '%xn--%') LIMIT 1`,
    )
    .pluck()
  // ASCII addresses are what they look like: rn and m, or l and 1, may differ.
  return (email) => find.get(emailSkeleton(email), isInternational(email) ? 1 : 0) === 1
}
