import {
  type ClientNetwork,
  type ClientNetworks,
  listNetworks,
  type NetworkWidth,
} from '#rules/accounts/client-networks.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { divideTotal, type VisitorLimits, type Volume } from '#rules/accounts/visitors.ts'
import { nextMidnight } from '#rules/primitives/days.ts'

/** Quota of visitors, by network and UTC day. */
export type VisitorQuota = {
  /** Returns the quota of one request from a client address. */
  open(address: string): VisitorRequest
}

/** Quota of a client, as one request uses it. */
export type VisitorRequest = {
  /** Charges requests if each network of the client and the total have enough left. */
  charge(credits: number, now: Date): { isAllowed: boolean; quota: Quota }
  /** Refunds what `charge` took, by the quota that it returned. A charge of an earlier day is ignored. */
  refund(charged: Pick<Quota, 'daily_reset'>, now: Date): Quota
  /** Counts the data of a response if each network may have it; false if not, and nothing is counted. */
  receive(volume: Volume, now: Date): boolean
  get(now: Date): Quota
}

/**
 * Creates the counters of visitors, in memory. They begin at zero with the process and with each day.
 *
 * A client has its own limits, and its wider networks have multiples of them, so that one owner of many
 * addresses is limited like a few clients. Half of the total is reserved for clients that were hardly
 * seen today (`divideTotal`), and remains when others use up the first half.
 *
 * @param memory most networks and cards that are remembered. Beyond it, new networks of a width share
 *   one counter, and a repeated card counts again: the limits hold, and are reached sooner
 */
