import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { type AccountLimits, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import { COLLECTION_KINDS, type CollectionKind, isOfKind } from '#rules/collections/list-kinds.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { SharedCollection } from '#store/ledger/collections/collection-shares.ts'
import type { ListKey, ListOf } from '#store/ledger/collections/lists.ts'
import { countAttempt, sharedLimits } from '../accounts/rate-limits.ts'
import { getList, idTaken, listNotFound } from './manage-lists.ts'

type CollectionDeps = Pick<Deps, 'ledger' | 'now'>

/** A collection or a wish list. */
export type CollectionRecord = ListOf<CollectionKind>

/** The acting account and its limits. */
export type CollectionOwner = AccountLimits & { account_id: number }

/** A list to create. Its `id` is a UUID that the client chose, so that a repeated request creates no second one. */
type CreatedList = { name: string; kind: CollectionKind; id?: string | undefined }

/**
 * @returns also a known collection with this id, kind and name
 * @throws ServiceError TOO_MANY_COLLECTIONS, ID_TAKEN for the id of another collection, or NOT_FOUND for that of a
 * deleted one or of another account; the message is the same for both
 */
export async function createCollection(
  deps: CollectionDeps,
  owner: CollectionOwner,
  list: CreatedList,
): Promise<CollectionRecord> {
  const created = await createList(deps, owner, list, 'create')
  if (created.kind === list.kind && created.name === list.name) return created
  throw idTaken(`The id is that of your ${nameKind(created.kind)} "${created.name}".`)
}

/** @param how `createFirst`: returns the oldest list of the kind, and creates one only without it */
async function createList(
  { ledger, now }: CollectionDeps,
  owner: CollectionOwner,
  { name, kind, id: uuid = randomUUID() }: CreatedList,
  how: 'create' | 'createFirst',
): Promise<CollectionRecord> {
  const { account_id, tier } = owner
  const id = `col_${uuid.replaceAll('-', '')}`
  const { collections: max } = tierLimits(owner)
  const created = await ledger.lists[how]({ id, account_id, kind, name }, max, now())
  if (created === 'taken') {
    throw new ServiceError(
      'NOT_FOUND',
      'No collection can have this id any more. Choose another id.',
    )
  }
  if (created !== 'full' && isOfKind(created, COLLECTION_KINDS)) return created
  const what = nameKind(kind)
  throw new ServiceError(
    'TOO_MANY_COLLECTIONS',
    `The ${tierName(tier)} tier includes ${max} ${max === 1 ? what : `${what}s`}. Delete one, or choose a higher plan.`,
  )
}

function nameKind(kind: CollectionKind): string {
  return kind === 'wish' ? 'wish list' : 'collection'
}

/**
 * Returns the id of the wish list for an import: the list into which it goes, or the oldest one, which is created if
 * it is missing.
 *
 * @throws ServiceError TOO_MANY_COLLECTIONS
 */
export async function findWishlist(
  deps: CollectionDeps,
  owner: CollectionOwner,
  collection_id: string,
): Promise<string> {
  const target = await deps.ledger.lists.get({ id: collection_id, account_id: owner.account_id })
  if (target?.kind === 'wish') return collection_id
  return (await createList(deps, owner, { name: 'Wish list', kind: 'wish' }, 'createFirst')).id
}

/** @throws ServiceError NOT_FOUND, also for a collection of another account */
export function getCollection(deps: Pick<Deps, 'ledger'>, key: ListKey): Promise<CollectionRecord> {
  return getList(deps, key, COLLECTION_KINDS)
}

type ShareDeps = CollectionDeps & Pick<Deps, 'secrets' | 'config'>

type ShareLink = { token: string; url: string; shared_at: number }

/** Creates the link to a collection, which replaces an earlier link. @throws ServiceError NOT_FOUND */
export async function shareCollection(
  { ledger, config, secrets, now }: ShareDeps,
  key: ListKey,
): Promise<ShareLink> {
  const token = randomBytes(SHARE_TOKEN_BYTES).toString('base64url')
  const stored = { token_hash: hashSecret(token), sealed_token: secrets.seal(token, key.id) }
  const at = now()
  if (!(await ledger.collectionShares.create(key, stored, at))) throw listNotFound('owned')
  return { token, url: shareUrl(config, token), shared_at: at.getTime() }
}

/**
 * Returns the link to a collection. Its `url` is null if it was created under another APP_SECRET: it works, but
 * nobody can show it again.
 *
 * @throws ServiceError NOT_FOUND, also if the collection is not shared
 */
export async function getShareLink(
  { ledger, config, secrets }: ShareDeps,
  key: ListKey,
): Promise<{ url: string | null; shared_at: number }> {
  const stored = await ledger.collectionShares.get(key)
  if (stored === undefined) throw notShared()
  const token = secrets.open(stored.sealed_token, key.id)
  const url = token === undefined ? null : shareUrl(config, token)
  return { url, shared_at: stored.created_at }
}

function shareUrl({ publicUrl }: Pick<Deps['config'], 'publicUrl'>, token: string): string {
  return `${publicUrl}/shared/${token}`
}

function notShared(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such collection, or it has no link.')
}

/** Removes the link to a collection. @throws ServiceError NOT_FOUND also if it is not shared */
export async function unshareCollection(
  deps: CollectionDeps,
  key: ListKey,
): Promise<CollectionRecord> {
  await getCollection(deps, key)
  if (await deps.ledger.collectionShares.delete(key)) return getCollection(deps, key)
  throw notShared()
}

/**
 * @throws ServiceError TOO_MANY_ATTEMPTS, NOT_FOUND if the link is unknown or was removed, or if its collection was
 * deleted
 */
export async function getSharedCollection(
  deps: CollectionDeps & Pick<Deps, 'config'>,
  { token, address }: { token: string; address: string },
): Promise<SharedCollection & { kind: CollectionKind }> {
  await countAttempt(deps, sharedLimits(address))
  const shared = await deps.ledger.collectionShares.getByToken(hashSecret(token))
  if (shared !== undefined && isOfKind(shared, COLLECTION_KINDS)) return shared
  throw new ServiceError(
    'NOT_FOUND',
    'This link does not exist or has ended. Ask its owner for a new one.',
  )
}

/** 128 bits, so that links cannot be guessed. */
const SHARE_TOKEN_BYTES = 16
