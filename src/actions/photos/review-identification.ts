import type { Deps } from '#deps.ts'
import { IDENTIFICATION_DAYS } from '#rules/operations/retention.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import type { IdentificationFeedback } from '#store/ledger/identifications.ts'

export type IdentificationKey = { id: string; account_id: number }

/** @throws ServiceError NOT_FOUND, also for one of another account */
export async function getIdentification({ ledger }: Pick<Deps, 'ledger'>, key: IdentificationKey) {
  return render(await ledger.identifications.getById(key.id, key.account_id))
}

/**
 * Stores the user's feedback on an identification.
 *
 * @param card_id the card on the photo; null if it is not in the catalog
 * @throws ServiceError NOT_FOUND, also for one of another account, and for an unknown card
 */
export async function reviewIdentification(
  { catalog, ledger, now }: Pick<Deps, 'catalog' | 'ledger' | 'now'>,
  key: IdentificationKey,
  card_id: number | null,
) {
  render(await ledger.identifications.getById(key.id, key.account_id))
  if (card_id !== null && !catalog.cards.exists(card_id)) {
    throw cardNotFound(card_id)
  }
  return render(await ledger.identifications.updateFeedback(key, card_id, now()))
}

/** Renders an identification with its feedback as JSON. */
function render(found: IdentificationFeedback | undefined): string {
  if (found === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      `No identification has this id. Identifications are deleted after ${IDENTIFICATION_DAYS} days.`,
    )
  }
  const { data, feedback_at, feedback_card_id } = found
  const feedback =
    feedback_at === null
      ? null
      : { card_id: feedback_card_id, created_at: new Date(feedback_at).toISOString() }
  // The text is an object with members.
  return `${data.slice(0, -1)},"feedback":${JSON.stringify(feedback)}}`
}
