import { confirmUrl, unsubscribeUrl } from '#actions/alerts/channel-links.ts'
import { targetContext } from '#actions/alerts/send-message.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ALERT_BODY, getDeliveryId, getWebhookId } from '../support/alerts/webhook-fixtures.ts'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import {
  emailOf,
  FROZEN_TIME,
  SETUP_TOKEN,
  type TestAccount,
  type TestApp,
} from '../support/test-app.ts'

/** IDs of an account's data, by the names in braces that represent them in requests. */
export type Holdings = Readonly<Record<string, string>>

/** Parts of an app that create an account's data. */
type Owning = Pick<TestApp, 'client' | 'createSession'>

/** Creates the data that requests to an endpoint name, by the beginning of its path. The first matching row counts. */
const HOLDINGS: readonly (readonly [
  path: string,
  create: (testApp: TestApp, account: TestAccount) => Promise<Holdings>,
])[] = [
  ['/v1/collections', createHeldCollection],
  ['/v1/shared', createHeldCollection],
  ['/v1/imports', createHeldImport],
  ['/v1/scan-sessions', createHeldScanSession],
  ['/v1/identify', async (...of) => ({ id: await identifyPhoto(...of) })],
  ['/v1/references', async (...of) => ({ id: await createReference(...of) })],
  ['/v1/alerts', async (...of) => ({ id: (await createHeldAlerts(...of)).alert })],
  ['/v1/notifications', createHeldAlerts],
  [
    '/v1/channels/{id}/confirmation',
    async (...of) => ({ id: (await createHeldAlerts(...of)).email }),
  ],
  ['/v1/channels', async (...of) => ({ id: (await createHeldAlerts(...of)).channel })],
  ['/v1/keys', async (...of) => ({ id: await keyIdOf(...of) })],
  ['/v1/auth/sessions', async (...of) => ({ session_id: await oldestSessionOf(...of) })],
  ['/v1/webhooks', createHeldWebhook],
  ['/v1/unsubscribe', createUnsubscribeLink],
  ['/v1/confirm', createConfirmLink],
  ['/v1/auth/setup', beginSetup],
  ['/v1/auth/reset/password', (...of) => createMailedLink('reset', ...of)],
  ['/v1/auth/confirm', (...of) => createMailedLink('confirm', ...of)],
]

const created = new WeakMap<TestApp, Map<string, Promise<Holdings>>>()

/** Returns the data of an account that requests to a path name, and creates it if needed. */
export async function holdingsOf(
  testApp: TestApp,
  path: string,
  account: TestAccount,
): Promise<Holdings> {
  const [place, create] = rowFor(path)
  const known = created.get(testApp) ?? new Map<string, Promise<Holdings>>()
  created.set(testApp, known)
  const key = `${account} ${place}`
  const holdings = known.get(key) ?? create(testApp, account)
  known.set(key, holdings)
  return holdings
}

/** Creates the data for all endpoints, so that their requests need not create any. */
export async function prepareHoldings(testApp: TestApp): Promise<void> {
  for (const [path] of HOLDINGS) await holdingsOf(testApp, path, 'pro')
}

/** Forgets the data that requests to a path name, after a request has deleted it. */
export function forgetHoldings(testApp: TestApp, path: string, account: TestAccount): void {
  created.get(testApp)?.delete(`${account} ${rowFor(path)[0]}`)
}

function rowFor(path: string) {
  return HOLDINGS.find(([start]) => path.startsWith(start)) ?? NOTHING
}

const NOTHING = ['', async () => ({})] as const

/** Replaces names in braces by the account's IDs. */
export function insertHoldings(text: string, holdings: Holdings): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, member) => holdings[member] ?? name)
}

/** Creates a shared collection with one item. The session outlives keys that tests delete. */
export async function createHeldCollection(testApp: Owning, account: TestAccount) {
  const { client } = testApp
  const by = { session: await testApp.createSession(account) }
  const created = await client.post<{ id: string }>('/v1/collections', { name: 'Box' }, by)
  const { id } = created.body.data
  const item = { card_id: 900401, price_paid: 12.5, acquired_on: '2026-10-20', note: 'My own' }
  const items = { items: [{ ...item, place: 'Shelf', quantity: 2 }] }
  const added = await client.post<{ id: string }[]>(`/v1/collections/${id}/items`, items, by)
  const shared = await client.post<{ token: string }>(`/v1/collections/${id}/share`, undefined, by)
  return { id, item_id: added.body.data[0]?.id ?? '', token: shared.body.data.token }
}

/** Creates a draft of one row. */
async function createHeldImport(testApp: Owning, account: TestAccount) {
  const session = await testApp.createSession(account)
  const { client } = testApp
  await client.post('/v1/collections', { name: 'Binder' }, { session })
  const { body } = await client.get<{ id: string }[]>('/v1/collections', { session })
  const path = `/v1/collections/${body.data.at(-1)?.id}/import?draft=true&file_name=binder.csv`
  const file = { session, body: DRAFT_CSV, headers: { 'content-type': 'text/csv' } }
  const draft = await client.request<{ import_id: string }>('POST', path, file)
  return { id: draft.body.data.import_id }
}

const DRAFT_CSV = 'Name,Quantity\nCindel,2\n'

/** Creates a scan session with one item, and a collection. */
async function createHeldScanSession({ client }: Owning, account: TestAccount) {
  const by = { as: account }
  const created = await client.post<{ id: string }>('/v1/scan-sessions', { name: 'Box' }, by)
  const { id } = created.body.data
  const path = `/v1/scan-sessions/${id}/photos/first`
  const added = await client.post<{ items: { id: string }[] }>(path, PHOTO_BODY, by)
  // A tier allows few collections, so later ones are refused.
  await client.post('/v1/collections', { name: 'Binder' }, by)
  const { body } = await client.get<{ id: string }[]>('/v1/collections', by)
  const collection = body.data.at(-1)?.id ?? ''
  return { id, item: added.body.data.items[0]?.id ?? '', collection }
}

