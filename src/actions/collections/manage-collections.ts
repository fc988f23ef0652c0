import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { type CollectionLimits, tierLimits } from '#rules/accounts/tier-limits.ts'
import { type Tier, tierName } from '#rules/accounts/tiers.ts'
import type { CollectionKind } from '#rules/collections/collection-kinds.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { SharedCollection } from '#store/ledger/collections/collection-shares.ts'
import type { CollectionKey, CollectionRecord } from '#store/ledger/collections/collections.ts'

type CollectionDeps = Pick<Deps, 'ledger' | 'now'>

/** Account that acts, and its tier. */
export type CollectionOwner = { account_id: number; tier: Tier }

/** Returns how many collections and items an account can have. */
export function limitsOf(
  { config }: Pick<Deps, 'config'>,
  { tier }: CollectionOwner,
): CollectionLimits {
  return tierLimits(tier, config.hasLimits)
}

/** @throws ServiceError TOO_MANY_COLLECTIONS */
export async function createCollection(
  deps: CollectionDeps & Pick<Deps, 'config'>,
  owner: CollectionOwner,
  { name, kind }: { name: string; kind: CollectionKind },
): Promise<CollectionRecord> {
  const { ledger, now } = deps
  const { account_id, tier } = owner
  const id = `col_${randomUUID().replaceAll('-', '')}`
  const { collections: max } = limitsOf(deps, owner)
  if (await ledger.collections.create({ id, account_id, kind, name }, max, now())) {
    return getCollection(deps, { id, account_id })
  }
  const what = kind === 'wish' ? 'wish list' : 'collection'
  throw new ServiceError(
    'TOO_MANY_COLLECTIONS',
    `The ${tierName(tier)} tier includes ${max} ${max === 1 ? what : `${what}s`}. Delete one, or choose a higher plan.`,
  )
}

/** Lists an account's collections, oldest first. */
export function listCollections({ ledger }: Pick<Deps, 'ledger'>, accountId: number) {
  return ledger.collections.list(accountId)
}

/** @throws ServiceError NOT_FOUND, also for a collection of another account */
export async function getCollection(
  { ledger }: Pick<Deps, 'ledger'>,
  key: CollectionKey,
): Promise<CollectionRecord> {
  return requireCollection(await ledger.collections.get(key))
}

/** @throws ServiceError NOT_FOUND, or REVISION_CONFLICT with the current collection */
export async function renameCollection(
  { ledger, now }: CollectionDeps,
  key: CollectionKey,
  change: { name: string; revision: number | undefined },
  render: (current: CollectionRecord) => object,
): Promise<CollectionRecord> {
  const { outcome, current } = await ledger.collections.rename(key, change, now())
  if (outcome === 'conflict') throw revisionConflict('collection', render(current))
  return requireCollection(current)
}

/**
 * Deletes a collection with its items and its link.
 *
 * @returns the deleted collection
 * @throws ServiceError NOT_FOUND
 */
export async function deleteCollection(
  { ledger, now }: CollectionDeps,
  key: CollectionKey,
): Promise<CollectionRecord> {
  return requireCollection(await ledger.collections.delete(key, now()))
}

/**
 * Creates the link of a collection. An earlier link ends.
 *
 * @returns the token of the link, which is not stored
 * @throws ServiceError NOT_FOUND
 */
export async function shareCollection(
  { ledger, now }: CollectionDeps,
  key: CollectionKey,
): Promise<string> {
  const token = randomBytes(SHARE_TOKEN_BYTES).toString('base64url')
  if (await ledger.collectionShares.create(key, hashSecret(token), now())) return token
  throw collectionNotFound()
}

/** Ends the link of a collection. @throws ServiceError NOT_FOUND also if it is not shared */
export async function unshareCollection(
  deps: CollectionDeps,
  key: CollectionKey,
): Promise<CollectionRecord> {
  await getCollection(deps, key)
  if (await deps.ledger.collectionShares.delete(key)) return getCollection(deps, key)
  throw new ServiceError('NOT_FOUND', 'This collection has no link.')
}

/** @throws ServiceError NOT_FOUND for a link that is unknown, was ended, or whose collection is deleted */
export async function getSharedCollection(
  { ledger }: Pick<Deps, 'ledger'>,
  token: string,
): Promise<SharedCollection> {
  const shared = await ledger.collectionShares.getByToken(hashSecret(token))
  if (shared !== undefined) return shared
  throw new ServiceError(
    'NOT_FOUND',
    'This link does not exist or has ended. Ask its owner for a new one.',
  )
}

/** Creates the error for a change that is based on an older revision, with what is current. */
export function revisionConflict(what: 'collection' | 'item', current: object): ServiceError {
  return new ServiceError(
    'REVISION_CONFLICT',
    `The ${what} was changed in the meantime. Compare it with "error.current", and send the change again with its revision.`,
    { current },
  )
}

function requireCollection(collection: CollectionRecord | undefined): CollectionRecord {
  if (collection !== undefined) return collection
  throw collectionNotFound()
}

/** Creates the error for a collection that is unknown, deleted, or of another account. */
export function collectionNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This account has no such collection.')
}

/** 128 bits: nobody guesses a link. */
const SHARE_TOKEN_BYTES = 16