export function createVisitorQuota(
  { perClient, total }: Pick<VisitorLimits, 'perClient' | 'total'>,
  memory: VisitorMemory = MEMORY,
): VisitorQuota {
  const shares = divideTotal(total)
  const { requests, cards, records } = perClient
  const { reservePerNetwork: reserved, reservePerProvider } = shares
  const limits: Record<NetworkWidth, NetworkUsage> = {
    client: { requests, cards, records, reserved },
    home: { requests: 2 * requests, cards: 2 * cards, records: 2 * records, reserved },
    site: { requests: 4 * requests, cards: 4 * cards, records: 4 * records, reserved },
    provider: { ...UNLIMITED, reserved: reservePerProvider },
  }
  let today = startDay('')

  function at(now: Date): VisitorDay {
    const reset = nextMidnight(now)
    if (today.reset !== reset) today = startDay(reset)
    return today
  }

  /** Returns the counters of a network. Those of a new one are stored by `add`. */
  function usageOf({ key, width }: ClientNetwork): NetworkUsage {
    const { networks } = today
    const known = networks.get(key)
    if (known !== undefined || networks.size < memory.networks) return known ?? UNUSED
    return networks.get(OTHERS + width) ?? UNUSED
  }

  function add({ key, width }: ClientNetwork, change: NetworkUsage): void {
    const { networks } = today
    const isKept = networks.has(key) || networks.size < memory.networks
    const stored = isKept ? key : OTHERS + width
    const usage = networks.get(stored) ?? UNUSED
    networks.set(stored, {
      requests: usage.requests + change.requests,
      reserved: usage.reserved + change.reserved,
      cards: usage.cards + change.cards,
      records: usage.records + change.records,
    })
  }

  /** Returns how much of a quantity all networks of a client may still use. */
  function left(client: ClientNetworks, quantity: keyof NetworkUsage): number {
    return Math.min(
      ...client.map((network) => limits[network.width][quantity] - usageOf(network)[quantity]),
    )
  }

  /** Returns the requests that a client may still send, from either half of the total. */
  function remaining(client: ClientNetworks): { common: number; all: number } {
    const common = shares.common - today.common
    const own = usageOf(client[0]).requests
    const reserve = Math.min(
      shares.reserve - today.reserved,
      left(client, 'reserved'),
      // Clients that were seen more than this have no part in it.
      shares.reservePerNetwork - own - common,
    )
    return { common, all: Math.min(left(client, 'requests'), common + Math.max(0, reserve)) }
  }

  function take(client: ClientNetworks, { common, reserved }: Draw): void {
    today.common += common
    today.reserved += reserved
    const change = { ...UNUSED, requests: common + reserved, reserved }
    for (const network of client) add(network, change)
  }

  /** Returns the cards that a client has not seen today, and remembers them. */
  function countNewCards(client: string, ids: ReadonlySet<number>): number {
    const seen = today.seen.get(client)
    return seen === undefined ? ids.size : [...ids].filter((id) => !seen.has(id)).length
  }

  function remember(client: string, ids: ReadonlySet<number>): void {
    const seen = today.seen.get(client) ?? new Set<number>()
    for (const id of ids) {
      if (today.pairs >= memory.cards) break
      if (seen.has(id)) continue
      seen.add(id)
      today.pairs++
    }
    if (seen.size > 0) today.seen.set(client, seen)
  }

  return {
    open(address) {
      const client = listNetworks(address)
      const name = client[0].key
      let drawn: Draw = { common: 0, reserved: 0 }

      function quota(): Quota {
        const daily_remaining = Math.max(0, remaining(client).all)
        return { daily_limit: perClient.requests, daily_remaining, daily_reset: today.reset }
      }

      return {
        charge(credits, now) {
          at(now)
          const { common, all } = remaining(client)
          const isAllowed = credits <= all
          if (isAllowed) {
            const fromCommon = Math.min(credits, common)
            drawn = { common: fromCommon, reserved: credits - fromCommon }
            take(client, drawn)
          }
          return { isAllowed, quota: quota() }
        },
        refund(charged, now) {
          at(now)
          if (charged.daily_reset === today.reset) {
            take(client, { common: -drawn.common, reserved: -drawn.reserved })
          }
          drawn = { common: 0, reserved: 0 }
          return quota()
        },
        receive(volume, now) {
          at(now)
          const ids = new Set(volume.cards)
          const cards = countNewCards(name, ids)
          const { records } = volume
          if (cards > left(client, 'cards') || records > left(client, 'records')) return false
          for (const network of client) add(network, { ...UNUSED, cards, records })
          remember(name, ids)
          return true
        },
        get(now) {
          at(now)
          return quota()
        },
      }
    },
  }
}

export type VisitorMemory = {
  /** Networks of all widths, about 230 bytes each. */
  networks: number
  /** Cards seen by clients, about 60 bytes each. */
  cards: number
}

/** About 50 and 30 MB. The default total of 20,000 requests can reach 80,000 networks. */
const MEMORY: VisitorMemory = { networks: 200_000, cards: 500_000 }

/** Counts of a network since midnight. */
type NetworkUsage = {
  requests: number
  /** Requests that came from the reserve. They are counted in `requests`, too. */
  reserved: number
  /** New cards, summed over the clients of the network. */
  cards: number
  records: number
}

const UNUSED: NetworkUsage = { requests: 0, reserved: 0, cards: 0, records: 0 }

const UNLIMITED = {
  requests: Number.POSITIVE_INFINITY,
  cards: Number.POSITIVE_INFINITY,
  records: Number.POSITIVE_INFINITY,
}

/** Begins the key of the networks that are not remembered; no address contains a space. */
const OTHERS = 'others: '

/** Requests that were taken from each half of the total. */
type Draw = { common: number; reserved: number }

type VisitorDay = {
  reset: string
  networks: Map<string, NetworkUsage>
  /** Cards by client. */
  seen: Map<string, Set<number>>
  /** Number of cards in `seen`. */
  pairs: number
  common: number
  reserved: number
}

function startDay(reset: string): VisitorDay {
  return { reset, networks: new Map(), seen: new Map(), pairs: 0, common: 0, reserved: 0 }
}
