// Alerts of a fleet: each publication moves a price across the threshold of one of two webhooks.
import { startReceiver } from '../../support/alerts/receivers.ts'
import { PRICED } from '../../support/snapshots/fleet.ts'
import { isAbove, publicationOf, THRESHOLD, type World } from './world.ts'

export type FleetAlerts = {
  received: Map<string, Alert>
  /** Waits for the alert of the last change. @returns alerts that are lost, or belong to an unpublished change */
  findFaults(): Promise<string[]>
  stop(): void
}

type Alert = { publication: number; isAbove: boolean }

type Body = { condition: 'above' | 'below'; current_price: number }

/** Creates the webhooks, and receives their messages. */
export async function startAlerts(world: World): Promise<FleetAlerts> {
  const received = new Map<string, Alert>()
  const receiver = startReceiver({
    behave({ id, body }) {
      const { condition, current_price } = JSON.parse(body) as Body
      received.set(id, {
        publication: publicationOf(current_price),
        isAbove: condition === 'above',
      })
      return 'ok'
    },
  })
  const [origin = ''] = world.urls()
  for (const condition of ['above', 'below']) {
    const url = `${receiver.url}/${condition}`
    const response = await fetch(`${origin}/v1/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie: world.operator.cookie },
      body: JSON.stringify({ url, card_id: PRICED.card, condition, threshold: THRESHOLD }),
    })
    if (response.status !== 201) throw new Error(`no webhook: ${await response.text()}`)
  }
  const inOrder = () => [...received.values()].sort((a, b) => a.publication - b.publication)
  const isComplete = () => inOrder().at(-1)?.isAbove === isAbove(world.published())

  return {
    received,
    async findFaults() {
      for (const late = performance.now() + ARRIVAL_MS; performance.now() < late; ) {
        if (isComplete()) break
        await Bun.sleep(100)
      }
      const alerts = inOrder()
      const lost = isComplete() ? [] : [`no alert of publication ${world.published()}`]
      return alerts
        .flatMap((alert, index) => {
          const before = alerts[index - 1]
          return before?.isAbove === alert.isAbove
            ? [`alerts of ${before.publication} and ${alert.publication}: both ${alert.isAbove}`]
            : []
        })
        .concat(lost)
    },
    stop: receiver.stop,
  }
}

/** Leases of a killed sender last for minutes. */
const ARRIVAL_MS = 300_000
