/** The image and its service, if Docker and the linter are installed; image.slow.test.ts needs neither. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { findFreePort } from './support/free-port.ts'
import { findProgram } from './support/operations/find-program.ts'

const ROOT = resolve(import.meta.dir, '..')
/** The base image and the packages may have to be downloaded. */
setDefaultTimeout(300_000)

const HAS_DOCKER = ['info', 'compose version'].every(
  (words) =>
    Bun.which('docker') !== null && Bun.spawnSync(['docker', ...words.split(' ')]).exitCode === 0,
)
if (!HAS_DOCKER) console.log('Docker does not run here: the image is not built.')

const HADOLINT = findProgram('hadolint')
if (HADOLINT === undefined) console.log('hadolint is not installed: the Dockerfile is not linted.')

async function run(env: Record<string, string>, ...command: string[]) {
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, stdout, stderr }
}

test.skipIf(!HAS_DOCKER)('docker compose starts a healthy server that keeps its data', async () => {
  const env = { PORT: String(await findFreePort()), NODE_ENV: 'production' }
  const compose = (...args: string[]) =>
    run(env, 'docker', 'compose', '--project-name', 'cardstock-check', ...args)
  try {
    const up = await compose('up', '--build', '--detach', '--wait', '--wait-timeout', '240')
    expect(up).toMatchObject({ code: 0 })
    const response = await fetch(`http://127.0.0.1:${env.PORT}/readyz`)
    expect(await response.json()).toMatchObject({ status: 'ready' })
    const admin = ['exec', '-T', 'cardstock', 'bun', 'run', 'admin', 'account']
    const account = ['--email', 'ann@example.com', '--password', 'long enough']
    expect(await compose(...admin, 'create', ...account)).toMatchObject({ code: 0 })
    expect(await compose('up', '--detach', '--force-recreate', '--wait')).toMatchObject({ code: 0 })
    expect((await compose(...admin, 'list')).stdout).toContain('ann@example.com')
  } finally {
    await compose('down', '--volumes')
  }
})

test.skipIf(HADOLINT === undefined)('hadolint accepts the Dockerfile', async () => {
  expect(await run({}, HADOLINT ?? '', 'Dockerfile')).toEqual({ code: 0, stdout: '', stderr: '' })
})
