// The release command on a copy of the tree, with registries that answer, complain or are unavailable.
import { describe, expect, test } from 'bun:test'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { closeAfterUse } from '../support/end-of-tests.ts'

const ROOT = resolve(import.meta.dir, '../..')
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

/** Runs the command. `docker` is the shell script that replaces it; `advisories` is the registry's response. */
async function release(world: { docker?: string; advisories?: object }) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-release-'))
  closeAfterUse(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of ['Dockerfile', 'package.json', 'bun.lock', 'scripts/release.ts'])
    cpSync(join(ROOT, path), join(folder, path))
  for (const name of ['cli', 'executable'])
    symlinkSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name))
  mkdirSync(join(folder, 'bin'))
  if (world.docker !== undefined)
    writeFileSync(join(folder, 'bin/docker'), `#!/bin/sh\n${world.docker}\n`, { mode: 0o755 })
  const requests: string[] = []
  const registry = Bun.serve({
    port: 0,
    async fetch(request) {
      requests.push(Buffer.from(Bun.gunzipSync(await request.bytes())).toString())
      return world.advisories === undefined
        ? new Response(null, { status: 405 })
        : Response.json(world.advisories)
    },
  })
  closeAfterUse(() => registry.stop(true))
  const before = readFiles(folder)
  const script = join(folder, 'scripts/release.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', script, '--checks-only'], {
    env: { PATH: join(folder, 'bin'), HOME: folder, npm_config_registry: registry.url.href },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const checks = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const states = Object.fromEntries(checks.map(({ check, state }) => [check.split(' ')[0], state]))
  return {
    code,
    errors,
    states,
    checks,
    requests,
    dockerfile: readFileSync(join(folder, 'Dockerfile'), 'utf8'),
    changed: changedFiles(before, readFiles(folder)),
  }
}

function readFiles(folder: string): Map<string, string> {
  const paths = [...new Bun.Glob('**').scanSync({ cwd: folder, followSymlinks: true })]
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** Lists the files that were written, created or removed. */
function changedFiles(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path))
}

const HAS_IMAGE = `echo '{"mediaType":"application/vnd.oci.image.index.v1+json","digest":"${DIGEST}"}'`

describe('a release', () => {
  test('pins each base image by its digest, changes nothing else, and checks every package for advisories', async () => {
    const { code, errors, states, requests, dockerfile, changed } = await release({
      docker: HAS_IMAGE,
      advisories: {},
    })
    expect({ code, errors, states }).toEqual({
      code: 0,
      errors: '',
      states: { base: 'passed', advisories: 'passed' },
    })
    expect(changed).toEqual(['Dockerfile'])
    expect(dockerfile).toContain(`FROM docker.io/oven/bun:1.4.5-slim@${DIGEST} AS base\n`)
    expect(dockerfile.replace(`@${DIGEST}`, '')).toBe(
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replace(/@sha256:\w+/, ''),
    )
    expect(Object.keys(JSON.parse(requests[0] ?? ''))).toContain('better-sqlite3')
  })

  test('fails for a package with an advisory, and names it', async () => {
    const advisory = {
      id: 1,
      severity: 'high',
      title: 'T',
      url: 'https://example.com/',
      vulnerable_versions: '<99',
    }
    const { code, checks } = await release({
      docker: HAS_IMAGE,
      advisories: { elysia: [advisory] },
    })
    expect(code).toBe(1)
    expect(checks.at(-1)).toEqual({
      check: 'advisories',
      state: 'failed',
      message: 'Run `bun audit`, and upgrade elysia.',
    })
  })

  test('reports a check that could not run, and leaves the Dockerfile alone', async () => {
    const missing = await release({ advisories: {} })
    expect([missing.code, missing.checks[0]?.message]).toEqual([
      3,
      'The digest could not be read: docker is not installed.',
    ])
    const away = await release({ docker: 'echo "no such host" >&2; exit 1' })
    expect(away.states).toEqual({ base: 'not_run', advisories: 'not_run' })
    expect([away.code, away.checks[0]?.message]).toEqual([
      3,
      'The digest could not be read: no such host',
    ])
    expect(away.checks[1]?.message).toContain('405')
    expect(away.dockerfile).toBe(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
  })
})

describe('the packages', () => {
  test('include no telemetry: the one that swagger-ui-dist depends on is empty', () => {
    const lock = readFileSync(join(ROOT, 'bun.lock'), 'utf8')
    const scarf = [...lock.matchAll(/"@scarf\/scarf@([^"]+)"/g)].map(([, version]) => version)
    expect(scarf).toEqual(['file:scripts/tools/no-telemetry'])
    expect([...new Bun.Glob('**').scanSync(join(ROOT, 'scripts/tools/no-telemetry'))]).toEqual([
      'package.json',
    ])
  })

  test('have an install script in one known case, and may not run it', () => {
    const lock = readFileSync(join(ROOT, 'bun.lock'), 'utf8')
    const scripts = [...lock.matchAll(/"([^"]+)", "", \{[^\n]*"hasInstallScript": true/g)]
    expect(scripts.map(([, name]) => name?.replace(/@[^@]+$/, '')).sort()).toEqual([
      '@foundry-rs/anvil',
    ])
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).toMatchObject({
      trustedDependencies: [],
    })
  })
})
