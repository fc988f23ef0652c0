import type { Deps } from '#deps.ts'
import { acceptReferences } from '#rules/photos/picture-index/learned-references.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Paging } from '#rules/primitives/paging.ts'
import type { GivenReference, ReferenceFilter } from '#store/ledger/card-references.ts'
import type { RowPage } from '#store/rows.ts'
import { mapYielding, nextTurn } from '../cooperative-loop.ts'
import { toClaim } from './load-references.ts'

/** Sender of a request: operators see and remove the references of all accounts, others their own. */
type ReferenceOwner = { account_id: number; is_operator: boolean }

/** A reference, with its card and whether it is accepted. Photos may still ignore it beside pictures that contradict it. */
export type ListedReference = GivenReference & {
  /** Null if the card has left the catalog. */
  name: string | null
  number: string | null
  set_name: string | null
  image_url: string | null
  /**
   * False until another account names a similar photo; false for references beyond the eight of a card, and for those of
   * another embedder.
   */
  is_accepted: boolean
}

type ListDeps = Pick<Deps, 'catalog' | 'config' | 'embedder' | 'ledger'>

/** @returns references, newest first */
export async function listReferences(
  deps: ListDeps,
  owner: ReferenceOwner,
  { card_id, account_id, paging }: ReferenceFilter & { paging: Paging },
): Promise<RowPage<ListedReference>> {
  const own = accountOf(owner)
  if (own !== null && account_id !== null && account_id !== own) return { rows: [], total: 0 }
  const filter = { card_id, account_id: own ?? account_id }
  const { rows, total } = await deps.ledger.cardReferences.list(filter, paging)
  return { rows: await describeReferences(deps, rows), total }
}

/** Adds the cards of references, and which are accepted. */
async function describeReferences(
  { catalog, config, embedder, ledger }: ListDeps,
  rows: readonly GivenReference[],
): Promise<ListedReference[]> {
  const cardIds = [...new Set(rows.map(({ card_id }) => card_id))]
  const cards = new Map(catalog.candidates.getByIds(cardIds).map((card) => [card.id, card]))
  const ofCards: GivenReference[][] = []
  for (const card_id of cardIds) {
    ofCards.push(await ledger.cardReferences.listOfCard(card_id, GIVEN_MAX))
  }
  const acceptedOfCards = await mapYielding(ofCards, (given) =>
    acceptReferences(given.flatMap((row) => toClaim(row, embedder(), !config.hasLimits))),
  )
  const accepted = new Set(acceptedOfCards.flat().map(({ id }) => id))
  return rows.map((row) => {
    const { name = null, number = null, set, image_url = null } = cards.get(row.card_id) ?? {}
    const is_accepted = accepted.has(row.id)
    return { ...row, name, number, set_name: set?.name ?? null, image_url, is_accepted }
  })
}

/** References of a card that are compared with each other: more than can be accepted. */
const GIVEN_MAX = 200

/**
 * Removes a reference, for good. The audit log keeps what operators remove of others.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function removeReference(
  deps: RemoveDeps,
  remover: Remover & ReferenceOwner,
  id: string,
): Promise<void> {
  const removed = await deps.ledger.cardReferences.delete(id, accountOf(remover))
  if (removed === undefined) {
    throw new ServiceError('NOT_FOUND', 'No reference has this id. GET /v1/references lists them.')
  }
  const { card_id, account_id } = removed
  if (account_id === remover.account_id) return
  await noteRemoval(deps, remover, `${id}, card ${card_id}, of account ${account_id}`)
}

/**
 * Removes all references of an account, for good.
 *
 * @returns their number
 */
export async function removeReferencesOf(
  deps: RemoveDeps,
  remover: Remover,
  account_id: number,
): Promise<number> {
  let removed = 0
  let hasMore = true
  try {
    while (hasMore) {
      const count = await deps.ledger.cardReferences.deleteOfAccount(account_id, REMOVED_A_TURN)
      removed += count
      hasMore = count === REMOVED_A_TURN
      if (hasMore) await nextTurn()
    }
  } finally {
    // After a failure, those that are removed stay removed.
    const which = hasMore ? `the first ${removed}` : `all ${removed}`
    if (removed > 0) await noteRemoval(deps, remover, `${which}, of account ${account_id}`)
  }
  return removed
}

/** Their removal takes some milliseconds. */
const REMOVED_A_TURN = 200

type RemoveDeps = Pick<Deps, 'ledger' | 'now'>

/** Operator or account that removes references; without both on the command line. */
type Remover = { account_id: number | undefined; address: string | undefined }

function noteRemoval(
  { ledger, now }: RemoveDeps,
  { account_id, address }: Remover,
  detail: string,
): Promise<void> {
  return ledger.audit.create({ at: now(), event: 'reference_removed', account_id, address, detail })
}

function accountOf({ account_id, is_operator }: ReferenceOwner): number | null {
  return is_operator ? null : account_id
}
