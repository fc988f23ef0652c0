// Faults of the fleet's dependencies: the bucket and the database.
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { damageObject } from '../../support/snapshots/damage-object.ts'
import { readVersion } from '../../support/snapshots/fleet.ts'
import { atStep, type Fault, type FaultInput, handOver, until } from './fault.ts'
import { endWait } from './publication-audit.ts'
import { NAMES, STANDSTILL_MS, type World } from './world.ts'

/** Nothing can be published; served versions remain. */
const breakBucket =
  (behavior: 'cut' | 'failing') =>
  async ({ world }: FaultInput): Promise<string> => {
    behaveAll(world, behavior)
    await world.publish()
    await Bun.sleep(8_000)
    behaveAll(world, 'open')
    return world.publish()
  }

/** About 1 MB/s; less for a small catalog, so that it has an effect. */
async function slowBucket({ world }: FaultInput): Promise<string> {
  const bytes = statSync(newestObject(world)).size
  behaveAll(world, Math.min(1e6, bytes / 4))
  const name = await world.publish()
  await world.whenServed(name)
  behaveAll(world, 'open')
  return name
}

function behaveAll(world: World, behavior: 'open' | 'cut' | 'failing' | number): void {
  for (const name of NAMES) world.places[name].bucket.behave(behavior)
}

/** A server cannot fetch a version: the others switch on time, and it refuses requests. */
async function isolateFollower({ world }: FaultInput): Promise<string> {
  const follower = await world.findFollower()
  const { bucket, url } = world.places[follower]
  bucket.behave('cut')
  const name = await world.publish()
  await afterUpload(world)
  await endWait(world.fleet.ledgerUrl)
  await untilRefused(url, name)
  bucket.behave('open')
  return name
}

/** Damages a version before any server has fetched it. */
const damage =
  (change: (path: string, older: string) => void) =>
  async ({ world }: FaultInput): Promise<string> => {
    const leader = await world.findLeader()
    const older = newestObject(world)
    const hold = world.places[leader].bucket.holdUpload('end')
    const name = await world.publish()
    await atStep(hold, 'after the upload')
    const path = newestObject(world)
    const content = readFileSync(path)
    change(path, older)
    hold.release()
    await Bun.sleep(7_000)
    const follower = await world.findFollower()
    const before = await readVersion(world.places[follower].url)
    if (before.status !== 200 || before.name === name) {
      throw new Error(`a damaged version is served: ${JSON.stringify(before)}`)
    }
    await endWait(world.fleet.ledgerUrl)
    await untilRefused(world.places[follower].url, name)
    writeFileSync(path, content)
    return name
  }

/** Waits until a server refuses requests, because it lacks the version that the others serve. */
async function untilRefused(url: string, gameName: string): Promise<void> {
  await until(async () => {
    const { status, name } = await readVersion(url, STANDSTILL_MS)
    if (name === gameName) throw new Error('a version is served that could not be fetched')
    return status === 503
  })
}

/** Waits until the leader has written the next version to the database. */
async function afterUpload(world: World): Promise<void> {
  const leader = await world.findLeader()
  const count = world.countLogged(leader, PUBLISHED)
  await until(() => world.countLogged(leader, PUBLISHED) > count)
}

const PUBLISHED = '"outcome":"published"'

function newestObject({ fleet }: World): string {
  const folder = fleet.objects()
  const [newest = ''] = readdirSync(folder)
    .filter((name) => name.startsWith('v'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return newest
}

/** The database is silent for a single server, which must refuse requests in time. */
const isolateFromDatabase =
  (role: 'leader' | 'follower') =>
  async ({ world, onHandover }: FaultInput): Promise<string> => {
    const server = role === 'leader' ? await world.findLeader() : await world.findFollower()
    const { database, url } = world.places[server]
    const began = performance.now()
    database.silence()
    await until(async () => (await fetch(`${url}/readyz`)).status === 503, SILENCE_MS_MAX)
    await until(async () => (await readVersion(url)).status === 503, SILENCE_MS_MAX)
    const refusedAfterMs = performance.now() - began
    if (refusedAfterMs > SILENCE_MS_MAX) throw new Error(`refused after ${refusedAfterMs} ms`)
    const name =
      role === 'leader' ? await handOver(world, server, onHandover) : await world.publish()
    database.heal()
    return name
  }

async function crashDatabase({ world }: FaultInput): Promise<string> {
  await world.publish()
  await world.fleet.postgres.crash()
  return world.publish()
}

/** Maximum time in milliseconds for which a server answers without the database, including the time to notice it. */
const SILENCE_MS_MAX = 17_000

export const SUPPLY_FAULTS: readonly Fault[] = [
  { name: 'bucket cut', run: breakBucket('cut') },
  { name: 'bucket answers with 500', run: breakBucket('failing') },
  { name: 'bucket slow', run: slowBucket },
  { name: 'bucket cut for one', run: isolateFollower },
  { name: 'object corrupt', run: damage((path) => damageObject(path, statSync(path).size >> 1)) },
  {
    name: 'object truncated',
    run: damage((path) => truncateSync(path, statSync(path).size - 1_000)),
  },
  { name: 'object swapped', run: damage((path, older) => copyFileSync(older, path)) },
  { name: 'database silent for the leader', run: isolateFromDatabase('leader') },
  { name: 'database silent for a follower', run: isolateFromDatabase('follower') },
  { name: 'database crashed', run: crashDatabase },
]
