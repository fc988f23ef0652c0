/** The client as `bun run pack-client` packs it, in a fresh project: it runs in Bun and Node.js, and its types are complete. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTempFolder } from '../support/closers.ts'
import { createTestApp } from '../support/test-app.ts'

const ROOT = resolve(import.meta.dir, '../..')
const testApp = await createTestApp()
const { url: baseUrl } = testApp.listen()
const folder = createTempFolder('cardstock-project-')

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"project","type":"module"}')
  const packed = packClient(folder)
  expect(await run(process.execPath, 'add', packed)).toMatchObject({ code: 0 })
})

async function run(...cmd: string[]) {
  const child = Bun.spawn(cmd, {
    cwd: folder,
    env: { ...process.env, API: baseUrl, KEY: testApp.keys.pro },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, stdout, stderr }
}

/** Runs the command on a machine with Bun alone and no registry, and returns the path of the package. */
function packClient(outFolder: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync({
    cmd: [process.execPath, '--no-env-file', 'scripts/pack-client.ts', outFolder],
    cwd: ROOT,
    env: { HOME: outFolder, npm_config_registry: 'http://127.0.0.1:1' },
  })
  expect({ exitCode, stderr: `${stderr}` }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(`${stdout}`).package
}

const PROGRAMS = [
  ['Bun', process.execPath],
  ['Node.js', Bun.which('node')],
] as const

const PROGRAM = `import { ApiError, openClient } from 'cardstock-client'

const client = openClient({ baseUrl: process.env.API, key: process.env.KEY })
const { data } = await client.get('/v1/cards/{id}', { path: { id: 900003 } })
console.log(data.name)
const error = await client.get('/v1/cards/{id}', { path: { id: 1 } }).catch((error) => error)
console.log(error instanceof ApiError, error.code)
`

describe('the packed client', () => {
  test('has code, types, README and license, and no dependencies', () => {
    const installed = join(folder, 'node_modules/cardstock-client')
    expect(
      readdirSync(installed)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    ).toEqual(
      [
        'LICENSE',
        'README.md',
        'client.d.ts',
        'client.js',
        'endpoints.d.ts',
        'package.json',
        'requests.d.ts',
      ].sort(),
    )
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(manifest.version).toBe(version)
  })

  for (const [name, program] of PROGRAMS) {
    test.skipIf(program === null)(`runs in ${name}`, async () => {
      writeFileSync(join(folder, 'program.js'), PROGRAM)
      expect(await run(program ?? '', 'program.js')).toEqual({
        code: 0,
        stdout: 'Cindlemane Regent\ntrue NOT_FOUND\n',
        stderr: '',
      })
    })
  }

  test.each(['nodenext', 'bundler'])(
    'has its types with the module resolution %s',
    async (kind) => {
      const program = `import { openClient, type Card } from 'cardstock-client'
const client = openClient({ baseUrl: 'http://localhost:3000' })
const { data } = await client.get('/v1/cards/{id}', { path: { id: 1 } })
const card: Card = data
const name: string = card.name
// @ts-expect-error: the endpoint does not exist
await client.get('/v1/nothing')
// @ts-expect-error: the name is a string
const wrong: number = card.name
export { name, wrong }
`
      writeFileSync(join(folder, 'program.ts'), program)
      const module = kind === 'bundler' ? 'esnext' : kind
      const options = `--noEmit --strict --target es2022 --module ${module} --moduleResolution ${kind} --lib es2023,dom`
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const checked = await run(process.execPath, tsc, ...options.split(' '), 'program.ts')
      expect(checked).toMatchObject({ code: 0, stdout: '' })
    },
  )

  test('runs the program of its README', async () => {
    const [, program = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'src/client/README.md'), 'utf8')) ?? []
    writeFileSync(join(folder, 'readme.mts'), program.replace('http://localhost:3000', baseUrl))
    const { code, stdout, stderr } = await run(process.execPath, 'readme.mts')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^T\.S\.V\. Marigold.* [\d.]+\n(.*\n)*404 NOT_FOUND /)
  })
})
