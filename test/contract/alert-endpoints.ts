import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { addPrinting } from '#rules/alerts/alert-message.ts'
import { FROZEN_TIME, type TestAccount, type TestApp } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import type { CollectionEndpoint } from './collection-endpoints.ts'
import type { Call } from './endpoints.ts'

/** An endpoint for price alerts of people, which a key or a session may call. */
export type AlertEndpoint = CollectionEndpoint

const ID = { id: 'string' } as const
const ALERT = '/v1/alerts/{id}'
const BAD_IDS = ['x'.repeat(101), 'a%00b', '%ff']

/** The card of the alert that tests hold, at or above a price. */
const ALERT_INPUT = { card_id: 900401, condition: 'above', threshold: 19.99 } as const

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
    parameters: { card_id: 'integer' },
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
]

/** Objects that the paths of endpoints name. */
export type HeldAlerts = { alert: string }

/** Creates a price alert that has alerted. */
export async function createHeldAlerts(
  { client, createSession, deps }: TestApp,
  account: TestAccount,
): Promise<HeldAlerts> {
  const by = { session: await createSession(account) }
  const created = await client.post<{ id: string }>('/v1/alerts', ALERT_INPUT, by)
  const alert = created.body.data.id
  await relayAlert(deps, alert, `msg_${'1'.repeat(32)}`)
  return { alert }
}

/** Stores an alert, as the job does that finds it in the catalog. */
export async function relayAlert(
  { ledger }: Pick<TestApp['deps'], 'ledger'>,
  alert_id: string,
  id: string,
): Promise<void> {
  const body =
    '{"event":"price_alert","card_id":900401,"card_name":"T.S.V. Marigold","condition":"above","threshold":19.99,"current_price":46.4,"timestamp":"2026-11-15T21:00:00.000Z"}'
  await ledger.notifications.relay(
    [{ id, alert_id, body, created_at: Date.parse(FROZEN_TIME) }],
    addPrinting,
  )
}

/** Calls an endpoint for what an account holds. */
export function callAlert(
  { client }: Pick<TestApp, 'client'>,
  { method, sample, path: template }: AlertEndpoint,
  { held, made = sample, ...ask }: TestRequestOptions & { held: HeldAlerts; made?: Call },
): Promise<TestResponse<Row>> {
  const id = template.startsWith(ALERT) ? held.alert : ''
  const json = made.json === undefined ? {} : { json: made.json }
  return client.ask(method, made.path.replace('{id}', id), { ...json, ...ask })
}

/** Rows for test.each: method and path first. */
export function namedAlert(): [string, AlertEndpoint][] {
  return ALERT_ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
}
