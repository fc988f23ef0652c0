import type { Caller } from '#actions/accounts/authenticate-api-key.ts'
import type { PageCaller } from '#actions/accounts/authorize-page-request.ts'
import type { Spender, Spending } from '#actions/accounts/charge-quota.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'

/** Who asks for what needs a key: who holds one, or a page of our own for somebody. */
export type Asker = Caller | PageCaller

/** What doors ask of the quota. Where nothing is counted there is no quota to show. */
export type Counted = {
  spend(caller: Spender, credits: number): Admission | Promise<Admission>
  refund(caller: Spender, charged: Quota, credits: number): Quota | undefined
  look(caller: Spender): Promise<Quota | undefined>
}

type Admission = {
  admitted: Spending['admitted']
  quota: Quota | undefined
  /** What it is refused with, unless as ever. */
  refusal?: ServiceError
}

/** Charges whoever asks: a key's account by its lease, a page by what pays for it. */
export function openCharges(spending: Counted) {
  return {
    spend(asker: Asker, credits: number): Admission | Promise<Admission> {
      return 'purse' in asker ? asker.purse.spend(credits) : spending.spend(asker, credits)
    },
    refund(asker: Asker, charged: Quota, credits: number): Quota | undefined {
      return 'purse' in asker
        ? asker.purse.refund(charged, credits)
        : spending.refund(asker, charged, credits)
    },
    look(asker: Asker): Promise<Quota | undefined> {
      return 'purse' in asker ? asker.purse.look() : spending.look(asker)
    },
  }
}
