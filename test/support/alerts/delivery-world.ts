// Webhooks with pending messages, and their receivers.
import { randomBytes } from 'node:crypto'
import { SEND_TIMING, type SendTiming } from '#actions/alerts/message-worker.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { generateSigningSecret } from '#rules/alerts/webhook-signature.ts'
import { createTestApp, type TestAppOptions } from '../test-app.ts'
import { type ReceiverOptions, startReceiver } from './receivers.ts'

export type DeliveryWorld = Awaited<ReturnType<typeof createDeliveryWorld>>

/** Sends immediately what the normal schedule would send much later. */
export const FAST_TIMING: SendTiming = { ...SEND_TIMING, slowMs: 40, graceMs: 100 }

export async function createDeliveryWorld(options: TestAppOptions = {}) {
  const testApp = await createTestApp(options)
  const { ledger, now } = testApp.deps
  const closers: (() => unknown)[] = []
  const emails = new Map<number, string>()
  const plain = new Map<string, string>()
  let count = 0
  const auditContext = () => ({ now: now(), address: undefined })

  return {
    ...testApp,
    auditContext,
    /** Returns the signing secret of a webhook, as its owner has it. */
    secretOf: (watch: string) => plain.get(watch) ?? '',
    onClose: (close: () => unknown): void => void closers.push(close),
    receiver(receiver: ReceiverOptions = {}) {
      const opened = startReceiver(receiver)
      closers.push(opened.stop)
      return opened
    },
    async addAccount(tier: Tier = 'pro'): Promise<number> {
      const account = { email: `${++count}@watches.example`, password_hash: 'none', tier }
      const added = await ledger.accounts.create(account, auditContext())
      if (added === undefined) throw new Error('there is such an account')
      emails.set(added.id, added.email)
      return added.id
    },
    async putTier(account: number, tier: Tier): Promise<void> {
      await ledger.accounts.updateTier(emails.get(account) ?? '', tier, auditContext())
    },
    async addWebhook(account_id: number, url: string, card_id = 1): Promise<string> {
      const id = `wh_${String(++count).padStart(6, '0')}`
      const secret = generateSigningSecret(randomBytes)
      plain.set(id, secret)
      const watch = { id, account_id, url, card_id, printing: null, threshold: 500 }
      const sealed = testApp.deps.secrets.seal(secret, id)
      await ledger.webhooks.create(
        { ...watch, condition: 'above', secret: sealed },
        Number.MAX_SAFE_INTEGER,
        auditContext(),
      )
      return id
    },
    /** Creates pending messages of a webhook in this order. @returns their ids */
    async addAlerts(webhook_id: string, messages = 1, at = now()): Promise<string[]> {
      const alerts = Array.from({ length: messages }, () => {
        const id = messageId(Bun.randomUUIDv7())
        const card = { card_id: 1, card_name: id, condition: 'above', threshold: 500 } as const
        return {
          id,
          rule_id: webhook_id,
          body: formatAlertBody({ ...card, price: 600 }, at),
          created_at: +at,
        }
      })
      await ledger.relayedAlerts.relay(alerts, at)
      return alerts.map(({ id }) => id)
    },
    /** Returns a delivery with its attempts. */
    async getDelivery(watch: string, id: string) {
      const message = await ledger.messages.get(id, watch)
      if (message === undefined) throw new Error(`unknown delivery ${id}`)
      return { ...message, attempts: await ledger.messages.listAttempts(id, 100) }
    },
    async close(): Promise<void> {
      for (const close of closers.splice(0).reverse()) await close()
      testApp.close()
    },
  }
}
