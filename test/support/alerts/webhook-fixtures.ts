// Webhooks for tests that need one, and a receiver that accepts everything.
import { createWebhook } from '#actions/alerts/manage-rules.ts'
import type { LoginProvider } from '#outbound/accounts/login-provider.ts'
import type { Mailer } from '#outbound/mail/mailer.ts'
import type { WebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { RelayedAlert } from '#store/ledger/alerts/relayed-alerts.ts'
import {
  createTestApp,
  emailOf,
  FROZEN_TIME,
  type TestAccount,
  type TestApp,
  type TestAppOptions,
} from '../test-app.ts'

/** A webhook for a card of the sample with three printings, of which the most expensive costs $46.40. */
export const WEBHOOK_INPUT = {
  url: 'https://shop.example/alerts',
  card_id: 900401,
  condition: 'above',
  threshold: 19.99,
} as const

export const ALERT_BODY =
  '{"event":"price_alert","card_id":900401,"card_name":"T.S.V. Marigold","condition":"above","threshold":19.99,"current_price":46.4,"timestamp":"2026-11-15T21:00:00.000Z"}'

export type Post = Parameters<WebhookClient['post']>[0]

/** A receiver that accepts and stores everything, in about 12 ms each. */
export function acceptingClient() {
  const posts: Post[] = []
  const client: WebhookClient = {
    async post(message) {
      posts.push(message)
      return { status: 204, error: null, latency_ms: 12, retry_after_ms: 0, answer: null }
    },
  }
  return { ...client, posts }
}

/**
 * Creates an app whose messages all arrive and whose syncs and imports all start, with an account on Pro that has a webhook with
 * an alert.
 */
export async function createAlertTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const env = { UPSTREAM_URL: 'https://reader:secret@mirror.example/prices/', ...options.env }
  const clients = {
    webhookClient: acceptingClient(),
    loginProvider: FAKE_LOGIN_PROVIDER,
    mailer: FAKE_MAILER,
  }
  const testApp = await createTestApp({ ...clients, ...options, env })
  testApp.deps.triggers.sync.attach({ isRunning: () => false, start: () => {} })
  testApp.deps.triggers.history.attach({ isElsewhere: () => false, start: async () => {} })
  for (const testAccount of ['pro', 'starter'] as const) await getDeliveryId(testApp, testAccount)
  return testApp
}

/** Accepts every mail. */
const FAKE_MAILER: Mailer = { host: 'mail.example:587', send: async () => ({ kind: 'sent' }) }

/** A login provider that redirects everybody. */
const FAKE_LOGIN_PROVIDER: LoginProvider = {
  issuer: 'https://id.example',
  label: 'Example Login',
  begin: async () => ({
    url: 'https://id.example/authorize?client_id=cardstock',
    attempt: { state: 'state', nonce: 'nonce', verifier: 'verifier' },
  }),
  finish: async () => {
    throw new ServiceError('LOGIN_FAILED', 'Nobody can log in here.')
  },
}

/** Returns the ID of a user's first webhook; creates one if needed. */
export async function getWebhookId({ deps }: TestApp, testAccount: TestAccount): Promise<string> {
  const account_id = await getAccountId(deps, testAccount)
  const { rows } = await deps.ledger.webhooks.list({ account_id })
  const [first] = rows
  if (first !== undefined) return first.id
  const input = {
    ...WEBHOOK_INPUT,
    printing: undefined,
    choice: {},
    min_confidence: 'low',
  } as const
  const { webhook } = await createWebhook(deps, { account_id, address: 'test' }, input)
  return webhook.id
}

/** Returns the id of its oldest delivery; creates a pending alert if it has no delivery. */
export async function getDeliveryId(testApp: TestApp, testAccount: TestAccount): Promise<string> {
  const webhook_id = await getWebhookId(testApp, testAccount)
  const { rows } = await testApp.deps.ledger.messages.list(webhook_id, { limit: 1_000, offset: 0 })
  return rows.at(-1)?.id ?? (await addAlert(testApp, webhook_id)).id
}

let alerts = 0

/** Adds an alert of a webhook to the ledger, like the job that copies it from the catalog. */
export async function addAlert(
  { deps }: TestApp,
  webhook_id: string,
  at = FROZEN_TIME,
): Promise<RelayedAlert> {
  const id = `msg_${String(++alerts).padStart(32, '0')}`
  const made = { id, rule_id: webhook_id, body: ALERT_BODY, created_at: Date.parse(at) }
  await deps.ledger.relayedAlerts.relay([made], new Date(at))
  return made
}

async function getAccountId({ ledger }: Pick<TestApp['deps'], 'ledger'>, testAccount: TestAccount) {
  const account = await ledger.accounts.getByEmail(emailOf(testAccount))
  if (account === undefined) throw new Error(`${testAccount} has no account`)
  return account.id
}
