// A process that sends what is due in a ledger, until it is killed.
import { openSending, PACE } from '#actions/alerts/send-deliveries.ts'
import { openLog } from '#log.ts'
import { openWebhookDoor } from '#outbound/webhooks/webhook-client.ts'
import { openSecretBox } from '#rules/primitives/secret-box.ts'
import { openLedger } from '#store/index.ts'

export type SenderTask = {
  dataDir: string
  secret: string
  /** What it has longer than this somebody else may send. */
  heldMs: number
}

// What startVictim is given by the tests of sending.
const { dataDir, secret, heldMs } = JSON.parse(process.argv[2] ?? '') as SenderTask
const sending = openSending(
  {
    ledger: openLedger(dataDir),
    log: openLog('error'),
    now: () => new Date(),
    secrets: openSecretBox(secret, (bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
    webhookDoor: openWebhookDoor({ network: 'loopback-ok' }),
  },
  { ...PACE, heldMs },
)
for (;;) {
  await sending.pump()
  await Bun.sleep(20)
}
