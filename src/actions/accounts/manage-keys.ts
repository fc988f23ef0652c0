import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { generateApiKey, hashSecret, keyPreview } from '#rules/accounts/credentials.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findLabelProblem } from '#rules/primitives/plain-text.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import type { RowPage, RowWindow } from '#store/rows.ts'

type KeyDeps = Pick<Deps, 'ledger' | 'now'>

/** Account, and client address for the audit log; undefined for the command line. */
export type ApiKeyOwner = { account_id: number; address: string | undefined }

/**
 * Creates an API key. The key is only returned here: the ledger stores its hash.
 *
 * @throws ServiceError TOO_MANY_KEYS, or VALIDATION_ERROR for the name
 */
export async function createKey(
  { ledger, now }: KeyDeps,
  { account_id, address, name }: ApiKeyOwner & { name: string },
): Promise<{ id: string; key: string }> {
  const problem = findLabelProblem(name)
  if (problem !== undefined) throw new ServiceError('VALIDATION_ERROR', `"name" ${problem}.`)
  const key = generateApiKey((bytes) => randomBytes(bytes))
  const id = randomUUID()
  const row = { id, account_id, name, key_hash: hashSecret(key), ...keyPreview(key) }
  if (await ledger.keys.create(row, ACTIVE_KEYS_MAX, { now: now(), address })) return { id, key }
  throw new ServiceError(
    'TOO_MANY_KEYS',
    `An account has at most ${ACTIVE_KEYS_MAX} active keys. Delete one first.`,
  )
}

/** @throws ServiceError NOT_FOUND, also for a key of another account */
export async function revokeKey(
  { ledger, now }: KeyDeps,
  { id, ...whose }: { id: string; address: string | undefined; account_id?: number },
): Promise<void> {
  if (await ledger.keys.deactivate(id, { ...whose, now: now() })) return
  const message =
    whose.account_id === undefined
      ? `No API key has the ID ${id}. "bun run admin account show" lists those of an account.`
      : 'No API key of this account has this ID.'
  throw new ServiceError('NOT_FOUND', message)
}

/** Lists an account's keys, oldest first: those of a page, or all. */
export function listKeys(
  { ledger, now }: KeyDeps,
  account_id: number,
  page?: RowWindow,
): Promise<RowPage<KeyRecord>> {
  return ledger.keys.list({ account_id, today: dayOf(now()) }, page)
}

/** @throws Error if the account has no such key */
export async function getKey(
  { ledger, now }: KeyDeps,
  account_id: number,
  id: string,
): Promise<KeyRecord> {
  const key = await ledger.keys.get({ id, account_id, today: dayOf(now()) })
  if (key === undefined) throw new Error(`account ${account_id} has no API key ${id}`)
  return key
}

/** Enough for every program of a large shop. */
const ACTIVE_KEYS_MAX = 25
