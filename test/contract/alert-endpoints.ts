import { targetContext } from '#actions/alerts/send-message.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { CHANNEL_KINDS } from '#rules/alerts/channel-kinds.ts'
import { acceptingClient } from '../support/alerts/webhook-fixtures.ts'
import { emailOf, FROZEN_TIME, type TestAccount, type TestApp } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import type { Call } from './endpoints.ts'
import type { OwnedEndpoint } from './owned-endpoints.ts'

/** An endpoint for price alerts of people, which a key or a session may call. */
export type AlertEndpoint = OwnedEndpoint

const ID = { id: 'string' } as const
const ALERT = '/v1/alerts/{id}'
const CHANNEL = '/v1/channels/{id}'
const BAD_IDS = ['x'.repeat(101), 'a%00b', '%ff']

/** The card of the alert that tests hold, at or above a price. */
const ALERT_INPUT = { card_id: 900401, condition: 'above', threshold: 19.99 } as const

/** A webhook of a chat. */
const CHANNEL_INPUT = { kind: 'discord', address: 'https://discord.example/api/1/x' } as const

function atId(path: string): readonly (Call & { names: string })[] {
  return BAD_IDS.map((id) => ({ path: path.replace('{id}', id), names: 'id' }))
}

export const ALERT_ENDPOINTS: readonly AlertEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/alerts',
    access: 'key or session',
    parameters: {},
    body: {
      card_id: 'integer',
      condition: ALERT_CONDITIONS,
      threshold: 'number',
      printing: 'string',
      currency: 'string',
      source: 'string',
    },
    bodyRequired: ['card_id', 'condition', 'threshold'],
    status: 201,
    refusals: [404, 409],
    sample: { path: '/v1/alerts', json: ALERT_INPUT },
    malformed: [
      { json: { ...ALERT_INPUT, card_id: 0 }, names: 'card_id' },
      { json: { ...ALERT_INPUT, condition: 'equal' }, names: 'condition' },
      { json: { ...ALERT_INPUT, threshold: 0 }, names: 'threshold' },
      { json: { ...ALERT_INPUT, threshold: 0.011 }, names: 'threshold' },
      { json: { ...ALERT_INPUT, threshold: '1' }, names: 'threshold' },
      { json: { ...ALERT_INPUT, printing: 'Gold' }, names: 'printing' },
    ].map((call) => ({ path: '/v1/alerts', ...call })),
    golden: 'new-alert',
  },
  {
    method: 'GET',
    path: '/v1/alerts',
    access: 'key or session',
    parameters: { card_id: 'integer', page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/alerts' },
    malformed: [{ path: '/v1/alerts?card_id=x', names: 'card_id' }],
    golden: 'alerts',
  },
  {
    method: 'GET',
    path: ALERT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: ALERT },
    malformed: atId(ALERT),
    golden: 'alert',
  },
  {
    method: 'PATCH',
    path: ALERT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { condition: ALERT_CONDITIONS, threshold: 'number', is_paused: 'boolean' },
    needsOne: true,
    status: 200,
    refusals: [404],
    sample: { path: ALERT, json: { threshold: 25, is_paused: true } },
    malformed: [
      ...BAD_IDS.map((id) => {
        return { path: `/v1/alerts/${id}`, json: { is_paused: true }, names: 'id' }
      }),
      ...[
        { json: {}, names: 'condition' },
        { json: { condition: 'equal' }, names: 'condition' },
        { json: { threshold: -1 }, names: 'threshold' },
        { json: { is_paused: 1 }, names: 'is_paused' },
      ].map((call) => ({ path: ALERT, ...call })),
    ],
    golden: 'changed-alert',
  },
  {
    method: 'DELETE',
    path: ALERT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: ALERT },
    malformed: atId(ALERT),
    golden: 'deleted-alert',
  },
  {
    method: 'GET',
    path: '/v1/notifications',
    access: 'key or session',
    parameters: { page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/notifications' },
    malformed: [{ path: '/v1/notifications?page=0', names: 'page' }],
    golden: 'notifications',
  },
  {
    method: 'POST',
    path: '/v1/notifications/read',
    access: 'key or session',
    parameters: {},
    body: { up_to: 'string' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/notifications/read', json: {} },
    malformed: [{ path: '/v1/notifications/read', json: { up_to: 1 }, names: 'up_to' }],
    golden: 'read-notifications',
  },
  {
    method: 'POST',
    path: '/v1/channels',
    access: 'key or session',
    parameters: {},
    body: { kind: CHANNEL_KINDS, address: 'string', token: 'string', keys: undefined },
    bodyRequired: ['kind', 'address'],
    status: 201,
    refusals: [409, 429],
    sample: { path: '/v1/channels', json: CHANNEL_INPUT },
    malformed: [
      { json: { ...CHANNEL_INPUT, kind: 'fax' }, names: 'kind' },
      { json: { kind: 'email', address: 'ada' }, names: 'address' },
      { json: { kind: 'ntfy', address: 'https://ntfy.example/' }, names: 'address' },
      { json: { ...CHANNEL_INPUT, kind: 'push' }, names: 'keys' },
      { json: { ...CHANNEL_INPUT, address: 'http://10.1.2.3/x' }, names: 'private network' },
    ].map((call) => ({ path: '/v1/channels', ...call })),
    golden: 'new-channel',
  },
  {
    method: 'GET',
    path: '/v1/channels',
    access: 'key or session',
    parameters: { page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/channels' },
    malformed: [{ path: '/v1/channels?page=0', names: 'page' }],
    golden: 'channels',
  },
  {
    method: 'PATCH',
    path: CHANNEL,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { is_paused: 'boolean' },
    bodyRequired: ['is_paused'],
    status: 200,
    refusals: [404],
    sample: { path: CHANNEL, json: { is_paused: true } },
    malformed: [
      ...BAD_IDS.map((id) => {
        return { path: `/v1/channels/${id}`, json: { is_paused: true }, names: 'id' }
      }),
      { path: CHANNEL, json: {}, names: 'is_paused' },
    ],
    golden: 'changed-channel',
  },
  {
    method: 'DELETE',
    path: CHANNEL,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: CHANNEL },
    malformed: atId(CHANNEL),
    golden: 'deleted-channel',
  },
  {
    method: 'POST',
    path: `${CHANNEL}/test`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404, 409, 429],
    sample: { path: `${CHANNEL}/test` },
    malformed: atId(`${CHANNEL}/test`),
    golden: 'test-channel',
  },
  {
    method: 'POST',
    path: `${CHANNEL}/confirmation`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 202,
    refusals: [404, 409, 429],
    sample: { path: `${CHANNEL}/confirmation` },
    malformed: atId(`${CHANNEL}/confirmation`),
    golden: 'channel-confirmation',
  },
  {
    method: 'GET',
    path: '/v1/alert-preferences',
    access: 'key or session',
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/alert-preferences' },
    malformed: [],
    golden: 'alert-preferences',
  },
  {
    method: 'PATCH',
    path: '/v1/alert-preferences',
    access: 'key or session',
    parameters: {},
    body: { digest_hour: ['integer', 'null'] },
    bodyRequired: ['digest_hour'],
    status: 200,
    refusals: [],
    sample: { path: '/v1/alert-preferences', json: { digest_hour: 7 } },
    malformed: [{ path: '/v1/alert-preferences', json: { digest_hour: 24 }, names: 'digest_hour' }],
    golden: 'changed-alert-preferences',
  },
]

