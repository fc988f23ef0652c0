/**
 * docs/deploy: the fleet's Compose file, HAProxy configuration and Helm chart. Servers are started with their
 * settings.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Ajv from 'ajv'
import type { Environment } from '#config/setting-reader.ts'
import { isInFleet, readConfig, readWorkerConfig } from '#config.ts'
import { findFreePort } from './support/free-port.ts'
import { findProgram } from './support/operations/find-program.ts'
import { startServerProcess } from './support/server-process.ts'

const ROOT = resolve(import.meta.dir, '..')
const COMPOSE = readText('docs/deploy/docker-compose.fleet.yml')
const CHART = join(ROOT, 'docs/deploy/cardstock')
const PRODUCTION = join(CHART, 'production.yaml')
const SECRETS = {
  APP_SECRET: 'a'.repeat(64),
  POSTGRES_PASSWORD: 'b'.repeat(48),
  AWS_SECRET_ACCESS_KEY: 'c'.repeat(48),
}

/** Every setting; test/docs.test.ts compares the list with src/config.ts. */
const SETTINGS: string[] = readText('.env.example').match(/(?<=^#? ?)[A-Z][A-Z0-9_]*(?==)/gm) ?? []

describe('docker-compose.fleet.yml', () => {
  type Service = { environment?: Record<string, string>; image?: string }
  const { services } = Bun.YAML.parse(substitute(COMPOSE, SECRETS)) as {
    services: Record<string, Service>
  }
  const environmentOf = (name: string) => services[name]?.environment ?? {}

  test.each(['one', 'two'])('%s has the settings of a server in a fleet', (name) => {
    const environment = environmentOf(name)
    expect(unknownSettings(environment)).toEqual([])
    const config = readConfig({ ...imageEnvironment(), ...environment })
    expect(isInFleet(config)).toBe(true)
    expect(config.photoWorkers?.urls).toEqual(['http://reader:3100'])
  })

  test('reader has the settings of a photo worker', () => {
    const environment = environmentOf('reader')
    expect(unknownSettings(environment)).toEqual([])
    expect(readWorkerConfig({ ...imageEnvironment(), ...environment }).port).toBe(3100)
  })

  test('has no password, and requires those that the guide creates', () => {
    const required = new Set(COMPOSE.match(/(?<=\$\{)\w+(?=:\?)/g))
    expect(required).toEqual(new Set(Object.keys(SECRETS)))
    const [command = ''] = /printf '[^']*'/.exec(readText('docs/guides/operations/fleet.md')) ?? []
    for (const name of required) expect(command).toContain(`${name}=%s\\n`)
  })

  test('names the version of every image that it does not build', () => {
    const images = Object.values(services).flatMap(({ image = '' }) => image)
    for (const image of images.filter((name) => name !== 'cardstock'))
      expect(image).toMatch(/:v?\d+\.\d+/)
  })
})

const HAS_HAPROXY = Bun.which('haproxy') !== null
if (!HAS_HAPROXY) console.warn('HAProxy is not installed: its tests are skipped.')

describe.skipIf(!HAS_HAPROXY)('haproxy.cfg', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cardstock-haproxy-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('is valid', () => {
    expect(run(['haproxy', '-c', '-f', 'docs/deploy/haproxy.cfg']).code).toBe(0)
  })

  test('sends requests to servers that are ready, and none to private pages', async () => {
    const servers = await Promise.all(
      ['one', 'two'].map(async (name) =>
        startServerProcess({ port: await findFreePort(), dataDir: join(folder, name) }),
      ),
    )
    const port = await findFreePort()
    const [one, two] = servers.map(({ url }) => new URL(url).host)
    const path = join(folder, 'haproxy.cfg')
    const config = readText('docs/deploy/haproxy.cfg')
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace('one:3000', one ?? '')
      .replace('two:3000', two ?? '')
    writeFileSync(path, config)
    const proxy = Bun.spawn(['haproxy', '-db', '-f', path], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const url = `http://127.0.0.1:${port}`
    const request = async (page: string, key = '') =>
      (await fetch(url + page, { headers: { 'x-api-key': key } }).catch(() => undefined))?.status
    try {
      await Promise.all(servers.map((server) => server.ready()))
      while ((await request('/v1/games')) !== 200) await Bun.sleep(50)
      for (const page of ['/readyz', '/metrics', '/METRICS/'])
        expect({ page, status: await request(page) }).toEqual({ page, status: 404 })
      await servers[0]?.kill()
      for (let caller = 0; caller < 50; caller++)
        expect(await request('/healthz', `${caller}`)).toBe(200)
    } finally {
      proxy.kill()
      await proxy.exited
      await Promise.all(servers.map((server) => server.kill()))
    }
  })
})

describe('the Helm chart', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readText('docs/deploy/cardstock/values.schema.json')),
  )

  test.each(['values.yaml', 'production.yaml'])('has a schema that accepts %s', (name) => {
    const values = Bun.YAML.parse(readText(`docs/deploy/cardstock/${name}`))
    expect({ isValid: validate(values), errors: validate.errors }).toEqual({
      isValid: true,
      errors: null,
    })
  })
})

