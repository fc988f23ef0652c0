import type { Deps } from '#deps.ts'
import { type ChannelTarget, describeTarget } from '#rules/alerts/channel-kinds.ts'
import type {
  AccessChannel,
  AccessKey,
  AccessShare,
  EndedAccess,
} from '#store/ledger/logins/account-access.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { targetContext } from '../alerts/send-message.ts'

/** Ways to an account that outlive its password, as their owner sees them. */
export type AccountAccess = {
  keys: AccessKey[]
  /** Channels and webhooks. `name`: address without its secrets; null if it cannot be decrypted any more. */
  channels: (Pick<AccessChannel, 'id' | 'kind' | 'created_at'> & { name: string | null })[]
  /** Collections that everybody with their link sees. */
  shared_collections: AccessShare[]
  /** Link to the login provider; undefined without one. */
  login: { label: string; linked_at: number } | undefined
}

/** Lists the keys, the channels, the shared collections and the linked login of an account. */
export async function listAccess(
  { ledger, loginProvider, secrets }: Pick<Deps, 'ledger' | 'loginProvider' | 'secrets'>,
  account_id: number,
): Promise<AccountAccess> {
  const { accountAccess, identities } = ledger
  const keys = await accountAccess.listKeys(account_id)
  const channels = await accountAccess.listChannels(account_id)
  const { issuer = '', label = '' } = loginProvider ?? {}
  const linked_at = await identities.getLinkTime(account_id, issuer)
  return {
    keys,
    channels: channels.map(({ id, kind, created_at, ...channel }) => {
      return { id, kind, created_at, name: nameOf(secrets, { kind, ...channel }) }
    }),
    shared_collections: await accountAccess.listShares(account_id),
    login: linked_at === undefined ? undefined : { label, linked_at },
  }
}

/**
 * Ends all of them at once. The login provider stays linked to an account without a password, whose owner could no longer
 * log in otherwise.
 */
export function endAccess(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id }: Session,
  address: string,
): Promise<EndedAccess> {
  return ledger.accountAccess.end(account_id, { now: now(), address })
}

function nameOf(
  secrets: Deps['secrets'],
  { account_id, kind, url, secret }: Pick<AccessChannel, 'account_id' | 'kind' | 'url' | 'secret'>,
): string | null {
  if (kind === 'webhook') return url && describeTarget(kind, { address: url })
  const text = secrets.open(secret, targetContext(account_id, kind))
  // `addChannel` has stored this text.
  return text === undefined ? null : describeTarget(kind, JSON.parse(text) as ChannelTarget)
}