/** Objects that the paths of endpoints name; `email` is a channel that is not confirmed. */
export type HeldAlerts = { alert: string; channel: string; email: string }

/** Settings and clients of an app whose channels work. */
export const ALERT_APP = {
  env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'cards@shop.example' },
  get webhookClient() {
    return acceptingClient()
  },
}

/** Creates a price alert that has alerted. */
export async function createHeldAlerts(
  { client, createSession, deps }: TestApp,
  account: TestAccount,
): Promise<HeldAlerts> {
  const by = { session: await createSession(account) }
  const created = await client.post<{ id: string }>('/v1/alerts', ALERT_INPUT, by)
  const alert = created.body.data.id
  await relayAlert(deps, alert, `msg_${'1'.repeat(32)}`)
  const channel = await createHeldChannel(deps, account, 'slack')
  return { alert, channel, email: await createHeldChannel(deps, account, 'email') }
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

/** Stores an alert, as the job does that finds it in the catalog. */
export async function relayAlert(
  { ledger }: Pick<TestApp['deps'], 'ledger'>,
  alert_id: string,
  id: string,
): Promise<void> {
  const body =
    '{"event":"price_alert","card_id":900401,"card_name":"T.S.V. Marigold","condition":"above","threshold":19.99,"current_price":46.4,"timestamp":"2026-11-15T21:00:00.000Z"}'
  await ledger.relayedAlerts.relay(
    [{ id, rule_id: alert_id, body, created_at: Date.parse(FROZEN_TIME) }],
    new Date(FROZEN_TIME),
  )
}

/** Calls an endpoint for what an account holds. */
export function callAlert(
  { client }: Pick<TestApp, 'client'>,
  { method, sample, path: template }: AlertEndpoint,
  { held, made = sample, ...options }: TestRequestOptions & { held: HeldAlerts; made?: Call },
): Promise<TestResponse<Row>> {
  const isMail = template.endsWith('/confirmation')
  const id = template.startsWith(ALERT) ? held.alert : isMail ? held.email : held.channel
  const json = made.json === undefined ? {} : { json: made.json }
  return client.request(method, made.path.replace('{id}', id), { ...json, ...options })
}

/** Rows for test.each: method and path first. */
export function namedAlert(): [string, AlertEndpoint][] {
  return ALERT_ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
}
