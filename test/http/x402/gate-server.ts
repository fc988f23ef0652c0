export type GateServer = ReturnType<typeof startGateServer>

/** Starts a proxy that can be blocked: then it responds to every request with 502. */
export function startGateServer(url: string) {
  let isOpen = true
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (!isOpen) return new Response('down', { status: 502 })
      const { method, headers } = request
      const response = await fetch(url, { method, headers, body: await request.arrayBuffer() })
      return new Response(await response.arrayBuffer(), { status: response.status })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    block(): void {
      isOpen = false
    },
    unblock(): void {
      isOpen = true
    },
    close: () => server.stop(true),
  }
}
