import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { findProgram } from '../operations/find-program.ts'
import { startCommand, waitUntilAnswering } from '../process.ts'

const VERSION = '0.203.0'
const BUILD_MS = 120_000

/**
 * Finds Stripe's official stateless test server, which is generated from its API description: the program in
 * STRIPE_MOCK, or one that is built once if Go is installed.
 *
 * @returns its path, or the reason why it is unavailable
 */
export function findStripeMock(): { file: string } | { why: string } {
  const named = process.env.STRIPE_MOCK
  if (named) return existsSync(named) ? { file: named } : { why: `${named} does not exist` }
  const folder = resolve(import.meta.dir, `../../../node_modules/.cache/stripe-mock-${VERSION}`)
  const file = join(folder, 'stripe-mock')
  if (existsSync(file)) return { file }
  const go = findProgram('go')
  if (go === undefined) return { why: 'neither STRIPE_MOCK is set nor go installed' }
  const built = Bun.spawnSync([go, 'install', `github.com/stripe/stripe-mock@v${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
    timeout: BUILD_MS,
    stderr: 'pipe',
  })
  if (built.success && existsSync(file)) return { file }
  return { why: `go could not build it: ${built.stderr.toString().trim().slice(-200)}` }
}

/** Starts it and waits until it responds. */
export async function startStripeMock(file: string) {
  const port = await findFreePort()
  // Any port for HTTPS: another test would otherwise use the same one, and it would end.
  const addresses = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', '127.0.0.1:0']
  const mock = startCommand([file, ...addresses])
  const url = `http://127.0.0.1:${port}`
  await waitUntilAnswering(mock, url)
  return { url, close: mock.kill }
}
