import type { BrowserReader } from './browser.ts'
import { freePort } from './free-port.ts'
import { type HouseOptions, type Member, openHouse } from './test-app.ts'

/**
 * A house that browsers reach: the whole service on a port of its own, on two files.
 *
 * @param options those of the house; `env` may name everything but the address
 */
export async function openSite(options: HouseOptions = {}) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const house = await openHouse({
    onDisk: true,
    ...options,
    env: { PUBLIC_URL: url, ...options.env },
  })
  house.app.listen({ hostname: '127.0.0.1', port, idleTimeout: 30 })
  return {
    url,
    house,
    /** Logs a reader's browser in, without the form. */
    async enter({ context }: BrowserReader, guest: Member): Promise<void> {
      const value = await house.enter(guest)
      await context.addCookies([{ name: 'session', value, url, httpOnly: true }])
      await context.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    },
    async close(): Promise<void> {
      await house.app.server?.stop(true)
      house.close()
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>
