import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Catalog } from './index.ts'

/** The catalog of a replica, which takes over one file after the other. */
export type ServedCatalog = {
  /** Answers from the newest file, and within `pin` from the one that was the newest when it began. */
  catalog: Catalog
  /** Runs a request on one file, whatever is taken over before it ends. */
  pin<Result>(request: () => Result): Result
  /** Opens a file that is to be taken over. */
  open(path: string): Catalog
  /** Answers from this file from now on. The one before is closed once its requests have surely ended. */
  takeOver(next: Catalog): void
}

export type ServedCatalogOptions = {
  open: (path: string) => Catalog
  /** The file that was served last, or an empty one. */
  path: string
  /** True if that file is empty: the catalog is not ready before another one is taken over. */
  isEmpty: boolean
}

/** Opens a replica's catalog. */
export function openServedCatalog({ open, path, isEmpty }: ServedCatalogOptions): ServedCatalog {
  const pinned = new AsyncLocalStorage<Catalog>()
  const leaving = new Map<Catalog, ReturnType<typeof setTimeout>>()
  const listeners: (() => void)[] = []
  let newest = open(path)
  let isReady = !isEmpty

  const followed = follow<Catalog>(() => pinned.getStore() ?? newest)
  const catalog: Catalog = {
    ...followed,
    publication: {
      ...followed.publication,
      onChange: (listener) => void listeners.push(listener),
    },
    probe() {
      if (isReady) return followed.probe()
      throw new ServiceError('UNAVAILABLE', 'The first snapshot of the catalog is not here yet.')
    },
    close() {
      for (const timer of leaving.values()) clearTimeout(timer)
      for (const file of [...leaving.keys(), newest]) file.close()
      leaving.clear()
    },
  }

  return {
    catalog,
    open,
    pin: (request) => pinned.run(newest, request),
    takeOver(next) {
      const old = newest
      newest = next
      isReady = true
      const closeOld = () => {
        leaving.delete(old)
        old.close()
      }
      leaving.set(old, setTimeout(closeOld, LONGEST_REQUEST_MS).unref())
      for (const listener of listeners) listener()
    },
  }
}

/** A slow client reads the largest set in less, in milliseconds. */
const LONGEST_REQUEST_MS = 10 * 60_000

/** Returns an object with the functions of the current one, also of the objects in it. */
function follow<Stores extends object>(current: () => Stores): Stores {
  const members = Object.entries(current()).map(([name, member]) => {
    const find = () => current()[name as keyof Stores]
    if (typeof member !== 'function') return [name, follow(find as () => object)]
    return [name, (...given: unknown[]) => (find() as typeof member)(...given)]
  })
  return Object.fromEntries(members)
}
