// `bun run admin account …`, and the keys and scans of accounts.

import { listAccess } from '#actions/accounts/account-access.ts'
import { deleteAccount } from '#actions/accounts/delete-account.ts'
import type { SubscriptionSummary } from '#actions/accounts/get-usage.ts'
import {
  changeTier,
  getAccount,
  resetPassword,
  setOperator,
} from '#actions/accounts/manage-accounts.ts'
import { createKey, listKeys, revokeKey } from '#actions/accounts/manage-keys.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { getBilling } from '#actions/billing/get-billing.ts'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import type { Deps } from '#deps.ts'
import { type Tier, tierName } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import { PROGRAM } from './program.ts'
import { readPassword } from './read-password.ts'
import { printList, printResult } from './terminal.ts'
import { count, formatTable } from './text.ts'

type Selected = { email: string; json: boolean }
type WithPassword = Selected & { password: string | undefined }

export async function createAccount(
  deps: Deps,
  { email, password, tier, json }: WithPassword & { tier: Tier },
): Promise<undefined> {
  // Checked before the password prompt.
  if ((await deps.ledger.accounts.getByEmail(email)) !== undefined) throw emailExists(email)
  const input = { email, password: await readPassword(password), tier, address: undefined }
  const account = await registerAccount(deps, createPasswordHasher(), input).catch((error) => {
    const isTaken = error instanceof ServiceError && error.code === 'EMAIL_TAKEN'
    throw isTaken ? emailExists(email) : error
  })
  printAccount(account, json)
}

export async function updateTier(
  deps: Deps,
  { email, tier, json }: Selected & { tier: Tier },
): Promise<undefined> {
  const account = await changeTier(deps, { email, tier })
  if (account.tier !== tier) {
    process.stderr.write(
      `${account.email} pays for the ${tierName(account.tier)} plan and keeps that tier until it ends.\n`,
    )
  }
  printAccount(account, json)
}

export async function updatePassword(
  deps: Deps,
  { email, password, json }: WithPassword,
): Promise<undefined> {
  // An unknown account is reported before the password prompt.
  await getAccount(deps, email)
  const change = { email, password: await readPassword(password) }
  const account = await resetPassword(deps, createPasswordHasher(), change)
  const { keys, channels } = await listAccess(deps, account.id)
  const isLeft = keys.length + channels.length > 0
  const left = `${count(keys.length, 'API key')} and ${count(channels.length, 'channel')} stay`
  const text = `The password of ${account.email} is changed, and its sessions have ended${isLeft ? `; ${left}` : ''}.`
  printResult(toJson(account), { json, text })
}

export async function updateOperator(
  deps: Deps,
  { email, off, json }: Selected & { off: boolean },
): Promise<undefined> {
  const account = await setOperator(deps, { email, is_operator: !off })
  const text = `${formatAccount(account)}${off ? ', not an operator' : ''}`
  printResult(toJson(account), { json, text })
}

export async function removeAccount(
  deps: Deps,
  { email, force, json }: Selected & { force: boolean },
): Promise<undefined | 1> {
  const account = await getAccount(deps, email)
  if (!force) {
    process.stderr.write(
      `${formatAccount(account)}: nothing was deleted. Add --force to delete this account and all of its data.\n`,
    )
    return 1
  }
  await deleteAccount(deps, account)
  printResult({ id: account.id }, { json, text: `Account ${account.id} is deleted.` })
}

export async function listAccounts(
  { ledger }: Deps,
  { json }: { json: boolean },
): Promise<undefined> {
  const accounts = (await ledger.accounts.list()).map(toJson)
  printList(accounts, {
    json,
    table: () =>
      accounts.length === 0
        ? 'No accounts.'
        : formatTable(
            ['id', 'e-mail', 'tier', 'operator', 'created'],
            accounts.map(({ id, email, tier, is_operator, created_at }) => [
              id,
              email,
              tier,
              is_operator ? 'yes' : '',
              created_at.slice(0, 10),
            ]),
          ),
  })
}

/** Prints an account with its subscription, scans and keys. */
export async function showAccount(deps: Deps, { email, json }: Selected): Promise<undefined> {
  const account = await getAccount(deps, email)
  const { subscription, scans } = await getBilling(deps, account)
  const keys = (await listKeys(deps, account.id)).rows.map(keyToJson)
  const text = [
    formatAccount(account),
    `${formatSubscription(subscription)}, ${count(scans, 'scan')}`,
    keys.length === 0 ? 'No API keys.' : formatKeys(keys),
  ]
  printResult({ ...toJson(account), subscription, scans, keys }, { json, text: text.join('\n') })
}

export async function createAccountKey(
  deps: Deps,
  { email, name, json }: Selected & { name: string },
): Promise<undefined> {
  const account = await getAccount(deps, email)
  const { id, key } = await createKey(deps, { account_id: account.id, address: undefined, name })
  // Only the key goes to stdout, for KEY=$(bun run admin key create …).
  if (json) printResult({ id, key }, { json, text: key })
  else {
    process.stdout.write(`${key}\n`)
    process.stderr.write(`Key ${id} created. Save it now: it is not shown again.\n`)
  }
}

export async function revokeAccountKey(
  deps: Deps,
  { id, json }: { id: string; json: boolean },
): Promise<undefined> {
  await revokeKey(deps, { id, address: undefined })
  printResult({ id, is_active: false }, { json, text: `Key ${id} is revoked.` })
}

export async function grantAccountScans(
  deps: Deps,
  { email, scans, json }: Selected & { scans: number },
): Promise<undefined> {
  const granted = await grantScans(deps, { email, scans })
  const { scans: total } = await getBilling(deps, await getAccount(deps, email))
  const text = `${granted.email} got ${count(scans, 'scan')} and has ${total.toLocaleString('en')}.`
  printResult(granted, { json, text })
}

function emailExists(email: string): ServiceError {
  return new ServiceError(
    'EMAIL_TAKEN',
    `An account with the e-mail address ${email}, or one that looks like it, exists already. "${PROGRAM} admin account list" lists all accounts.`,
  )
}

function formatSubscription({ plan, status, current_period_end: end }: SubscriptionSummary) {
  const standing = status === 'none' ? '' : `, ${status.replaceAll('_', ' ')}`
  return `${tierName(plan)} plan${standing}${end === null ? '' : ` until ${end.slice(0, 10)}`}`
}

function printAccount(account: Account, json: boolean): void {
  printResult(toJson(account), { json, text: formatAccount(account) })
}

function formatAccount({ id, email, tier, is_operator }: Account): string {
  const role = is_operator ? ', operator' : ''
  return `Account ${id}: ${email}, ${tierName(tier)} tier${role}`
}

function toJson({ id, email, tier, is_operator, created_at }: Account) {
  return { id, email, tier, is_operator, created_at: new Date(created_at).toISOString() }
}

function keyToJson({ created_at, last_used_at, ...key }: KeyRecord) {
  return {
    ...key,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}

function formatKeys(keys: readonly ReturnType<typeof keyToJson>[]): string {
  return formatTable(
    ['key', 'name', 'ends in', 'state', 'created', 'last used', 'today', 'in total'],
    keys.map((key) => [
      key.id,
      key.name,
      key.last4,
      key.is_active ? 'active' : 'revoked',
      key.created_at.slice(0, 10),
      key.last_used_at?.slice(0, 10) ?? 'never',
      key.requests_today,
      key.requests_total,
    ]),
  )
}
