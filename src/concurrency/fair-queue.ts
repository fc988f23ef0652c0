/** Order and limits of a queue's jobs. A job is the same object from its start to its end. */
export type FairQueueOptions<Job> = {
  /**
   * Returns the keys that take turns, the outermost first, such as a network and an account in it. A new key comes
   * after the others. By default, all jobs wait in one line.
   */
  turns?(job: Job): readonly string[]
  /**
   * Gives precedence to new keys, which have had no turn yet; a function decides for the job that brings a key. The
   * others wait as long as such keys arrive, so the owner of the queue must limit the number of waiting jobs.
   */
  newcomersFirst?: boolean | ((job: Job) => boolean)
  /** Returns the rank of a job. A lower rank precedes a higher one, regardless of the keys. */
  rank?(job: Job): number
  /** Starts the newest job of a key first. By default jobs start in order of arrival. */
  newestFirst?: boolean
  /** Maximum number of concurrent jobs; a function is called at each start. */
  atOnce?: number | (() => number)
  /** Returns the limits that a running job counts against. Each name has one maximum. */
  limits?(job: Job): readonly QueueLimit[]
  /**
   * Returns the job to refuse when another one has to wait: a waiting job or the new one; undefined if there is room.
   * Called only by `run`.
   */
  findRefused?(job: Job, queue: FairQueue<Job>): Job | undefined
  /** Creates the error of a refused job. */
  refusal?(): Error
}

/** Maximum number of concurrent jobs with a common name, such as a host. */
export type QueueLimit = readonly [name: string, max: number]

/**
 * Queue in which no key delays another one by more than a turn.
 *
 * `run` starts jobs as soon as possible. A caller that starts jobs itself uses `add`, `take` and `end` instead.
 */
