/**
 * Range below the ports that systems assign by themselves (Linux: from 32768), so that no other test gets one before
 * its server starts. Browsers refuse some lower ones, such as 10080.
 */
const [FIRST, LAST] = [11_000, 32_000]

/**
 * Each process of `bun run check` uses its own part of the range, and assigns its ports in turn, so that no two get
 * the same port.
 */
const PARTS = 8
const SIZE = (LAST - FIRST) / PARTS
const part = Number(process.env.BUN_TEST_WORKER_ID ?? 0) % PARTS
let next = Math.floor(Math.random() * SIZE)

/** Returns a free port of 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + part * SIZE + (next++ % SIZE)
    try {
      const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() })
      await server.stop(true)
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}