const HELM = findProgram('helm')
if (HELM === undefined) {
  console.warn(
    'Helm is not installed: tests of the chart are skipped. "go install helm.sh/helm/v3/cmd/helm@v3.19.0" adds it.',
  )
}
const VALIDATE = findProgram('kubernetes-validate')
if (VALIDATE === undefined) {
  console.warn(
    'kubernetes-validate is not installed: its test is skipped. "pip install kubernetes-validate" adds it.',
  )
}

describe.skipIf(HELM === undefined)('the Helm chart, rendered', () => {
  const secrets = [
    `secret.appSecret=${SECRETS.APP_SECRET}`,
    `secret.postgresPassword=${SECRETS.POSTGRES_PASSWORD}`,
    `secret.awsSecretAccessKey=${SECRETS.AWS_SECRET_ACCESS_KEY}`,
  ]
  const TRIAL = ['--set', secrets.join(',')]
  const OWN = ['--values', PRODUCTION]
  const render = (options: string[]) => run([HELM ?? '', 'template', 'cards', CHART, ...options])

  test('passes helm lint', () => {
    for (const options of [[], TRIAL, OWN])
      expect(run([HELM ?? '', 'lint', '--strict', CHART, ...options])).toMatchObject({ code: 0 })
  })

  test.skipIf(VALIDATE === undefined).each([
    ['a trial', TRIAL],
    ['a production', OWN],
  ])('passes kubernetes-validate for %s', (_, options) => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-chart-'))
    const path = join(folder, 'resources.yaml')
    writeFileSync(path, render(options).output)
    expect(run([VALIDATE ?? '', '--strict', path])).toMatchObject({ code: 0 })
    rmSync(folder, { recursive: true })
  })

  test('refuses to run without secrets', () => {
    const { code, output } = render([])
    expect(code).not.toBe(0)
    expect(output).toContain('is required without existingSecret')
  })

  test('gives servers and workers their settings', () => {
    const resources = parseResources(render(TRIAL).output)
    const server = environmentIn(resources, 'cards-server')
    expect(unknownSettings(server)).toEqual([])
    const config = readConfig({ ...imageEnvironment(), ...server })
    expect(isInFleet(config)).toBe(true)
    expect(config.photoWorkers?.urls).toEqual(['http://cards-worker-0.cards-worker:3100'])
    const worker = environmentIn(resources, 'cards-worker')
    expect(unknownSettings(worker)).toEqual([])
    expect(readWorkerConfig({ ...imageEnvironment(), ...worker }).port).toBe(3100)
  })

  test('has no PostgreSQL and no S3 server in production', () => {
    const resources = parseResources(render(OWN).output)
    const names = resources.filter(({ kind }) => kind === 'StatefulSet').map(nameOf)
    expect(names.sort()).toEqual(['cards-server', 'cards-worker'])
    expect(resources.filter(({ kind }) => kind === 'Secret')).toEqual([])
  })
})

type Variable = {
  name: string
  value?: string
  valueFrom?: { secretKeyRef: { name: string; key: string } }
}
type Resource = {
  kind: string
  metadata: { name: string }
  stringData?: Record<string, string>
  spec?: { template?: { spec: { containers: { env: Variable[] }[] } } }
}

const nameOf = ({ metadata }: Resource) => metadata.name

function parseResources(output: string): Resource[] {
  const parsed = output.split(/^---$/m).map((text) => Bun.YAML.parse(text) as Resource | null)
  return parsed.filter((resource) => resource !== null)
}

/** Returns the variables of a StatefulSet's container, with those of Secrets. */
function environmentIn(resources: Resource[], name: string): Record<string, string> {
  const set = resources.find((one) => one.kind === 'StatefulSet' && nameOf(one) === name)
  const variables = set?.spec?.template?.spec.containers[0]?.env ?? []
  const secrets = resources.filter(({ kind }) => kind === 'Secret')
  const read = ({ value, valueFrom }: Variable) => {
    const key = valueFrom?.secretKeyRef
    return value ?? secrets.find((one) => nameOf(one) === key?.name)?.stringData?.[key?.key ?? '']
  }
  return Object.fromEntries(variables.map((one) => [one.name, read(one) ?? '']))
}

/** Replaces `${NAME}`, `${NAME:?message}` and `${NAME:-default}`, as Compose does. */
function substitute(text: string, variables: Record<string, string>): string {
  return text.replace(
    /\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/g,
    (_, name, fallback = '') => variables[name] ?? fallback,
  )
}

function unknownSettings(environment: Record<string, string>): string[] {
  return Object.keys(environment).filter((name) => !SETTINGS.includes(name))
}

/** Returns the variables of the image. */
function imageEnvironment(): Environment {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(readText('Dockerfile')) ?? []
  return Object.fromEntries(
    [...block.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}

/** Runs a program in the repository's folder. @returns its exit code and output */
function run(command: string[]): { code: number; output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT })
  return { code: exitCode, output: `${stdout}${stderr}` }
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
