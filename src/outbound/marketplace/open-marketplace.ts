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
      'UPSTREAM_URL is not set. Set it to the root of a mirror, such as https://… or file:///….',
    )
  }
  return openMarketplace({
    upstreamUrl: config.upstreamUrl,
    userAgent: `Cardstock/${packageJson.version} (+${config.publicUrl})`,
    log: (event, facts) => log.debug(event, facts),
  })
}
