// Host of card images that responds to every path with the same image, after DELAY_MS.
import { readFileSync } from 'node:fs'

const body = readFileSync(process.env.IMAGE_FILE ?? '')
const delayMs = Number(process.env.DELAY_MS)

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  async fetch(request) {
    if (new URL(request.url).pathname === '/healthz') return new Response('ok')
    await Bun.sleep(delayMs)
    return new Response(body, { headers: { 'content-type': 'image/webp' } })
  },
})
