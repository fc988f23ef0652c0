import { confirmUrl, unsubscribeUrl } from '#actions/alerts/channel-links.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { getDeliveryId, getWebhookId } from '../support/alerts/webhook-fixtures.ts'
import { emailOf, FROZEN_TIME, type TestAccount, type TestApp } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import { createHeldChannel } from './alert-endpoints.ts'
import { createHeldCollection, type HeldCollection } from './collection-endpoints.ts'
import type { AccountEndpoint, Call } from './endpoints.ts'

/**
 * Calls an account endpoint; a placeholder in braces in its path becomes the id of an existing
 * object.
 */
export async function call(
  testApp: TestApp,
  { method, sample }: AccountEndpoint,
  {
    keyOf = 'pro',
    made = sample,
    ...options
  }: TestRequestOptions & { keyOf?: TestAccount; made?: Call } = {},
): Promise<TestResponse<Row>> {
  const path = await pathFor(testApp, made.path, keyOf)
  await storeTokens(testApp, made, keyOf)
  const json = made.json === undefined ? {} : { json: made.json }
  return testApp.client.request(method, path, { ...json, ...options })
}

/** Creates the links whose tokens a request sends: each token is its own placeholder. */
async function storeTokens(
  { deps }: TestApp,
  { json }: Call,
  testAccount: TestAccount,
): Promise<void> {
  const text = JSON.stringify(json ?? {})
  const account = await deps.ledger.accounts.getByEmail(emailOf(testAccount))
  for (const purpose of ['reset', 'confirm'] as const) {
    const token = `{${purpose}_token}`
    if (account === undefined || !text.includes(token)) continue
    const link = { account_id: account.id, purpose, token_hash: hashSecret(token) }
    await deps.ledger.mailedTokens.create({ ...link, validMs: 60_000 }, deps.now())
  }
}

/** Logs somebody in for an endpoint; for one of operators their account is marked as such. */
export async function enterFor(
  testApp: TestApp,
  { operator }: AccountEndpoint,
  testAccount: TestAccount,
): Promise<string> {
  if (operator) await testApp.makeOperator(testAccount)
  return testApp.createSession(testAccount)
}

/** A path with the ids of what an account has. */
export async function pathFor(
  testApp: TestApp,
  path: string,
  testAccount: TestAccount,
): Promise<string> {
  let found = path
  for (const [name, idOf] of Object.entries(IDS)) {
    if (found.includes(name)) found = found.replace(name, await idOf(testApp, testAccount))
  }
  return found
}

const IDS = {
  '{token}': shareTokenOf,
  '{unsubscribe_token}': unsubscribeTokenOf,
  '{confirm_token}': confirmTokenOf,
  '{id}': keyIdOf,
  '{session_id}': sessionIdOf,
  '{webhook_id}': getWebhookId,
  '{delivery_id}': getDeliveryId,
}

/** The token by which a channel of an account ends. */
async function unsubscribeTokenOf({ deps }: TestApp, testAccount: TestAccount): Promise<string> {
  const channel = await createHeldChannel(deps, testAccount, 'slack')
  return unsubscribeUrl(deps, channel).split('/').at(-1) ?? ''
}

/** The token that confirms a mail address of an account. */
async function confirmTokenOf({ deps }: TestApp, testAccount: TestAccount): Promise<string> {
  const channel = await createHeldChannel(deps, testAccount, 'email')
  return confirmUrl(deps, channel, deps.now()).split('/').at(-1) ?? ''
}

/** Links of the accounts of each app: an account may have few collections. */
const LINKS = new WeakMap<TestApp, Promise<HeldCollection>>()

/** The token of an account's link. */
async function shareTokenOf(testApp: TestApp, testAccount: TestAccount): Promise<string> {
  const link = LINKS.get(testApp) ?? createHeldCollection(testApp, testAccount)
  LINKS.set(testApp, link)
  return (await link).token
}

/** The id of an account's first key. */
export async function keyIdOf(
  { deps: { ledger } }: TestApp,
  testAccount: TestAccount,
): Promise<string> {
  const account = await ledger.accounts.getByEmail(emailOf(testAccount))
  const owner = { account_id: account?.id ?? 0, today: dayOf(new Date(FROZEN_TIME)) }
  const [key] = (await ledger.keys.list(owner)).rows
  if (key === undefined) throw new Error(`${testAccount} has no key`)
  return key.id
}

/** The id of the session of an account that was unused for longest. */
async function sessionIdOf(
  { deps: { ledger } }: TestApp,
  testAccount: TestAccount,
): Promise<string> {
  const account = await ledger.accounts.getByEmail(emailOf(testAccount))
  const oldest = (await ledger.sessions.list(account?.id ?? 0)).at(-1)
  return String(oldest?.id ?? 1)
}

/** All that a request can change of accounts, as text to compare. */
export async function stateOf({ deps: { ledger } }: TestApp): Promise<string> {
  const accounts = await ledger.accounts.list()
  const all = accounts.map(async ({ id }) => ({
    account: await ledger.accounts.getById(id),
    keys: await ledger.keys.list({ account_id: id, today: dayOf(new Date(FROZEN_TIME)) }),
    sessions: await ledger.sessions.list(id),
    watches: await Promise.all(
      (await ledger.webhooks.list({ account_id: id })).rows.map(withDeliveries),
    ),
  }))
  async function withDeliveries(watch: { id: string }) {
    return { watch, ...(await ledger.messages.list(watch.id, { limit: 1_000, offset: 0 })) }
  }
  return JSON.stringify({
    all: await Promise.all(all),
    audit: await ledger.audit.list(1_000),
    checkouts: await ledger.checkouts.listOpen(new Date('9999-01-01'), 1_000),
  })
}
