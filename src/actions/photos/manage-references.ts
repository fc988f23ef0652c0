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
 * Removes a reference, for good. The audit log keeps what operators remove of others.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function removeReference(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  owner: ReferenceOwner & { address: string },
  id: string,
): Promise<GivenReference> {
  const { account_id, address } = owner
  const removed = await ledger.cardReferences.delete(id, accountOf(owner))
  if (removed === undefined) {
    throw new ServiceError('NOT_FOUND', 'No reference has this id. GET /v1/references lists them.')
  }
  if (removed.account_id !== account_id) {
    const detail = `${id}, card ${removed.card_id}, of account ${removed.account_id}`
    await ledger.audit.create({
      at: now(),
      event: 'reference_removed',
      account_id,
      address,
      detail,
    })
  }
  return removed
}

function accountOf({ account_id, is_operator }: ReferenceOwner): number | null {
  return is_operator ? null : account_id
}
