import { type ComponentType, lazy } from 'react'

/**
 * A view that is loaded when it is first shown. Its file is gone after an upgrade of the server: then
 * the page is loaded again, which names the new one.
 */
export function lazyView<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      if (!(await isWorthReloading())) throw error
      sessionStorage.setItem(RELOADED, String(Date.now()))
      location.reload()
      // Nothing is shown any more.
      return new Promise<never>(() => {})
    }
  })
}

/** When a page was last loaded again for this. */
const RELOADED = 'cardstock.reloaded'
/** What is still gone after that long was not mended by it. */
const ONCE_MS = 60_000

/** Without a server, the page that is there is better than none. */
async function isWorthReloading(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_MS) return false
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
  return answer?.ok === true
}
