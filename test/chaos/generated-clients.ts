/**
 * Clients generated from the API document of a running server are checked for types and used: `bun run chaos
 * clients`. Needs the npm and PyPI registries, so its name keeps it out of `bun run check`.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceAccounts } from '../support/accounts/service-accounts.ts'
import { runCommand } from '../support/process.ts'
import { prepareSample, type ServerProcess, startService } from '../support/server-process.ts'
import {
  type ClientResults,
  FETCH_PROGRAM,
  PYTHON_PROGRAM,
  SDK_PROGRAM,
} from './clients/client-programs.ts'

const TYPESCRIPT = 'typescript@5.9.3'
const NODE_TYPES = '@types/node@24.10.1'
/** TypeScript without this project's options, as strict as its flag makes it. */
const CHECK = ['tsc', '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext']
const CHECK_OPTIONS = ['--moduleResolution', 'bundler', '--allowImportingTsExtensions']

const EXPECTED: ClientResults = {
  game: 'wickerwild',
  found: 'Cindlemane',
  prices: 2,
  resolved: 900003,
  unmatched: 'no_match',
  error: 'INVALID_IMAGE',
}

const root = mkdtempSync(join(tmpdir(), 'cardstock-clients-'))
let service: ServerProcess
let key: string
let document: string

beforeAll(async () => {
  const dataDir = join(root, 'data')
  mkdirSync(dataDir)
  await prepareSample(dataDir)
  service = await startService(dataDir, { INDEX_PICTURES: 'off', BULK_FILES: 'off' })
  const [account] = await createServiceAccounts(dataDir, [{ tier: 'pro', scans: 10 }])
  key = account?.key ?? ''
  document = join(root, 'openapi.json')
  await Bun.write(document, await fetch(`${service.url}/openapi.json`))
})

afterAll(async () => {
  await service.stop()
  rmSync(root, { recursive: true, force: true })
})

test('the types of openapi-typescript are correct and describe real responses', async () => {
  const folder = createFolder('openapi-typescript')
  const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', TYPESCRIPT, NODE_TYPES]
  if (!(await installNodePackages(folder, packages))) return
  await run(folder, [...binary('openapi-typescript'), document, '-o', 'schema.d.ts'])
  const program = await checkProgram(folder, FETCH_PROGRAM)
  const results = await run(folder, [process.execPath, program, service.url, key])
  const types = readFileSync(join(folder, 'schema.d.ts'), 'utf8')
  const [, schemas = ''] = types.split(/^ {4}(?:schemas|responses): \{$/m)
  const names = namesIn(schemas, /^ {8}(\w+): /gm)
  expectResults('openapi-typescript 7.13.0', folder, names, results)
})

test('the functions of @hey-api/openapi-ts are correct and work', async () => {
  const folder = createFolder('hey-api')
  if (
    !(await installNodePackages(folder, ['@hey-api/openapi-ts@0.99.0', TYPESCRIPT, NODE_TYPES]))
  ) {
    return
  }
  const options = ['-c', '@hey-api/client-fetch', '--no-log-file']
  await run(folder, [...binary('openapi-ts'), '-i', document, '-o', 'generated', ...options])
  const program = await checkProgram(folder, SDK_PROGRAM)
  const results = await run(folder, [process.execPath, program, service.url, key])
  const types = readFileSync(join(folder, 'generated/types.gen.ts'), 'utf8')
  const names = namesIn(types, /^export type (\w+) =/gm)
  expectResults('@hey-api/openapi-ts 0.99.0', join(folder, 'generated'), names, results)
})

test('the package of openapi-python-client compiles and works', async () => {
  const folder = createFolder('python')
  const python = join(folder, 'environment/bin/python')
  const generator = 'openapi-python-client==0.29.1'
  const installed =
    (await succeeds(folder, ['python3', '-m', 'venv', 'environment'])) &&
    (await succeeds(folder, [python, '-m', 'pip', 'install', '-q', '--retries', '1', generator]))
  if (!installed) return skip(generator, 'Python or PyPI is not available')
  const target = ['--output-path', 'cardstock_client', '--meta', 'none']
  const command = [python, '-m', 'openapi_python_client', 'generate', '--path', document]
  await run(folder, [...command, ...target])
  await run(folder, [python, '-m', 'compileall', '-q', 'cardstock_client'])
  await Bun.write(join(folder, 'program.py'), PYTHON_PROGRAM)
  const results = await run(folder, [python, 'program.py', service.url, key])
  const models = readFileSync(join(folder, 'cardstock_client/models/__init__.py'), 'utf8')
  const names = namesIn(models, /^from \.\w+ import (\w+)/gm)
  expectResults('openapi-python-client 0.29.1', join(folder, 'cardstock_client'), names, results)
})

function createFolder(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  return folder
}

/** Installs packages in a folder, and explains a failure if the registry is not available. */
async function installNodePackages(folder: string, packages: string[]): Promise<boolean> {
  await Bun.write(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const add = [process.execPath, 'add', '--exact', '--ignore-scripts', ...packages]
  if (await succeeds(folder, add)) return true
  skip(packages[0] ?? '', 'the npm registry is not available')
  return false
}

function skip(generator: string, reason: string): void {
  console.info(JSON.stringify({ client: generator, skipped: reason }))
}

function binary(name: string): string[] {
  return [process.execPath, join('node_modules/.bin', name)]
}

/** Writes a program and checks its types with those of the generated code. */
async function checkProgram(folder: string, source: string): Promise<string> {
  const program = 'program.ts'
  await Bun.write(join(folder, program), source)
  const [tsc = '', ...options] = [...CHECK, ...CHECK_OPTIONS]
  await run(folder, [...binary(tsc), ...options, '--types', 'node', program])
  return program
}

/** Returns true if a command succeeds. */
async function succeeds(cwd: string, cmd: string[]): Promise<boolean> {
  try {
    await run(cwd, cmd)
    return true
  } catch (error) {
    console.info(String(error))
    return false
  }
}

/**
 * Runs a command and returns its output.
 *
 * @throws Error with the output if it fails
 */
async function run(cwd: string, cmd: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(cmd, { cwd })
  if (code !== 0) throw new Error(`${cmd.slice(0, 4).join(' ')}: ${code}\n${stdout}${stderr}`)
  return stdout
}

function namesIn(source: string, pattern: RegExp): string[] {
  return [...new Set([...source.matchAll(pattern)].map(([, name = '']) => name))]
}

/** Prints the client's name, and compares its results with those of the sample catalog. */
function expectResults(client: string, folder: string, names: string[], output: string): void {
  const results = JSON.parse(output)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|py)$/.test(file) && !/node_modules|^program/.test(file),
  )
  const summary = { client, files: files.length, models: names.length }
  console.info(JSON.stringify({ ...summary, names: names.slice(0, 8), results }))
  expect(results).toEqual(EXPECTED)
  // Schemas keep the names of the document.
  expect(names).toEqual(expect.arrayContaining(['Card', 'Price', 'CardSet', 'SearchResult']))
}
