import { expect, test } from 'bun:test'
import { registrationLimits, trialLimits } from '#actions/accounts/rate-limits.ts'
import { createTestApp } from '../../support/test-app.ts'

test.each([1, 6, 7, 11, 13, 200])(
  'a network has exactly %i registrations and trials at once, if that is the limit',
  async (max) => {
    const { deps } = await createTestApp({
      env: { REGISTRATIONS_PER_IP: String(max), TRIALS_PER_IP: String(max) },
    })
    for (const limits of [registrationLimits, trialLimits]) {
      const consume = () =>
        deps.ledger.attempts.consume(limits(deps, '192.0.2.7').slice(0, 1), deps.now())
      for (let at = 0; at < max; at++) expect(await consume()).toBeUndefined()
      expect(await consume()).toBeGreaterThan(0)
    }
  },
)
