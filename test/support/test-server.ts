import type { BrowserUser } from './browser.ts'
import { findFreePort } from './free-port.ts'
import { createTestApp, type TestAccount, type TestAppOptions } from './test-app.ts'

/**
 * An app that browsers reach: the whole service on a port of its own, on two files.
 *
 * @param options those of the app; `env` may name everything but the address
 */
export async function startTestServer(options: TestAppOptions = {}) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const testApp = await createTestApp({
    onDisk: true,
    ...options,
    env: { PUBLIC_URL: url, ...options.env },
  })
  testApp.app.listen({ hostname: '127.0.0.1', port, idleTimeout: 30 })
  return {
    url,
    testApp,
    /** Logs a reader's browser in, without the form. */
    async logIn({ context }: BrowserUser, guest: TestAccount): Promise<void> {
      const value = await testApp.createSession(guest)
      await context.addCookies([{ name: 'session', value, url, httpOnly: true }])
      await context.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    },
    async close(): Promise<void> {
      await testApp.app.server?.stop(true)
      testApp.close()
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
