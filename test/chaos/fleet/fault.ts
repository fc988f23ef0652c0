// Common parts of the fleet's faults.
import type { Hold } from './hold.ts'
import { NAMES, type Name, type World } from './world.ts'

export type FaultInput = {
  world: World
  /** A random number from 0 up to 1, drawn for this fault. */
  chance: number
  /** Called with the time in milliseconds until another server led. */
  onHandover(ms: number): void
}

export type Fault = {
  name: string
  /** @returns the name that every server must serve in the end; throws if the fleet misbehaves */
  run(input: FaultInput): Promise<string>
}

/** Publishes as soon as another server leads. */
export async function handOver(
  world: World,
  leader: Name,
  onHandover: (ms: number) => void,
): Promise<string> {
  const began = performance.now()
  const counts = NAMES.map((name) => world.countLogged(name, LEADS))
  const next = await world.findLeader(leader)
  await until(() => world.countLogged(next, LEADS) > (counts[NAMES.indexOf(next)] ?? 0))
  onHandover(performance.now() - began)
  return world.publish()
}

const LEADS = '"event":"this server leads the fleet"'

/** Waits until a publication reaches a step. @throws Error if none does */
export async function atStep({ reached }: Hold, step: string): Promise<void> {
  const isLate = await Promise.race([reached, Bun.sleep(STEP_MS_MAX).then(() => true)])
  if (isLate) throw new Error(`no publication came to this step: ${step}`)
}

/** Waits until a condition is met. @throws Error if it is not */
export async function until(check: () => Promise<boolean> | boolean, ms = 180_000): Promise<void> {
  for (const late = performance.now() + ms; !(await check()); await Bun.sleep(100)) {
    if (performance.now() > late) throw new Error(`did not happen within ${ms} ms: ${check}`)
  }
}

/** Maximum time in milliseconds until a publication reaches a step. */
const STEP_MS_MAX = 120_000
