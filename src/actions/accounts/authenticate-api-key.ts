import type { Deps } from '#deps.ts'
import { hashSecret, isApiKey } from '#rules/accounts/credentials.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Who holds the key of a request. */
export type ApiKeyPrincipal = { account_id: number; key_id: string; tier: Tier }

/**
 * Knows callers by their keys. What the ledger said of a key is remembered until anything in the
 * ledger changes, so that a deactivated key is refused on its next request, in every process.
 */
export function createApiKeyAuthenticator({ ledger }: Pick<Deps, 'ledger'>) {
  const known = new Map<string, ApiKeyPrincipal>()
  let version = -1

  async function ask(key: string): Promise<ApiKeyPrincipal> {
    const asked = version
    const owner = await ledger.keys.getOwner(hashSecret(key))
    if (owner === undefined || !owner.is_active) throw invalidKey()
    const caller = { account_id: owner.account_id, key_id: owner.key_id, tier: owner.tier }
    if (known.size >= REMEMBERED_MAX) known.clear()
    // What the ledger said before its last change is not remembered as said after it.
    if (asked === version) known.set(key, caller)
    return caller
  }

  /** @throws ServiceError API_KEY_REQUIRED or INVALID_API_KEY */
  return function callerOf(key: string | null): ApiKeyPrincipal | Promise<ApiKeyPrincipal> {
    if (key === null || key === '') {
      throw new ServiceError('API_KEY_REQUIRED', 'Send your API key in the X-API-Key header.')
    }
    const now = ledger.keys.getVersion()
    if (now !== version) {
      known.clear()
      version = now
    }
    const principal = known.get(key)
    if (principal !== undefined) return principal
    if (!isApiKey(key)) throw invalidKey()
    return ask(key)
  }
}

function invalidKey(): ServiceError {
  return new ServiceError(
    'INVALID_API_KEY',
    'This API key is unknown or was deactivated. Make a new one and send it in X-API-Key.',
  )
}

/** Keys remembered at once; beyond it the memory starts anew. */
const REMEMBERED_MAX = 20_000
