import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate } from '../../support/certificates.ts'
import { findFreePort } from '../../support/free-port.ts'

const GUIDE = readFileSync(
  join(import.meta.dir, '../../../docs/guides/operations/install.md'),
  'utf8',
)

/** Name of the service in the guide's configurations. */
export const PROXY_HOST = 'cards.example'

/** Address of the server in the guide's configurations. */
const SERVER = '127.0.0.1:3000'

/** Proxies of the installation guide. */
export const PROXIES = ['nginx', 'caddy'] as const

export type RunningProxy = { port: number; close: () => Promise<void> }

/**
 * Starts a proxy with the guide's configuration. Only ports, certificate and folders differ.
 *
 * @param serverPort where the service listens
 */
export async function startProxy(
  name: (typeof PROXIES)[number],
  serverPort: number,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const { key, cert } = await createCertificate([PROXY_HOST])
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  const port = await findFreePort()
  const { config, command } = CONFIGURE[name](folder, port, `127.0.0.1:${serverPort}`)
  writeFileSync(join(folder, 'config'), config)
  const child = Bun.spawn([name, ...command], {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const listening = await waitUntilListening(port, child)
  if (!listening)
    throw new Error(`${name} does not start: ${await new Response(child.stderr).text()}`)
  return {
    port,
    async close() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function waitUntilListening(port: number, child: Bun.Subprocess): Promise<boolean> {
  while (child.exitCode === null) {
    try {
      const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
      socket.end()
      return true
    } catch {
      await Bun.sleep(20)
    }
  }
  return false
}

type Configure = (
  folder: string,
  port: number,
  server: string,
) => { config: string; command: string[] }

const CONFIGURE: Record<(typeof PROXIES)[number], Configure> = {
  nginx(folder, port, server) {
    const site = block('nginx')
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace(/(ssl_certificate +)\S+/, `$1${folder}/cert.pem;`)
      .replace(/(ssl_certificate_key +)\S+/, `$1${folder}/key.pem;`)
      .replace(SERVER, server)
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const config = [
      'daemon off; master_process off; pid nginx.pid; error_log stderr; events {}',
      `http { access_log off; ${folders.map((name) => `${name}_temp_path ${name};`).join(' ')}`,
      `${site}}`,
    ]
    return {
      config: config.join('\n'),
      command: ['-p', folder, '-c', join(folder, 'config'), '-e', 'stderr'],
    }
  },
  caddy(folder, port, server) {
    const site = block('')
      .replace(
        `${PROXY_HOST} {`,
        `${PROXY_HOST}:${port} {\n\tbind 127.0.0.1\n\ttls cert.pem key.pem`,
      )
      .replace(SERVER, server)
    return {
      config: `{\n\tadmin off\n\tauto_https off\n}\n${site}`,
      command: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')],
    }
  },
}

/** Returns the guide's code block with this language that names the service. */
function block(fence: string): string {
  const found = GUIDE.split(/^```/m).find(
    (text) => text.startsWith(`${fence}\n`) && text.includes(PROXY_HOST) && text.includes(SERVER),
  )
  if (found === undefined) throw new Error(`the guide has no block ${fence} for a proxy`)
  return found.slice(fence.length)
}
