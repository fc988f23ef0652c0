// A process that sends what is due in a ledger, until it is killed.
import { createDeliveryWorker, DELIVERY_TIMING } from '#actions/alerts/send-deliveries.ts'
import { openLog } from '#log.ts'
import { openWebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { createSecretBox } from '#rules/primitives/secret-box.ts'
import { openLedger } from '#store/open-ledger.ts'

export type DeliveryTask = {
  dataDir: string
  secret: string
  /** Lease after which another process may send a delivery. */
  heldMs: number
}

// The task that startKillable passes.
const { dataDir, secret, heldMs } = JSON.parse(process.argv[2] ?? '') as DeliveryTask
const sending = createDeliveryWorker(
  {
    ledger: openLedger(dataDir),
    log: openLog('error'),
    now: () => new Date(),
    secrets: createSecretBox(secret, (bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
    webhookClient: openWebhookClient({ network: 'loopback-ok' }),
  },
  { ...DELIVERY_TIMING, leaseMs: heldMs },
)
for (;;) {
  await sending.tick()
  await Bun.sleep(20)
}
