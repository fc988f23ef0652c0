import type { QuotaOwner } from '#actions/accounts/charge-quota.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import type { QuotaPrincipal } from './request-context.ts'

/** Result of a charge. `refusal` replaces the usual 429 error. */
type Charge = {
  isAllowed: boolean
  quota: Quota | undefined
  refusal?: ServiceError
}

/** Quotas by owner; an undefined quota means that nothing is counted. */
export type QuotaSource<Owner = QuotaOwner> = {
  charge(owner: Owner, credits: number): Charge | Promise<Charge>
  /** Refunds charged credits, and returns the resulting quota. */
  refund(
    owner: Owner,
    charged: Quota,
    credits: number,
  ): Quota | undefined | Promise<Quota | undefined>
  /** Returns the quota without charging it. */
  get(owner: Owner): Promise<Quota | undefined>
}

/** Quotas of everyone who can send a request. */
export type PrincipalQuota = QuotaSource<QuotaPrincipal>

/** Charges an account through its lease, a dashboard request through its own quota account. */
export function createPrincipalQuota(accounts: QuotaSource): PrincipalQuota {
  return {
    charge: (principal, credits) =>
      principal.kind === 'page'
        ? principal.quotaAccount.charge(credits)
        : accounts.charge(principal, credits),
    refund: (principal, charged, credits) =>
      principal.kind === 'page'
        ? principal.quotaAccount.refund(charged, credits)
        : accounts.refund(principal, charged, credits),
    get: (principal) =>
      principal.kind === 'page' ? principal.quotaAccount.get() : accounts.get(principal),
  }
}
