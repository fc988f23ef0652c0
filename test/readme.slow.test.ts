/** Runs every block of README.md like a newcomer, in a copy of the checkout. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findFreePort } from './support/free-port.ts'

/** An outer limit for a busy machine: packages are installed and images indexed. */
setDefaultTimeout(180_000)

const ROOT = resolve(import.meta.dir, '..')
const README = readText('README.md')
const blocks = [...README.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
const [start = '', docker = '', ...sample] = blocks.slice(0, -1)
const connect = blocks.at(-1) ?? ''

type Environment = Record<string, string>

const folder = mkdtempSync(join(tmpdir(), 'cardstock-readme-'))
const checkout = join(folder, 'cardstock')
const servers: Bun.Subprocess[] = []
const alerts: (string | null)[] = []
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    alerts.push(request.headers.get('cardstock-test'))
    return new Response()
  },
})

beforeAll(() => {
  const left = /^(node_modules|\.git|dist|data\/run|bench\/run)$|\.env$/
  const filter = (path: string) => !left.test(path.slice(ROOT.length + 1))
  cpSync(ROOT, checkout, { recursive: true, filter })
})
afterAll(async () => {
  for (const { pid } of servers) process.kill(-pid, 'SIGTERM')
  while (servers.some(({ pid }) => isRunning(pid))) await Bun.sleep(50)
  await receiver.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

test('README.md has at most 120 lines and eight blocks', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  expect(blocks).toHaveLength(8)
})

describe('the sample', () => {
  let output: string
  let requests: string[]

  beforeAll(async () => {
    const port = await serve(start, checkout)
    while (!/^cardstock_reader_pictures \d{3}$/m.test(await read(port, '/metrics'))) {
      await Bun.sleep(200)
    }
    const run = spawn(sample.join('\n'), checkout, port)
    const [stdout, stderr, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ])
    if (code !== 0) throw new Error(`exit code ${code}\n${stdout}\n${stderr}`)
    output = stdout
    requests = stderr.match(/^requested \d+$/gm) ?? []
  })

  test('answers every request', () => {
    const written = sample.join('\n').match(/^(curl|get) /gm) ?? []
    expect(requests).toHaveLength(written.length)
    expect(requests.filter((request) => !/ 20[01]$/.test(request))).toEqual([])
  })

  test('identifies a photo over HTTP and one without a server', () => {
    expect(output).toMatch(/"status":"matched".*Hesper Ring/)
    expect(output.match(/"?status"?:? ?"?matched/g)?.length).toBeGreaterThanOrEqual(2)
  })

  test('finds a price for every row of the collection, over HTTP and without a server', () => {
    expect(output).toContain('"unmatched":[]')
    expect(output).toContain('"unpriced":0')
    const rows = readFileSync(join(checkout, 'data/sample/collection.csv'), 'utf8')
      .trim()
      .split('\n')
    const valued = readFileSync(join(checkout, 'valued.csv'), 'utf8').trim()
    expect(valued.split('\n')).toHaveLength(rows.length + 1)
    expect(output.replaceAll('\r', '')).toContain(valued.replaceAll('\r', ''))
  })

  test('sends a test alert', () => {
    expect(alerts).toEqual(['1'])
    expect(output).toContain('"delivered"')
  })
})

test('a mirror is synced and served, in the folder of the server that was started first', async () => {
  expect(connect).not.toContain('DATA_DIR')
  // Without the sample, the games are those of the mirror.
  const port = await serve(connect, checkout, { DATA_DIR: join(folder, 'data') })
  expect(await read(port, '/v1/games')).toContain('"slug":"wickerwild"')
})

test('Docker gets the port, the folder and the command of the image', () => {
  const dockerfile = readText('Dockerfile')
  const instruction = (name: string) =>
    new RegExp(`^${name} (.+)$`, 'm').exec(dockerfile)?.[1] ?? ''
  expect(docker).toContain(`--publish 127.0.0.1:3000:${instruction('EXPOSE')} `)
  expect(docker).toContain(`--volume cardstock-data:${instruction('VOLUME')} `)
  expect(docker).toEndWith(` cardstock ${JSON.parse(instruction('CMD')).join(' ')} --with-sample\n`)
})

/** Runs the commands of a block up to the one that starts the server. Returns the port when the server is ready. */
async function serve(block: string, cwd: string, env: Environment = {}): Promise<number> {
  const port = await findFreePort()
  const server = spawn(block, cwd, port, env)
  servers.push(server)
  while (!(await read(port, '/readyz').catch(() => ''))) {
    if (server.exitCode !== null) throw new Error(await new Response(server.stderr).text())
    await Bun.sleep(100)
  }
  return port
}

async function read(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return response.ok ? response.text() : ''
}

/**
 * Starts a block with replacements: npx runs this Bun, the mirror is the sample, and server and receiver use free
 * ports. Each curl fails on an error status, and reports its status.
 */
function spawn(block: string, cwd: string, port: number, env: Environment = {}) {
  const script = `
    set -euo pipefail
    npx() { [ "$1 $2" = '-y bun@1.4.5' ]; '${process.execPath}' "\${@:3}"; }
    curl() { command curl -sS --fail-with-body -w '\\n%{stderr}requested %{http_code}\\n' "$@"; }
    ${block
      .replace('API=http://localhost:3000', `API=http://localhost:${port}`)
      .replace('http://localhost:8080', `http://localhost:${receiver.port}`)
      .replace('https://tcgcsv.com', `file://${checkout}/data/sample`)
      .replace('--game pokemon', '--game wickerwild')}`
  const { PATH = '', HOME = '' } = process.env
  return Bun.spawn(['bash', '-c', script], {
    cwd,
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A separate process group, so that one signal ends the shell, bun and the server.
    detached: true,
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
