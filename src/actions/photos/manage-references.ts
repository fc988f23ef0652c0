import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Paging } from '#rules/primitives/paging.ts'
import type { GivenReference } from '#store/ledger/card-references.ts'
import type { RowPage } from '#store/rows.ts'

/** Sender of a request: operators see and remove the references of all accounts, others their own. */
type ReferenceOwner = { account_id: number; is_operator: boolean }

/** @param card_id undefined for all cards @returns references, newest first */
export function listReferences(
  { ledger }: Pick<Deps, 'ledger'>,
  owner: ReferenceOwner,
  { card_id = null, paging }: { card_id?: number | null; paging: Paging },
): Promise<RowPage<GivenReference>> {
  return ledger.cardReferences.list({ card_id, account_id: accountOf(owner) }, paging)
}

/**
 * Removes a reference, for good.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function removeReference(
  { ledger }: Pick<Deps, 'ledger'>,
  owner: ReferenceOwner,
  id: string,
): Promise<GivenReference> {
  const removed = await ledger.cardReferences.delete(id, accountOf(owner))
  if (removed === undefined) {
    throw new ServiceError('NOT_FOUND', 'No reference has this id. GET /v1/references lists them.')
  }
  return removed
}

function accountOf({ account_id, is_operator }: ReferenceOwner): number | null {
  return is_operator ? null : account_id
}
