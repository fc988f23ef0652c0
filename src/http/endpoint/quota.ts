import type { ApiKeyPrincipal } from '#actions/accounts/authenticate-api-key.ts'
import type { PagePrincipal } from '#actions/accounts/authorize-page-request.ts'
import type { QuotaOwner } from '#actions/accounts/charge-quota.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'

/** Who asks for what needs a key: who holds one, or a page of our own for somebody. */
export type Principal = ApiKeyPrincipal | PagePrincipal

/** What doors ask of the quota. Where nothing is counted there is no quota to show. */
export type QuotaSource = {
  charge(caller: QuotaOwner, credits: number): Admission | Promise<Admission>
  refund(caller: QuotaOwner, charged: Quota, credits: number): Quota | undefined
  get(caller: QuotaOwner): Promise<Quota | undefined>
}

type Admission = {
  isAllowed: boolean
  quota: Quota | undefined
  /** What it is refused with, unless as ever. */
  refusal?: ServiceError
}

/** Charges whoever asks: a key's account by its lease, a page by what pays for it. */
export function createPrincipalQuota(spending: QuotaSource) {
  return {
    spend(principal: Principal, credits: number): Admission | Promise<Admission> {
      return 'quotaAccount' in principal
        ? principal.quotaAccount.charge(credits)
        : spending.charge(principal, credits)
    },
    refund(asker: Principal, charged: Quota, credits: number): Quota | undefined {
      return 'quotaAccount' in asker
        ? asker.quotaAccount.refund(charged, credits)
        : spending.refund(asker, charged, credits)
    },
    look(asker: Principal): Promise<Quota | undefined> {
      return 'quotaAccount' in asker ? asker.quotaAccount.get() : spending.get(asker)
    },
  }
}
