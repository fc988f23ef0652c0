import { readdirSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** The measurements of a subject in one round, by figure. */
export type Sample = Record<string, number>

/** The subjects to compare, by name. Each round measures each of them once. */
export type Subjects = Record<string, () => Promise<Sample> | Sample>

/** All rounds of all subjects, in the order in which they were measured. */
export type Rounds = Map<string, Sample[]>

/**
 * Measures subjects in turn, in several rounds, so that a temporary disturbance affects all of them and the median
 * ignores it.
 */
export async function interleave(rounds: number, subjects: Subjects): Promise<Rounds> {
  const found: Rounds = new Map(Object.keys(subjects).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(subjects)) {
      found.get(name)?.push(await measure())
    }
  }
  return found
}

/** Returns the median of a figure of a subject over its rounds. */
export function middle(rounds: Rounds, subject: string, figure: string): number {
  return median((rounds.get(subject) ?? []).map((sample) => sample[figure] ?? Number.NaN))
}

/** Returns the median of a figure's ratio between two subjects, computed round by round. */
export function ratio(rounds: Rounds, figure: string, subject: string, to: string): number {
  const others = rounds.get(to) ?? []
  const ratios = (rounds.get(subject) ?? []).map(
    (sample, round) => (sample[figure] ?? Number.NaN) / (others[round]?.[figure] ?? Number.NaN),
  )
  return median(ratios)
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Returns the value that `percent` of the values do not exceed. */
export function percentile(values: readonly number[] | Float64Array, percent: number): number {
  const sorted = Float64Array.from(values).sort()
  const at = Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)
  return sorted[Math.max(0, at)] ?? Number.NaN
}

/** Calls a function `times` times with its index, and returns the microseconds of each call. */
export function timeEach(times: number, call: (index: number) => void): Float64Array {
  const took = new Float64Array(times)
  for (let index = 0; index < times; index++) {
    const started = performance.now()
    call(index)
    took[index] = (performance.now() - started) * 1000
  }
  return took
}

/** Returns p50 and p99 of single calls in microseconds, after a warm-up. */
export function spread(times: number, call: (index: number) => void): Sample {
  timeEach(Math.ceil(times / 5), call)
  const took = timeEach(times, call)
  return { p50: percentile(took, 50), p99: percentile(took, 99) }
}

/** Returns the CPU time of a process and its threads, in microseconds (utime + stime of /proc/PID/stat). */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in the second field may contain spaces, so the fields are counted from its closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_A_SECOND
}

/** Processor time of each thread of a process, in nanoseconds, by its number. */
export type ThreadTimes = ReadonlyMap<string, number>

/** Returns the times of the running threads, which are exact, while those of `cpuOf` are multiples of 10 ms. */
export function threadTimesOf(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`
  return new Map(
    readdirSync(folder).map((thread) => {
      const [ran] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')
      return [thread, Number(ran)]
    }),
  )
}

/** Returns the microseconds that the threads of a process have used since `before`, without those that have ended. */
export function cpuSince(before: ThreadTimes, pid: number): number {
  let sum = 0
  for (const [thread, ran] of threadTimesOf(pid)) sum += ran - (before.get(thread) ?? 0)
  return sum / 1000
}

/** Returns the resident memory of a process, in bytes. */
export function residentOf(pid: number): number {
  return memoryOf(pid, 'VmRSS')
}

/** Returns the peak memory of a process, in bytes. `maxRSS` would include the process that started it. */
export function peakOf(pid: number): number {
  return memoryOf(pid, 'VmHWM')
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

// Clock ticks per second: Linux uses hundredths on every machine that Bun runs on.
const TICKS_A_SECOND = 100

/** Describes a run above its table: machine, commit, day, command and programs (test/docs-figures.test.ts reads it). */
export function describeRun(
  commit: string,
  command: string,
  versions: Record<string, string>,
): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const machine = `${cpus().length} x ${cpu?.model ?? 'unknown processor'}, ${memory}`
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const day = new Date().toISOString().slice(0, 10)
  return `Run: ${machine}; ${commit}; ${day}; \`${command}\`; ${programs.join(', ')}`
}

/** Returns the commit that is measured, and whether files differ from it. */
export function commitOfTree(): { commit: string; isChanged: boolean } {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim()
  const commit = git('rev-parse', '--short=8', 'HEAD') || 'unknown'
  return { commit, isChanged: git('status', '--porcelain') !== '' }
}

/** Names the commit that is measured. A table of uncommitted changes is not for the documents. */
export function describeTree(): string {
  const { commit, isChanged } = commitOfTree()
  return isChanged ? `changes after ${commit}` : `commit ${commit}`
}
