import type { ClientNetworks, NetworkWidth } from './client-networks.ts'
import { divideTotal, type VisitorLimits, type Volume } from './visitors.ts'

/** Counts of visitors since midnight, or the part of them that concerns some clients. */
export type VisitorDay = {
  /** Requests that were taken from each half of the total. */
  common: number
  reserved: number
  /** Usage by the key of the network. */
  networks: Map<string, NetworkUsage>
  /** Number of networks of the whole day. */
  networkCount: number
  /** Ids of cards by the key of the client. */
  seen: Map<string, Set<number>>
  /** Number of cards in `seen` of the whole day. */
  seenCount: number
}

/** Counts of a network since midnight. They are replaced, never changed. */
export type NetworkUsage = {
  requests: number
  /** Requests that came from the reserve. They are counted in `requests`, too. */
  reserved: number
  /** New cards, summed over the clients of the network. */
  cards: number
  records: number
}

/** Requests that were taken from each half of the total. */
export type VisitorDraw = Pick<VisitorDay, 'common' | 'reserved'>

/** Limits of visitors, applied to the counts of a day. */
export type VisitorRules = {
  /** Takes requests if each network of the client and the total have enough left; else undefined. */
  charge(day: VisitorDay, client: ClientNetworks, credits: number): VisitorDraw | undefined
  /** Gives back what `charge` took on the same day. */
  refund(day: VisitorDay, client: ClientNetworks, drawn: VisitorDraw): void
  /** Counts the data of a response if each network may have it; false if not, and nothing is counted. */
  receive(day: VisitorDay, client: ClientNetworks, volume: Volume): boolean
  /** Returns the requests that the client may still send. */
  remaining(day: VisitorDay, client: ClientNetworks): number
}

/** Most networks and cards that are remembered in a day. */
export type VisitorMemory = {
  /** Networks of all widths, about 230 bytes each in memory. */
  networks: number
  /** Cards seen by clients, about 60 bytes each in memory. */
  cards: number
}

/** About 50 and 30 MB. The default total of 20,000 requests can reach 80,000 networks. */
const MEMORY: VisitorMemory = { networks: 200_000, cards: 500_000 }

/** Returns the counts at midnight. */
export function startVisitorDay(): VisitorDay {
  return {
    ...{ common: 0, reserved: 0 },
    ...{ networks: new Map(), networkCount: 0 },
    ...{ seen: new Map(), seenCount: 0 },
  }
}

/** Lists the keys in `VisitorDay.networks` that the rules read or write for a client. */
export function listUsageKeys(client: ClientNetworks): string[] {
  return client.flatMap(({ key, width }) => [key, OTHERS + width])
}

/**
 * Creates the rules from their limits.
 *
 * A client has its own limits, and its wider networks have multiples of them, so that one owner of many
 * addresses is limited like a few clients. Half of the total is reserved for clients that were hardly
 * seen today (`divideTotal`), and remains when others use up the first half.
 *
 * @param memory beyond it, new networks of a width share one counter, and a repeated card counts again:
 *   the limits hold, and are reached sooner
 */
export function createVisitorRules(
  { perClient, total }: Pick<VisitorLimits, 'perClient' | 'total'>,
  memory: VisitorMemory = MEMORY,
): VisitorRules {
  const shares = divideTotal(total)
  const { requests, cards, records } = perClient
  const { reservePerNetwork: reserved, reservePerProvider } = shares
  const limits: Record<NetworkWidth, NetworkUsage> = {
    client: { requests, cards, records, reserved },
    home: { requests: 2 * requests, cards: 2 * cards, records: 2 * records, reserved },
    site: { requests: 4 * requests, cards: 4 * cards, records: 4 * records, reserved },
    provider: { ...UNLIMITED, reserved: reservePerProvider },
  }

  /** Returns the key under which a network is counted. */
  function keyOf(day: VisitorDay, { key, width }: ClientNetworks[number]): string {
    const isKept = day.networks.has(key) || day.networkCount < memory.networks
    return isKept ? key : OTHERS + width
  }

  function usageOf(day: VisitorDay, network: ClientNetworks[number]): NetworkUsage {
    return day.networks.get(keyOf(day, network)) ?? UNUSED
  }

  function add(day: VisitorDay, client: ClientNetworks, change: Partial<NetworkUsage>): void {
    for (const network of client) {
      const key = keyOf(day, network)
      const usage = day.networks.get(key)
      if (usage === undefined) day.networkCount++
      day.networks.set(key, sumOf(usage ?? UNUSED, change))
    }
  }

  /** Returns how much of a quantity all networks of a client may still use. */
  function left(day: VisitorDay, client: ClientNetworks, quantity: keyof NetworkUsage): number {
    return Math.min(
      ...client.map((network) => limits[network.width][quantity] - usageOf(day, network)[quantity]),
    )
  }

  /** Returns the requests that a client may still send, from the first half of the total and from both. */
  function available(day: VisitorDay, client: ClientNetworks): { common: number; all: number } {
    const common = shares.common - day.common
    const own = usageOf(day, client[0]).requests
    const reserve = Math.min(
      shares.reserve - day.reserved,
      left(day, client, 'reserved'),
      // Clients that were seen more than this have no part in it.
      shares.reservePerNetwork - own - common,
    )
    return { common, all: Math.min(left(day, client, 'requests'), common + Math.max(0, reserve)) }
  }

  function take(day: VisitorDay, client: ClientNetworks, { common, reserved }: VisitorDraw): void {
    day.common += common
    day.reserved += reserved
    add(day, client, { requests: common + reserved, reserved })
  }

  function remember(day: VisitorDay, client: string, ids: ReadonlySet<number>): void {
    const seen = day.seen.get(client) ?? new Set<number>()
    for (const id of ids) {
      if (day.seenCount >= memory.cards) break
      if (seen.has(id)) continue
      seen.add(id)
      day.seenCount++
    }
    if (seen.size > 0) day.seen.set(client, seen)
  }

  return {
    charge(day, client, credits) {
      const { common, all } = available(day, client)
      if (credits > all) return undefined
      const fromCommon = Math.min(credits, common)
      const drawn = { common: fromCommon, reserved: credits - fromCommon }
      take(day, client, drawn)
      return drawn
    },
    refund: (day, client, { common, reserved }) =>
      take(day, client, { common: -common, reserved: -reserved }),
    receive(day, client, { cards: listed, records }) {
      const [{ key }] = client
      const ids = new Set(listed)
      const cards = [...ids].filter((id) => day.seen.get(key)?.has(id) !== true).length
      if (cards > left(day, client, 'cards') || records > left(day, client, 'records')) return false
      add(day, client, { cards, records })
      remember(day, key, ids)
      return true
    },
    remaining: (day, client) => Math.max(0, available(day, client).all),
  }
}

function sumOf(usage: NetworkUsage, change: Partial<NetworkUsage>): NetworkUsage {
  const { requests = 0, reserved = 0, cards = 0, records = 0 } = change
  return {
    requests: usage.requests + requests,
    reserved: usage.reserved + reserved,
    cards: usage.cards + cards,
    records: usage.records + records,
  }
}

const UNUSED: NetworkUsage = { requests: 0, reserved: 0, cards: 0, records: 0 }

const UNLIMITED = {
  requests: Number.POSITIVE_INFINITY,
  cards: Number.POSITIVE_INFINITY,
  records: Number.POSITIVE_INFINITY,
}

/** Begins the key of the networks that are not remembered; no address contains a space. */
const OTHERS = 'others: '
