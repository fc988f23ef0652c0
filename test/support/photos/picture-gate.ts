import { findFreePort } from '../free-port.ts'
import { createTestApp, type TestAppOptions } from '../test-app.ts'

/** Request for a picture that a page made. */
type PictureRequest = {
  path: string
  state: 'held' | 'answered' | 'aborted'
  release(): void
}

/** Starts the service for browsers behind a gate, which can hold the requests for pictures. */
export async function startGatedServer(options: TestAppOptions = {}) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const testApp = await createTestApp({ onDisk: true, env: { PUBLIC_URL: url }, ...options })
  const requests: PictureRequest[] = []
  let isOpen = true
  let heldMax = 0
  const count = (state: PictureRequest['state']) =>
    requests.filter((request) => request.state === state).length

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/pictures/')) return testApp.app.handle(request)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const entry: PictureRequest = { path: pathname, state: 'held', release }
    requests.push(entry)
    heldMax = Math.max(heldMax, count('held'))
    request.signal.addEventListener('abort', () => {
      if (entry.state === 'held') entry.state = 'aborted'
      release()
    })
    if (!isOpen) await released
    if (entry.state === 'held') entry.state = 'answered'
    return testApp.app.handle(request)
  }

  const server = Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 60, fetch: handle })
  return {
    url,
    testApp,
    /** All requests for pictures, in order. */
    requests,
    count,
    /** Maximum number of simultaneously held requests. */
    heldMax: () => heldMax,
    /** Holds requests that arrive from now on. */
    hold(): void {
      isOpen = false
    },
    /** Answers the oldest held request. */
    releaseOne(): void {
      requests.find(({ state }) => state === 'held')?.release()
    },
    /** Answers held requests and all later ones. */
    open(): void {
      isOpen = true
      for (const { release } of requests) release()
    },
    /** Opens the gate and forgets all requests. */
    reset(): void {
      this.open()
      requests.length = 0
      heldMax = 0
    },
    async close(): Promise<void> {
      for (const { release } of requests) release()
      await server.stop(true)
      testApp.close()
    },
  }
}

export type GatedServer = Awaited<ReturnType<typeof startGatedServer>>
