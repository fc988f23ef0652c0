import { reaches, TIERS } from '#rules/tiers.ts'

const TELLING = TIERS.filter((tier) => reaches(tier, 'pro'))
  .map((tier) => `'${tier}'`)
  .join(', ')

/**
 * Which watches tell nothing now, as a condition in SQL on `webhooks` joined to `accounts`: paused by
 * their owner, disabled by us, or of an account below Pro.
 */
export const IS_QUIET = `(is_paused = 1 OR disabled_for IS NOT NULL OR tier NOT IN (${TELLING}))`
