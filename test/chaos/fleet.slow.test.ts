// A fleet under faults: servers that die, hang or lose the lead, a bucket and a database that become unavailable,
// damaged files, a wrong clock. `bun run chaos fleet [MINUTES]` runs it at full size; FUZZ_SEED=… repeats the order
// of the faults, not the times.
import { describe, expect, test } from 'bun:test'
import { CHAOS_SIZE, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { HAS_S3 } from '../support/snapshots/s3-server.ts'
import { startAlerts } from './fleet/alerts.ts'
import { startClients } from './fleet/clients.ts'
import type { Fault } from './fleet/fault.ts'
import { countPublications, findPublicationFaults } from './fleet/publication-audit.ts'
import { SERVER_FAULTS } from './fleet/server-faults.ts'
import { SUPPLY_FAULTS } from './fleet/supply-faults.ts'
import { openWorld } from './fleet/world.ts'

const MINUTES = Number(process.env.CARDSTOCK_CHAOS_MINUTES || 60)

/** The quickest faults, for the short run. */
const SHORT = ['leader overtaken']

/** Selects faults of a full run by name, to try them alone. */
const ONLY = process.env.CARDSTOCK_CHAOS_FAULTS?.split(',')

/** Pause of a client between two requests, because other tests run beside a short run. */
const PAUSE_MS = sizedFor(40, 1)

/** Maximum time in milliseconds until another server leads. A machine that runs the whole check is slower. */
const HANDOVER_MS_MAX = sizedFor(150_000, 45_000)

const closers = closeAfterEach()

describe.skipIf(!HAS_S3 || !HAS_POSTGRES)('a fleet under faults', () => {
  test(
    'never goes back, publishes each version once, and recovers',
    async () => {
      const started = performance.now()
      const world = await openWorld(closers)
      const customer = await world.fleet.createAccount({ tier: 'business' })
      const alerts = await startAlerts(world)
      const random = randomFrom(SEED + 1)
      const clients = startClients(world, { key: customer.key, random, pauseMs: PAUSE_MS })
      const handovers: number[] = []
      const onHandover = (ms: number) => void handovers.push(Math.round(ms))
      const done: Record<string, number> = {}
      const isOver = () => performance.now() - started > MINUTES * 60_000
      for (const { name, run, chance } of listFaults()) {
        if (CHAOS_SIZE === 'full' && isOver()) break
        const began = performance.now()
        const before = { ...clients.counts }
        const served = await run({ world, chance, onHandover })
        await world.reviveAll()
        await world.whenServed(served)
        await clients.compareChanges()
        done[name] = (done[name] ?? 0) + 1
        const ms = Math.round(performance.now() - began)
        console.info(JSON.stringify({ fault: name, ms, answers: subtract(clients.counts, before) }))
        const faults = [...clients.faults, ...(await findPublicationFaults(world.fleet.ledgerUrl))]
        expect({ seed: SEED, after: name, faults }).toEqual({ seed: SEED, after: name, faults: [] })
      }
      const faults = [...(await alerts.findFaults()), ...clients.faults]
      await clients.stop()
      await alerts.stop()
      const publications = await countPublications(world.fleet.ledgerUrl)
      const handover_ms_max = Math.max(0, ...handovers)
      const { counts: answers } = clients
      const report = { faults: done, answers, publications, alerts: alerts.received.size }
      console.info(JSON.stringify({ fleet: { seed: SEED, ...report, handover_ms_max } }))
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] })
      expect(answers[200]).toBeGreaterThan(500)
      expect(handover_ms_max).toBeLessThan(HANDOVER_MS_MAX)
    },
    sizedFor(300_000, (MINUTES + 15) * 60_000),
  )
})

/** Yields the faults of a short run, or all faults in random orders, each with a random number. */
function* listFaults(): Generator<Fault & { chance: number }> {
  const random = randomFrom(SEED)
  const chosen = CHAOS_SIZE === 'full' ? ONLY : SHORT
  const faults = [...SERVER_FAULTS, ...SUPPLY_FAULTS].filter(
    ({ name }) => chosen?.includes(name) ?? true,
  )
  do {
    const drawn = faults.map((fault) => ({ fault, place: random(), chance: random() }))
    for (const { fault, chance } of drawn.sort((a, b) => a.place - b.place)) {
      yield { ...fault, chance }
    }
  } while (CHAOS_SIZE === 'full' && ONLY === undefined)
}

function subtract(counts: Record<string, number>, before: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(counts).map(([kind, n]) => [kind, n - (before[kind] ?? 0)]),
  )
}
