import type { Deps } from '#deps.ts'
import { dayOf, MS_A_DAY } from '#rules/days.ts'
import { IDLE_MS, LIFETIME_MS } from '#rules/sessions.ts'
import { USAGE_DAYS } from './tell-usage.ts'

/** Forgets what nobody asks for any more: ended sessions, old usage, the audit log of past years. */
export async function tidyLedger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<void> {
  const time = now().getTime()
  await ledger.sessions.forgetBefore({
    createdAt: new Date(time - LIFETIME_MS),
    lastSeenAt: new Date(time - IDLE_MS),
  })
  await ledger.usage.forgetBefore(dayOf(now()) - USAGE_DAYS + 1)
  await ledger.audit.forgetBefore(new Date(time - AUDIT_MS))
}

/** Long enough to look into what was noticed late. */
const AUDIT_MS = 400 * MS_A_DAY
