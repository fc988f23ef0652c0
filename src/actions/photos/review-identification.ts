import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Remembered } from '#store/ledger/identifications.ts'

/** Whose identification. */
export type Which = { id: string; account_id: number }

/** @throws ServiceError NOT_FOUND, also for one of another account */
export async function identificationOf({ ledger }: Pick<Deps, 'ledger'>, which: Which) {
  return told(await ledger.identifications.byId(which.id, which.account_id))
}

/**
 * Keeps what the sender of a photo says that it shows.
 *
 * @param card_id null: no card of the catalog
 * @throws ServiceError NOT_FOUND, also for one of another account; VALIDATION_ERROR for no card
 */
export async function reviewIdentification(
  { catalog, ledger, now }: Pick<Deps, 'catalog' | 'ledger' | 'now'>,
  which: Which,
  card_id: number | null,
) {
  told(await ledger.identifications.byId(which.id, which.account_id))
  if (card_id !== null && !catalog.cards.exists(card_id)) {
    throw new ServiceError('VALIDATION_ERROR', '"card_id" is no card of the catalog.')
  }
  return told(await ledger.identifications.putFeedback(which, card_id, now()))
}

function told(found: Remembered | undefined): object {
  if (found === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'There is no identification with this id. They are kept for 30 days.',
    )
  }
  const { data, feedback_at, feedback_card_id } = found
  const feedback =
    feedback_at === null
      ? null
      : { card_id: feedback_card_id, created_at: new Date(feedback_at).toISOString() }
  return { ...JSON.parse(data), feedback }
}
