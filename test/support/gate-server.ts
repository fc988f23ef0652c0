export type Gate = ReturnType<typeof openGate>

/** A machine before another one, that can be shut: then every request is told that it is down. */
export function openGate(url: string) {
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
    shut(): void {
      isOpen = false
    },
    open(): void {
      isOpen = true
    },
    close: () => server.stop(true),
  }
}
