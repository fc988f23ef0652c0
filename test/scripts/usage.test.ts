import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

const CHAOS = resolve(import.meta.dir, '../../scripts/chaos.ts')

const chaos = (...args: string[]) => run(CHAOS, ...args)

async function run(script: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, '--no-env-file', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, stdout, stderr }
}

test('chaos without a name lists the runs and their purpose', async () => {
  const { code, stdout, stderr } = await chaos()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^ {2}money {4}\w[\s\S]*^ {2}alerts {3}\w/m)
})

test.each([
  ['order', /Unknown chaos run "order"\. Choose one of:\n {2}money {4}/],
  ['--fast', /Unknown option '--fast'/],
])('chaos %s is rejected with the list of runs', async (argument, words) => {
  const { code, stdout, stderr } = await chaos(argument)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/\n\s+at /)
})

test.each([
  'admin',
  'chaos',
  'check',
  'export',
  'identify',
  'import-history',
  'release',
  'resolve',
])('%s --help prints its usage', async (name) => {
  const script = resolve(import.meta.dir, `../../scripts/${name}.ts`)
  expect(await run(script, '--help')).toEqual({
    code: 0,
    stdout: expect.stringContaining(`Usage: bun run ${name}`),
    stderr: '',
  })
})

test.each([
  ['src/main.ts', 'Usage: bun run start'],
  ['bench/run.ts', 'Usage: bun run bench'],
])('%s --help prints its usage', async (path, usage) => {
  const { code, stdout } = await run(resolve(import.meta.dir, '../..', path), '--help')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(usage) })
})
