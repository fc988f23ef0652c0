// The limit of HTTP on this machine: Bun's own server, one answer that never changes.
import { readFileSync } from 'node:fs'

const body = readFileSync(process.env.BODY_FILE ?? '')
const headers = { 'content-type': 'application/json; charset=utf-8' }

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  fetch: () => new Response(body, { headers }),
})
