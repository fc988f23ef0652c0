import { countOnes } from '../primitives/bits.ts'
import { type ClientNetworks, NETWORK_SHARES } from './client-networks.ts'
import { addToCounts, countLeft, type DailyLimit, type DayCounts } from './rate-limit.ts'
import type { VisitorAllowance, VisitorLimits, Volume } from './visitors.ts'

/** Maximum numbers of networks and cards that are remembered per day. */
export type VisitorMemory = {
  /** Networks of all widths, about 300 bytes each in memory. */
  networks: number
  /** Cards seen by clients. Each card is one bit; 32 consecutive ids share a count of about 100 bytes. */
  cards: number
}

/** The default total of 20,000 requests can reach 80,000 networks. */
const MEMORY: VisitorMemory = { networks: 200_000, cards: 500_000 }

/** Quantities that are counted per network. `reserved` requests are also part of `requests`. */
const QUANTITIES = ['requests', 'reserved', 'cards', 'records']

/**
 * Returns a function that applies the limits to the counts of a day for a client.
 *
 * Half of the total is reserved for clients with few requests today (`divideTotal`), and stays available when the
 * first half is used up. Each charge counts against one half.
 *
 * @param memory beyond it, new networks of the same width share one count, and a repeated card counts again: the
 * limits still hold, but are reached sooner
 */
export function createVisitorRules(
  { perClient, total }: Pick<VisitorLimits, 'perClient' | 'total'>,
  memory: VisitorMemory = MEMORY,
) {
  const shares = divideTotal(total)

  return (day: DayCounts, client: ClientNetworks) => {
    const read = (name: string) => day.get(name) ?? 0
    const areKept = read('networks') < memory.networks
    const networks = client.map(({ key, width }) => ({
      key: areKept || day.has(`requests ${key}`) ? key : OTHERS + width,
      width,
    }))
    const limitsOf = (quantity: keyof VisitorAllowance): DailyLimit[] =>
      networks.map(({ key, width }) => ({
        name: `${quantity} ${key}`,
        max: perClient[quantity] * NETWORK_SHARES[width],
      }))
    const requests = limitsOf('requests')
    const common: DailyLimit[] = [...requests, { name: 'common', max: shares.common }]
    const reserve: DailyLimit[] = [
      // Requests paid from the first half count, too: a client with more of them has no share of the reserve.
      ...requests.map(({ name, max }, at) => ({
        name,
        max: at === 0 ? Math.min(max, shares.reservePerNetwork) : max,
      })),
      ...networks.map(({ key, width }) => ({
        name: `reserved ${key}`,
        max: width === 'provider' ? shares.reservePerProvider : shares.reservePerNetwork,
      })),
      { name: 'reserved', max: shares.reserve },
    ]

    function remember(): void {
      const fresh = requests.filter(({ name }) => !day.has(name))
      for (const { name } of fresh) day.set(name, 0)
      day.set('networks', read('networks') + fresh.length)
    }

    return {
      /**
       * Counts requests if one half of the total and each network of the client have enough left.
       *
       * @returns the limits that count them, with which `addToCounts` can refund them on the same day; undefined if
       * there are too many
       */
      charge(credits: number): readonly DailyLimit[] | undefined {
        const limits = [common, reserve].find((half) => credits <= countLeft(day, half))
        if (limits === undefined) return undefined
        remember()
        addToCounts(day, limits, credits)
        return limits
      },
      /**
       * Counts the data of a response if every network has enough left. Otherwise counts nothing and returns false.
       */
      receive(volume: Volume): boolean {
        const fresh = [...findBits(client, volume.cards)].map(([name, bits]) => ({
          name,
          count: countOnes(bits & ~read(name)),
          bits: (bits | read(name)) >>> 0,
        }))
        const limits = { cards: limitsOf('cards'), records: limitsOf('records') }
        const cards = fresh.reduce((sum, { count }) => sum + count, 0)
        if (cards > countLeft(day, limits.cards)) return false
        if (volume.records > countLeft(day, limits.records)) return false
        remember()
        addToCounts(day, limits.cards, cards)
        addToCounts(day, limits.records, volume.records)
        for (const { name, count, bits } of fresh) {
          const seen = read('seen') + count
          if (count === 0 || seen > memory.cards) continue
          day.set(name, bits)
          day.set('seen', seen)
        }
        return true
      },
      /** Returns the requests that the client may still send at once. */
      remaining: () => Math.max(0, countLeft(day, common), countLeft(day, reserve)),
    }
  }
}

/** Lists the counts that the rules read or write for a client that receives cards. */
export function listCountNames(client: ClientNetworks, cards: readonly number[]): string[] {
  const keys = client.flatMap(({ key, width }) => [key, OTHERS + width])
  return [
    'common',
    'reserved',
    'networks',
    'seen',
    ...QUANTITIES.flatMap((quantity) => keys.map((key) => `${quantity} ${key}`)),
    ...findBits(client, cards).keys(),
  ]
}

/**
 * Divides the requests of a day. Half of them are reserved for clients with few requests today, once the other half
 * is used up. Each network gets so few of these that 200 networks use only half of them.
 */
export function divideTotal(total: number) {
  const reserve = Math.floor(total / 2)
  return {
    common: total - reserve,
    reserve,
    /** For an IPv4 /24 or an IPv6 /48, and for each client in it. */
    reservePerNetwork: Math.max(1, Math.floor(reserve / RESERVED_NETWORKS)),
    /** For an IPv4 /16 or an IPv6 /32. */
    reservePerProvider: Math.max(1, Math.floor(reserve / 4)),
  }
}

/** Number of new networks that the reserve serves. */
const RESERVED_NETWORKS = 400

/** Begins the key of networks that are not remembered; no address contains a space. */
const OTHERS = 'others: '

/** Returns the bits of the cards that a client sees, by the name of their count. */
function findBits([{ key }]: ClientNetworks, cards: readonly number[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const id of cards) {
    const name = `seen ${key} ${Math.floor(id / 32)}`
    found.set(name, (found.get(name) ?? 0) | (1 << (id % 32)))
  }
  return found
}
