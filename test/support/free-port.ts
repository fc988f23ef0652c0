/** A port of 127.0.0.1 that is free now. */
export async function findFreePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  if (port === undefined) throw new Error('the probe listened on no port')
  return port
}
