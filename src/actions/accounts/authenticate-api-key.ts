import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { hashSecret, isApiKey } from '#rules/accounts/credentials.ts'
import { type AccountLimits, accountLimits } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Account on whose behalf a request acts, and the API key that it sent. */
export type ApiKeyPrincipal = AccountLimits & { kind: 'key'; account_id: number; key_id: string }

/** @throws ServiceError API_KEY_REQUIRED or INVALID_API_KEY */
export type ApiKeyAuthenticator = (key: string | null) => ApiKeyPrincipal | Promise<ApiKeyPrincipal>

/**
 * Caches the principals of API keys until the ledger or the settings change: a deactivated key is refused on
 * its next request, in every process.
 */
export function createApiKeyAuthenticator(
  deps: Pick<Deps, 'ledger'> & { config: Pick<Deps['config'], 'hasLimits'> },
): ApiKeyAuthenticator {
  const { ledger } = deps
  const cache = new LRUCache<string, ApiKeyPrincipal>({ max: CACHED_MAX })
  let version = -1
  let hasLimits = true

  async function load(key: string): Promise<ApiKeyPrincipal> {
    const versionBefore = version
    const owner = await ledger.keys.getOwner(hashSecret(key))
    if (owner === undefined || !owner.is_active) throw invalidKey()
    const { account_id, key_id } = owner
    const { tier, is_unlimited } = accountLimits(owner, deps.config.hasLimits)
    const caller: ApiKeyPrincipal = { kind: 'key', account_id, key_id, tier, is_unlimited }
    // The ledger may have changed since it was read.
    if (versionBefore === version) cache.set(key, caller)
    return caller
  }

  return function authenticate(key: string | null): ApiKeyPrincipal | Promise<ApiKeyPrincipal> {
    if (key === null || key === '') {
      throw new ServiceError('API_KEY_REQUIRED', KEY_REQUIRED)
    }
    const current = ledger.keys.getVersion()
    if (current !== version || deps.config.hasLimits !== hasLimits) {
      cache.clear()
      version = current
      hasLimits = deps.config.hasLimits
    }
    // Does not mark the key as used, which would cost more than the lookup: the oldest key is dropped first.
    const principal = cache.peek(key)
    if (principal !== undefined) return principal
    if (!isApiKey(key)) throw invalidKey()
    return load(key)
  }
}

function invalidKey(): ServiceError {
  return new ServiceError(
    'INVALID_API_KEY',
    'This API key is unknown or was deactivated. Create a new one, and send it in X-API-Key or as Authorization: Bearer.',
  )
}

const KEY_REQUIRED =
  'Send your API key in the X-API-Key header, or as Authorization: Bearer tcg_live_….'

/** Maximum number of cached keys. */
const CACHED_MAX = 20_000
