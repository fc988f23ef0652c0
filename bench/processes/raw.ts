// The HTTP limit of this machine: Bun's server with a constant response.
import { readFileSync } from 'node:fs'

const body = readFileSync(process.env.BODY_FILE ?? '')
const headers = { 'content-type': 'application/json; charset=utf-8' }

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  fetch: () => new Response(body, { headers }),
})
