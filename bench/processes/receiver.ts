// Starts the requested number of alert receivers, each on its own port. They respond 204 to everything. Prints the
// ports once they listen.
const [count = '1'] = process.argv.slice(2)
const servers = Array.from({ length: Number(count) }, () =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      await request.text()
      return new Response(null, { status: 204 })
    },
  }),
)
process.stdout.write(`${JSON.stringify(servers.map(({ port }) => port))}\n`)
