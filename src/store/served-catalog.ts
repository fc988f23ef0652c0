import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Catalog } from './open-catalog.ts'

/** The catalog of a server that takes over one file after another. */
export type ServedCatalog = {
  /** Answers from the newest file, and within `pin` from the file that was the newest when the request began. */
  catalog: Catalog
  /**
   * Runs a request on one file, even if another file is taken over in the meantime: at once, or after a takeover that
   * may have begun. If the newest file has expired, reading the catalog throws ServiceError UNAVAILABLE.
   */
  pin<Result>(request: () => Result | Promise<Result>): Result | Promise<Result>
  /** Opens a file that is to be taken over. */
  open(path: string): Catalog
  /**
   * Answers from this file from a given time. The previous one is closed once its requests have certainly ended.
   *
   * @param window its earliest and latest possible time, as of `performance.now()`: requests that begin in between
   * wait for its end. Default: now
   * @param expiresAt as in `expireAt`, of this file. Default: never
   */
  takeOver(next: Catalog, window?: { from: number; to: number }, expiresAt?: number): void
  /**
   * Sets the time, as of `performance.now()`, from which the newest file expires. If a file is about to be taken
   * over, sets the time of that file.
   */
  expireAt(moment: number): void
}

export type ServedCatalogOptions = {
  open: (path: string) => Catalog
  /** The file that was served last, or an empty one. */
  path: string
  /** True if it is not yet known whether the file is current. Then nothing reads it before `expireAt` or `takeOver`. */
  isExpired: boolean
}

/** Opens the catalog of a server that takes its files from a bucket. */
export function openServedCatalog({ open, path, isExpired }: ServedCatalogOptions): ServedCatalog {
  /** The file of a request; null if it may read none. */
  const pinned = new AsyncLocalStorage<Catalog | null>()
  const leaving = new Map<Catalog, ReturnType<typeof setTimeout>>()
  const listeners: (() => void)[] = []
  let newest = open(path)
  let expiresAt = isExpired ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  let takeover: (PromiseWithResolvers<void> & Takeover) | undefined

  function current(): Catalog {
    const file = pinned.getStore()
    if (file === null) throw expired()
    return file ?? newest
  }
  const followed = follow<Catalog>(current)
  const hasExpired = (now = performance.now()) => now >= expiresAt
  const catalog: Catalog = {
    ...followed,
    publication: {
      ...followed.publication,
      onChange: (listener) => void listeners.push(listener),
    },
    probe() {
      if (hasExpired()) throw expired()
      followed.probe()
    },
    close() {
      for (const timer of leaving.values()) clearTimeout(timer)
      for (const file of [...leaving.keys(), newest]) file.close()
      leaving.clear()
    },
  }

  function finish(): void {
    if (takeover === undefined) return
    const { next, resolve } = takeover
    const old = newest
    newest = next
    expiresAt = takeover.expiresAt
    takeover = undefined
    const closeOld = () => {
      leaving.delete(old)
      old.close()
    }
    leaving.set(old, setTimeout(closeOld, LONGEST_REQUEST_MS).unref())
    resolve()
    for (const listener of listeners) listener()
  }

  function pin<Result>(request: () => Result | Promise<Result>): Result | Promise<Result> {
    // Reads the clock once: between two readings, the file could expire without a takeover to wait for.
    const now = performance.now()
    // A timer may be late.
    if (takeover !== undefined && now >= takeover.to) finish()
    if (takeover !== undefined && now >= takeover.from)
      return takeover.promise.then(() => pin(request))
    return pinned.run(hasExpired(now) ? null : newest, request)
  }

  return {
    catalog,
    open,
    pin,
    takeOver(next, { from, to } = { from: 0, to: 0 }, nextExpiresAt = Number.POSITIVE_INFINITY) {
      takeover = { next, from, to, expiresAt: nextExpiresAt, ...Promise.withResolvers<void>() }
      // A file that is no longer current stays expired.
      if (!hasExpired()) expiresAt = from
      const leftMs = to - performance.now()
      if (leftMs <= 0) finish()
      // A timer may be up to a millisecond early.
      else setTimeout(finish, leftMs + 1)
    },
    expireAt(moment) {
      if (takeover === undefined) expiresAt = moment
      else takeover.expiresAt = moment
    },
  }
}

type Takeover = { next: Catalog; from: number; to: number; expiresAt: number }

function expired(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'This server does not have the current version of the catalog yet. Try again in a few seconds.',
  )
}

/** Longest request in milliseconds: even a slow client reads the largest set in less. */
const LONGEST_REQUEST_MS = 10 * 60_000

/** Returns an object that forwards each call to the current object, including the objects in it. */
function follow<Stores extends object>(current: () => Stores): Stores {
  const members = Object.entries(current()).map(([name, member]) => {
    const find = () => current()[name as keyof Stores]
    if (typeof member !== 'function') return [name, follow(find as () => object)]
    return [name, (...given: unknown[]) => (find() as typeof member)(...given)]
  })
  return Object.fromEntries(members)
}
