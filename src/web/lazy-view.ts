import { type ComponentType, lazy } from 'react'

/**
 * Loads a view when it is first shown.
 * A server upgrade removes its file: then the page reloads to get the new one.
 */
export function lazyView<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      if (!(await isWorthReloading())) throw error
      sessionStorage.setItem(RELOADED, String(Date.now()))
      location.reload()
      // Never resolves: the page reloads.
      return new Promise<never>(() => {})
    }
  })
}

/** Time of the last reload. */
const RELOADED = 'cardstock.reloaded'
const ONCE_MS = 60_000

/** Returns false if the page was just reloaded or the server is unreachable. */
async function isWorthReloading(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_MS) return false
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
  return answer?.ok === true
}
