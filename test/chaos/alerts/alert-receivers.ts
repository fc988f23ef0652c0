/** The receivers of an alert run. They fail in realistic ways, and check and store every request. */
import { Webhook } from 'standardwebhooks'
import { type Behavior, type Received, startReceiver } from '../../support/alerts/receivers.ts'
import type { Certificate } from '../../support/certificates.ts'
import {
  type AlertPlan,
  type PlannedWebhook,
  RECEIVERS,
  SECURE_RECEIVER,
  secretOf,
} from './alert-plan.ts'

/** A received request. Time is epoch milliseconds. */
export type AlertArrival = {
  id: string
  webhook: PlannedWebhook
  body: string
  at: number
  behavior: Behavior
  /** True if the sender gets a success. */
  isAccepted: boolean
  /** True if the receiver stored it, whatever the response was. */
  isKept: boolean
  /** The webhook's secret with which it is signed. */
  isSigned: { first: boolean; rotated: boolean }
}

export type AlertReceivers = ReturnType<typeof startAlertReceivers>

/** Maximum number of failures for one message, because there are only ten attempts. */
const FAULTS_MAX = 5

export function startAlertReceivers(
  { watches }: AlertPlan,
  random: () => number,
  tls: Certificate,
) {
  const arrivals: AlertArrival[] = []
  const strays: string[] = []
  const faults = new Map<string, number>()
  let listener: ((alertArrival: AlertArrival) => void) | undefined
  const watchAt = new Map(watches.map((watch) => [`/${watch.id}`, watch]))

  function behave(message: Omit<Received, 'isKept'>): Behavior {
    const { id, path, body, at } = message
    const watch = watchAt.get(path)
    if (watch === undefined) {
      strays.push(path)
      return 'ok'
    }
    const tries = faults.get(id) ?? 0
    const does = tries >= FAULTS_MAX ? 'ok' : behaviorAt(random())
    const isAccepted = accepts(does)
    if (!isAccepted) faults.set(id, tries + 1)
    const isKept = isAccepted || does === 'accept then fail'
    const isSigned = {
      first: isSignedBy(secretOf(watch, 'first'), message),
      rotated: isSignedBy(secretOf(watch, 'rotated'), message),
    }
    const arrival = { id, webhook: watch, body, at, behavior: does, isAccepted, isKept, isSigned }
    arrivals.push(arrival)
    listener?.(arrival)
    return does
  }

  const receivers = Array.from({ length: RECEIVERS }, (_, index) =>
    startReceiver(index === SECURE_RECEIVER ? { behave, tls } : { behave }),
  )
  return {
    urls: receivers.map(({ url }) => url),
    /** Every request to a webhook's URL, oldest first. */
    arrivals,
    /** Other requested paths. */
    strays,
    /** Reports each request before the response; only one listener at a time. */
    listen(to: ((arrival: AlertArrival) => void) | undefined): void {
      listener = to
    },
    close(): void {
      for (const receiver of receivers) receiver.stop()
    },
  }
}

/** About 45 % are failures, and some are unusual responses that count as success. */
const SHARES: readonly (readonly [share: number, does: Behavior])[] = [
  [0.27, 'fail'],
  [0.03, { busy: '0' }],
  [0.03, 'never'],
  [0.02, 'endless headers'],
  [0.1, 'accept then fail'],
  [0.02, 'cut'],
  [0.01, 'refuse'],
  // A closed port, which must not be contacted.
  [0.02, { moved: '/moved' }],
  [0.02, 'endless'],
  [0.02, 'cut within'],
  [0.03, { slow: 100 }],
  [0.1, 'ok with body'],
]

function behaviorAt(random: number): Behavior {
  let sum = 0
  for (const [share, does] of SHARES) {
    sum += share
    if (random < sum) return does
  }
  return 'ok'
}

function accepts(does: Behavior): boolean {
  if (typeof does === 'object') return 'slow' in does
  return ['ok', 'ok with body', 'endless', 'cut within'].includes(does)
}

/** Checked on arrival: a signature is valid for some minutes. */
function isSignedBy(secret: string, message: Omit<Received, 'isKept'>): boolean {
  const { id, timestamp, signature, body } = message
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  }
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