const PHOTO_BODY = { image: PHOTO.jpeg.toBase64() }

async function identifyPhoto({ client }: Owning, as: TestAccount): Promise<string> {
  const { body } = await client.post<{ id: string }>('/v1/identify', PHOTO_BODY, { as })
  return body.data.id
}

/** Names the card of a photo. */
async function createReference(testApp: Owning, as: TestAccount): Promise<string> {
  const id = await identifyPhoto(testApp, as)
  await testApp.client.post(`/v1/identify/${id}/feedback`, { card_id: 900401 }, { as })
  return id
}

/** Creates a price alert that has fired, and channels; `email` is not confirmed. */
async function createHeldAlerts({ client, createSession, deps }: TestApp, account: TestAccount) {
  const by = { session: await createSession(account) }
  const input = { card_id: 900401, condition: 'above', threshold: 19.99 }
  const { body } = await client.post<{ id: string }>('/v1/alerts', input, by)
  await relayAlert(deps, body.data.id, `msg_${crypto.randomUUID().replaceAll('-', '')}`)
  return {
    alert: body.data.id,
    channel: await createHeldChannel(deps, account, 'slack'),
    email: await createHeldChannel(deps, account, 'email'),
  }
}

/** Adds a channel, or enables it again, without limits and mails. @returns its id */
export async function createHeldChannel(
  { ledger, secrets, now }: TestApp['deps'],
  account: TestAccount,
  kind: 'email' | 'slack',
): Promise<string> {
  const account_id = (await ledger.accounts.getByEmail(emailOf(account)))?.id ?? 0
  const address = kind === 'email' ? 'ada@mail.example' : 'https://slack.example/services/T1/B2/x'
  const channel = {
    id: `ch_${crypto.randomUUID()}`,
    account_id,
    kind,
    host: 'host.example',
    secret: secrets.seal(JSON.stringify({ address }), targetContext(account_id, kind)),
    address_hash: secrets.hash(`held ${kind}`),
    confirmed_at: kind === 'email' ? null : now().getTime(),
  }
  return (await ledger.channels.create(channel, 1_000, now())) ?? ''
}

/** Stores an alert like the job that copies it from the catalog. */
export async function relayAlert(
  { ledger }: Pick<TestApp['deps'], 'ledger'>,
  alert_id: string,
  id: string,
): Promise<void> {
  const alert = { id, rule_id: alert_id, body: ALERT_BODY, created_at: Date.parse(FROZEN_TIME) }
  await ledger.relayedAlerts.relay([alert], new Date(FROZEN_TIME))
}

async function createHeldWebhook(testApp: TestApp, account: TestAccount): Promise<Holdings> {
  return {
    webhook_id: await getWebhookId(testApp, account),
    delivery_id: await getDeliveryId(testApp, account),
  }
}

/** Creates the link that ends a channel of an account. */
async function createUnsubscribeLink({ deps }: TestApp, account: TestAccount): Promise<Holdings> {
  const channel = await createHeldChannel(deps, account, 'slack')
  return { unsubscribe_token: unsubscribeUrl(deps, channel).split('/').at(-1) ?? '' }
}

/** Creates the link that confirms a mail address of an account. */
async function createConfirmLink({ deps }: TestApp, account: TestAccount): Promise<Holdings> {
  const channel = await createHeldChannel(deps, account, 'email')
  return { confirm_token: confirmUrl(deps, channel, deps.now()).split('/').at(-1) ?? '' }
}

/** Makes the server one that is not set up yet, unless it has an operator. */
async function beginSetup({ deps, ledgerDb }: TestApp): Promise<Holdings> {
  ledgerDb().exec("DELETE FROM service_settings WHERE name = 'setup'")
  await deps.liveConfig.refresh()
  await deps.ledger.setupTokens.create(hashSecret(SETUP_TOKEN), deps.now())
  return {}
}

/** Creates a mailed link whose token equals its name in braces. */
async function createMailedLink(
  purpose: 'reset' | 'confirm',
  { deps }: TestApp,
  account: TestAccount,
): Promise<Holdings> {
  const account_id = await accountIdOf(deps, account)
  const { mailedTokens } = deps.ledger
  const token_hash = hashSecret(`{${purpose}_token}`)
  if ((await mailedTokens.find(token_hash, purpose, deps.now())) === undefined) {
    const link = { account_id, purpose, token_hash, validMs: 864_000_000 }
    await mailedTokens.create(link, deps.now())
  }
  return {}
}

/** Returns the ID of the first key of an account. */
export async function keyIdOf({ deps }: TestApp, account: TestAccount): Promise<string> {
  const owner = {
    account_id: await accountIdOf(deps, account),
    today: dayOf(new Date(FROZEN_TIME)),
  }
  const [key] = (await deps.ledger.keys.list(owner)).rows
  if (key === undefined) throw new Error(`${account} has no key`)
  return key.id
}

/** Returns the ID of the least recently used session of an account. */
async function oldestSessionOf(testApp: TestApp, account: TestAccount): Promise<string> {
  const { deps } = testApp
  const list = async () => deps.ledger.sessions.list(await accountIdOf(deps, account))
  if ((await list()).length === 0) await testApp.createSession(account)
  return String((await list()).at(-1)?.id)
}

async function accountIdOf({ ledger }: TestApp['deps'], account: TestAccount): Promise<number> {
  return (await ledger.accounts.getByEmail(emailOf(account)))?.id ?? 0
}
