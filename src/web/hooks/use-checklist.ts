import { useState } from 'react'

/** Cards that somebody has ticked off, stored in the browser. */
export type Checklist = {
  count: number
  has(id: number): boolean
  toggle(id: number): void
}

/** Stores the ticks of one list, such as a set. */
export function useChecklist(name: string): Checklist {
  const key = `cardstock.owned.${name}`
  const [ids, setIds] = useState(() => readIds(key))

  return {
    count: ids.size,
    has: (id) => ids.has(id),
    toggle(id) {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setIds(next)
      try {
        localStorage.setItem(key, JSON.stringify([...next]))
      } catch {
        // Without storage, the ticks last as long as the page.
      }
    },
  }
}

function readIds(key: string): ReadonlySet<number> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(found) ? found.filter(Number.isSafeInteger) : [])
  } catch {
    return new Set()
  }
}
