import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { startCommand, waitUntilAnswering } from './process.ts'

const PROGRAM = Bun.which('haproxy', { PATH: `${process.env.PATH}:/usr/sbin` })

export const HAS_HAPROXY = PROGRAM !== null
if (!HAS_HAPROXY) console.warn('HAProxy is not installed: tests do without it.')

/** Starts HAProxy with the guide's configuration for servers with these ports, which need not run yet. */
export async function startHaproxy(servers: readonly (string | number)[]) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-haproxy-'))
  const config = join(folder, 'haproxy.cfg')
  const port = await findFreePort()
  writeFileSync(config, configure(port, servers))
  const proxy = startCommand([PROGRAM ?? '', '-f', config])
  const url = `http://127.0.0.1:${port}`
  async function close(): Promise<void> {
    await proxy.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  await waitUntilAnswering(proxy, url)
  return { url, close }
}

const GUIDE = join(import.meta.dir, '../../docs/guides/operations/scale.md')

/** Returns the guide's configuration with other ports. */
function configure(port: number, servers: readonly (string | number)[]): string {
  const block = /```haproxy\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? ''
  const [head = ''] = block.split('  server one')
  const lines = servers.map((own, index) => `  server s${index} 127.0.0.1:${own}`)
  return `${head.replace('bind :8080', `bind 127.0.0.1:${port}`)}${lines.join('\n')}\n`
}
