// Alerts of a cluster: publications on one side, a receiver on the other.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { startReceiver } from '../../support/alerts/receivers.ts'
import { ALERT_BODY } from '../../support/alerts/webhook-fixtures.ts'

export type ClusterAlerts = {
  /** Ids of the published alerts. */
  published: string[]
  /** How often each id was received. */
  received: Map<string, number>
  stop(): Promise<void>
}

/** Publishes an alert every 50 ms, and receives the messages. */
export async function startAlerts(
  dataDir: string,
  createWebhook: (url: string) => Promise<string>,
): Promise<ClusterAlerts> {
  const received = new Map<string, number>()
  const published: string[] = []
  const receiver = startReceiver({
    behave({ id }) {
      received.set(id, (received.get(id) ?? 0) + 1)
      return 'ok'
    },
  })
  const url = `${receiver.url}/`
  const webhooks = await Promise.all(Array.from({ length: WEBHOOKS }, () => createWebhook(url)))
  const catalog = openDatabase(join(dataDir, 'catalog.db'), { busyTimeoutMs: 10_000 })
  const insert = catalog.prepare(
    'INSERT INTO alert_outbox (id, rule_id, body, created_at) VALUES (?, ?, ?, ?)',
  )
  const next = catalog.prepare('UPDATE publication SET version = version + 1')
  let isStopped = false

  async function publish(): Promise<void> {
    while (!isStopped) {
      const id = `msg_${randomUUID().replaceAll('-', '')}`
      catalog.transaction(() => {
        insert.run(id, webhooks[published.length % WEBHOOKS], ALERT_BODY, Date.now())
        next.run()
      })()
      published.push(id)
      await Bun.sleep(50)
    }
  }

  const publishing = publish()
  return {
    published,
    received,
    async stop() {
      isStopped = true
      await publishing
      const late = performance.now() + ARRIVAL_MS
      while (published.some((id) => !received.has(id)) && performance.now() < late) {
        await Bun.sleep(50)
      }
      catalog.close()
      receiver.stop()
    },
  }
}

const WEBHOOKS = 5

/** Leases of a killed sender last for minutes. */
const ARRIVAL_MS = 300_000
