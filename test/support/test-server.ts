import type { BrowserUser } from './browser.ts'
import { findFreePort } from './free-port.ts'
import { createTestApp, type TestAccount, type TestAppOptions } from './test-app.ts'

/**
 * Starts the service on a free port for browsers, with its databases on disk.
 *
 * @param options `env` may set everything but PUBLIC_URL
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
    /** Logs a browser user in without the login form. */
    async logIn({ context, page }: BrowserUser, account: TestAccount): Promise<void> {
      const value = await testApp.createSession(account)
      await context.addCookies([{ name: 'session', value, url, httpOnly: true }])
      await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    },
    async close(): Promise<void> {
      await testApp.app.server?.stop(true)
      testApp.close()
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
