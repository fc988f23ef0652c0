/**
 * Range below the ports that systems hand out by themselves (Linux: from 32768), so that no other test gets
 * one before its server starts. Browsers refuse some lower ones, such as 10080.
 */
const [FIRST, LAST] = [11_000, 32_000]

/** A port of 127.0.0.1 that is free now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    try {
      const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() })
      await server.stop(true)
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}