export type FairQueue<Job> = {
  /**
   * Runs an action in the turn of its job.
   *
   * @param signal removes the job while it waits; the action must observe it itself
   * @throws the reason of the signal, the refusal, or what the action throws
   */
  run<Result>(job: Job, action: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Adds a job that waits until it is taken. */
  add(job: Job): void
  /** Removes and returns the next job that may start. It counts against its limits until it ends. */
  take(): Job | undefined
  /** Ends a running job. Other jobs are ignored. */
  end(job: Job): void
  /** Removes a waiting job, and refuses it if it waits in `run`; false if it is not waiting. */
  remove(job: Job): boolean
  /** Returns the waiting jobs in order of arrival. */
  waiting(): Job[]
  /** Returns the waiting jobs with the rank and keys of a job, in the order in which they will start. */
  waitingInLine(job: Job): Job[]
  waitingCount(): number
  runningCount(): number
  /** Starts jobs that may start after `atOnce` has grown. */
  resume(): void
}

/** A job and its place in the queue. */
type Entry<Job> = {
  job: Job
  rank: number
  keys: readonly string[]
  limits: readonly QueueLimit[]
  /** Settles the promise of a job that waits in `run`. */
  settle?: (error?: unknown) => void
}

/** The jobs of a key, or the lines of its inner keys. */
type Line<Job> = {
  key: string
  entries: Entry<Job>[]
  lines: Map<string, Line<Job>>
  /** The lines in the order of their turns. */
  ring: Line<Job>[]
  /** Number of newcomers at the beginning. */
  fresh: number
}

export function createFairQueue<Job extends object>({
  turns = () => [],
  rank = () => 0,
  newcomersFirst = false,
  newestFirst = false,
  atOnce = Number.POSITIVE_INFINITY,
  limits = () => [],
  findRefused = () => undefined,
  refusal = () => new Error('the job was removed from its queue'),
}: FairQueueOptions<Job> = {}): FairQueue<Job> {
  const waiting = new Map<Job, Entry<Job>>()
  const running = new Map<Job, Entry<Job>>()
  /** Lines by rank, lowest first. */
  const ranks: { rank: number; line: Line<Job> }[] = []
  const counts = new Map<string, number>()
  /** Names that have reached their limit. */
  const full = new Set<string>()
  /** Keys of the last turn, whose job is probably still running. */
  let last: readonly string[] = []

  const hasRoom = () => running.size < (typeof atOnce === 'number' ? atOnce : atOnce())
  const mayStart = (entry: Entry<Job>) => !entry.limits.some(([name]) => full.has(name))
  const entryOf = (job: Job): Entry<Job> => ({
    job,
    rank: rank(job),
    keys: turns(job),
    limits: limits(job),
  })

  function lineOfRank(wanted: number): Line<Job> {
    const at = ranks.findIndex((one) => one.rank >= wanted)
    const known = ranks[at]
    if (known?.rank === wanted) return known.line
    const line = createLine<Job>('')
    ranks.splice(at < 0 ? ranks.length : at, 0, { rank: wanted, line })
    return line
  }

  function add(entry: Entry<Job>): void {
    waiting.set(entry.job, entry)
    const isFirst = typeof newcomersFirst === 'boolean' ? newcomersFirst : newcomersFirst(entry.job)
    let line = lineOfRank(entry.rank)
    for (const [depth, key] of entry.keys.entries()) {
      line = line.lines.get(key) ?? addLine(line, key, isFirst && key !== last[depth])
    }
    if (newestFirst) line.entries.unshift(entry)
    else line.entries.push(entry)
  }

  function takeFrom(line: Line<Job>): Entry<Job> | undefined {
    const first = line.entries.findIndex(mayStart)
    if (first >= 0) return line.entries.splice(first, 1)[0]
    for (const [at, inner] of line.ring.entries()) {
      // A key at its limit is skipped without examining its jobs, of which there may be very many.
      const entry = full.has(inner.key) ? undefined : takeFrom(inner)
      if (entry === undefined) continue
      withdrawLine(line, at)
      if (isEmpty(inner)) line.lines.delete(inner.key)
      else line.ring.push(inner)
      return entry
    }
    return undefined
  }

  function take(): Entry<Job> | undefined {
    if (waiting.size === 0 || !hasRoom()) return undefined
    for (const [at, { line }] of ranks.entries()) {
      const entry = takeFrom(line)
      if (entry === undefined) continue
      if (isEmpty(line)) ranks.splice(at, 1)
      waiting.delete(entry.job)
      last = entry.keys
      begin(entry)
      return entry
    }
    return undefined
  }

  function begin(entry: Entry<Job>): void {
    running.set(entry.job, entry)
    for (const [name, max] of entry.limits) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count >= max) full.add(name)
    }
  }

  function end(job: Job): void {
    for (const [name] of running.get(job)?.limits ?? []) {
      const count = (counts.get(name) ?? 1) - 1
      if (count > 0) counts.set(name, count)
      else counts.delete(name)
      full.delete(name)
    }
    running.delete(job)
  }

  /** Starts the waiting jobs of `run` that may start. */
  function resume(): void {
    for (let entry = take(); entry !== undefined; entry = take()) entry.settle?.()
  }

  function removeFrom(line: Line<Job>, entry: Entry<Job>, [key, ...inner] = entry.keys): void {
    if (key === undefined) {
      line.entries.splice(line.entries.indexOf(entry), 1)
      return
    }
    const at = line.ring.findIndex((inner) => inner.key === key)
    const within = line.ring[at]
    if (within === undefined) return
    removeFrom(within, entry, inner)
    if (!isEmpty(within)) return
    withdrawLine(line, at)
    line.lines.delete(key)
  }

  function remove(job: Job, error: unknown): boolean {
    const entry = waiting.get(job)
    const at = ranks.findIndex((one) => one.rank === entry?.rank)
    const line = ranks[at]?.line
    if (entry === undefined || line === undefined) return false
    waiting.delete(job)
    removeFrom(line, entry)
    if (isEmpty(line)) ranks.splice(at, 1)
    entry.settle?.(error)
    return true
  }

  async function waitForTurn(entry: Entry<Job>, signal: AbortSignal | undefined): Promise<void> {
    const { job } = entry
    const refused = findRefused(job, queue)
    if (refused === job) throw refusal()
    if (refused !== undefined) remove(refused, refusal())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    entry.settle = (error) => (error === undefined ? resolve() : reject(error))
    add(entry)
    const abort = () => remove(job, signal?.reason)
    signal?.addEventListener('abort', abort)
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  const queue: FairQueue<Job> = {
    async run(job, action, signal) {
      signal?.throwIfAborted()
      const entry = entryOf(job)
      // No waiting job can start, or it would have started already.
      if (hasRoom() && mayStart(entry)) begin(entry)
      else await waitForTurn(entry, signal)
      try {
        return await action()
      } finally {
        end(job)
        resume()
      }
    },
    add: (job) => add(entryOf(job)),
    take: () => take()?.job,
    end,
    remove: (job) => remove(job, refusal()),
    waiting: () => [...waiting.keys()],
    waitingInLine(job) {
      let line = ranks.find((one) => one.rank === rank(job))?.line
      for (const key of turns(job)) line = line?.lines.get(key)
      return line?.entries.map((entry) => entry.job) ?? []
    },
    waitingCount: () => waiting.size,
    runningCount: () => running.size,
    resume,
  }
  return queue
}

function createLine<Job>(key: string): Line<Job> {
  return { key, entries: [], lines: new Map(), ring: [], fresh: 0 }
}

/** Adds a line after all others, or after those without a turn. */
function addLine<Job>(line: Line<Job>, key: string, isNewcomer: boolean): Line<Job> {
  const inner = createLine<Job>(key)
  line.lines.set(key, inner)
  if (isNewcomer) line.ring.splice(line.fresh++, 0, inner)
  else line.ring.push(inner)
  return inner
}

function withdrawLine(line: Line<unknown>, at: number): void {
  line.ring.splice(at, 1)
  if (at < line.fresh) line.fresh--
}

function isEmpty({ entries, ring }: Line<unknown>): boolean {
  return entries.length === 0 && ring.length === 0
}
