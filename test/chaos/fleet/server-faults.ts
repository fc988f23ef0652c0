// Faults of servers: killed, hanging, no longer leading, with a wrong clock.

import { CLOCK_SHIFT } from '../ledger/cluster.ts'
import { atStep, type Fault, type FaultInput, handOver, until } from './fault.ts'
import type { Hold } from './hold.ts'
import { endLease } from './publication-audit.ts'
import { HAS_CLOCK_SHIFTER, NAMES, type Name, type World } from './world.ts'

async function killLeader({ world, onHandover }: FaultInput): Promise<string> {
  const leader = await world.findLeader()
  await world.kill(leader)
  return handOver(world, leader, onHandover)
}

/** Killed while a version is published: it starts with the previous version or none. */
async function killFollower({ world, chance }: FaultInput): Promise<string> {
  const name = await world.publish()
  await world.kill(await world.findFollower())
  // Longer than the others wait for it, so they continue without it.
  if (chance < 0.5) await world.whenServed(name)
  return name
}

/** Hangs while the others switch to a version, and resumes with the previous one, or a moment after switching. */
const pauseFollower =
  (moment: 'at a takeover' | 'later') =>
  async ({ world }: FaultInput): Promise<string> => {
    const follower = await world.findFollower()
    if (moment === 'at a takeover') {
      const count = world.countLogged(follower, TAKEN_OVER)
      await world.publish()
      while (world.countLogged(follower, TAKEN_OVER) === count) await Bun.sleep(5)
    }
    world.pause(follower)
    const name = await world.publish()
    await world.whenServed(name)
    world.resume(follower)
    return name
  }

const TAKEN_OVER = '"event":"version taken over"'

const STEPS = [
  'before the upload',
  'after the upload',
  'before the transaction',
  'before the commit',
  'after the commit',
] as const
type Step = (typeof STEPS)[number]

/** The leader hangs at a step of a publication, and resumes after another server leads or has published. */
const pauseLeader =
  (step: Step) =>
  async ({ world, chance, onHandover }: FaultInput): Promise<string> => {
    const leader = await world.findLeader()
    const hold = await publishUntil(world, leader, step)
    world.pause(leader)
    const name = await handOver(world, leader, onHandover)
    if (chance < 0.5) await world.whenServed(name)
    world.resume(leader)
    hold.release()
    return name
  }

async function publishUntil(world: World, leader: Name, step: Step): Promise<Hold> {
  const { bucket, database } = world.places[leader]
  const hold = holdAt()
  await world.publish()
  await atStep(hold, step)
  if (step !== 'before the transaction') return hold
  const begun = database.holdTransaction('begin')
  hold.release()
  await atStep(begun, step)
  return begun

  function holdAt(): Hold {
    if (step === 'before the upload') return bucket.holdUpload('begin')
    if (step === 'before the commit') return database.holdTransaction('commit')
    if (step === 'after the commit') return database.holdTransaction('committed')
    return bucket.holdUpload('end')
  }
}

/**
 * The database gives the lead to another server while the leader publishes. The leader still believes that it leads,
 * so only the token can stop it.
 */
async function overtakeLeader({ world }: FaultInput): Promise<string> {
  const leader = await world.findLeader()
  const { bucket, database } = world.places[leader]
  const count = world.countLogged(leader, OUTCOME)
  const hold = bucket.holdUpload('end')
  await world.publish()
  await atStep(hold, 'after the upload')
  // Otherwise it would renew its lease.
  database.silence()
  await endLease(world.fleet.ledgerUrl)
  await world.findLeader(leader)
  database.heal()
  await Bun.sleep(100)
  hold.release()
  // Without an outcome, it has just requested its lease.
  await until(() => world.countLogged(leader, OUTCOME) > count, 3_000).catch(() => undefined)
  return world.publish()
}

/** A server whose clock is five minutes ahead. */
const shiftClock =
  (role: 'leader' | 'follower') =>
  async ({ world }: FaultInput): Promise<string> => {
    const shifted = await world.findFollower()
    await world.stop(shifted)
    await world.start(shifted, CLOCK_SHIFT)
    const others = NAMES.filter((name) => name !== shifted)
    if (role === 'leader') {
      // They release the lead.
      for (const name of others) await world.stop(name)
      await world.findLeader()
      await Promise.all(others.map((name) => world.start(name)))
    }
    const name = await world.publish()
    await world.whenServed(name)
    await world.stop(shifted)
    return name
  }

const OUTCOME = '"event":"version of the fleet"'

export const SERVER_FAULTS: readonly Fault[] = [
  { name: 'leader killed', run: killLeader },
  { name: 'follower killed', run: killFollower },
  { name: 'follower paused', run: pauseFollower('later') },
  { name: 'follower paused at a takeover', run: pauseFollower('at a takeover') },
  ...STEPS.map((step) => ({ name: `leader paused ${step}`, run: pauseLeader(step) })),
  { name: 'leader overtaken', run: overtakeLeader },
  ...(HAS_CLOCK_SHIFTER
    ? [
        { name: 'clock of the leader ahead', run: shiftClock('leader') },
        { name: 'clock of a follower ahead', run: shiftClock('follower') },
      ]
    : []),
]
if (!HAS_CLOCK_SHIFTER) console.warn('libfaketime is not installed: no clock is shifted.')
