import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Marketplace, openMarketplace } from './marketplace.ts'

/**
 * Opens the configured mirror.
 *
 * @throws ServiceError VALIDATION_ERROR if none is configured
 */
export function openConfiguredMarketplace(config: Config, log: Log): Marketplace {
  if (config.upstreamUrl === undefined) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      'No mirror is set. Set one in the settings of the server, or as UPSTREAM_URL: https://… or file:///….',
    )
  }
  return openMarketplace({
    upstreamUrl: config.upstreamUrl,
    userAgent: `Cardstock/${packageJson.version} (+${config.publicUrl})`,
    log: (event, facts) => log.debug(event, facts),
  })
}
