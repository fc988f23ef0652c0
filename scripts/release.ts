// Checks that the tree can be released, with pinned base images and packages without known vulnerabilities, and
// builds the files of the release.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { runCommand } from './cli/run-command.ts'
import { printResult } from './cli/terminal.ts'
import { formatBytes } from './cli/text.ts'
import { RELEASE } from './cli/tree-commands.ts'
import { RELEASE_FILES, writeChecksums } from './executable/release-files.ts'

const ROOT = resolve(import.meta.dir, '..')
const DOCKERFILE = join(ROOT, 'Dockerfile')

/** Timeout for a response of a registry. */
const TIMEOUT_MS = 60_000

/** Result of one check; `not_run` if it could not be made. */
type ReleaseCheck = { check: string; state: 'passed' | 'failed' | 'not_run'; message: string }

await runCommand(RELEASE, async ({ 'checks-only': isCheckOnly, json }) => {
  const states = new Set<ReleaseCheck['state']>()
  const print = (result: ReleaseCheck) => {
    states.add(result.state)
    printResult(result, {
      json,
      text: `${result.state.padEnd(7)}  ${result.check}: ${result.message}`,
    })
  }
  for (const result of await pinImages(DOCKERFILE)) print(result)
  print(await checkAdvisories())
  if (!isCheckOnly) for await (const result of buildFiles(join(ROOT, 'dist/release'))) print(result)
  if (states.has('failed')) return 1
  return states.has('not_run') ? 3 : 0
})

/** Builds all files of the release. One that fails does not stop the others, and leaves no checksums. */
async function* buildFiles(folder: string): AsyncGenerator<ReleaseCheck> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (const { name, make } of RELEASE_FILES) {
    try {
      const path = await make(folder)
      paths.push(path)
      const message = `${relative(ROOT, path)}, ${formatBytes(statSync(path).size)}`
      yield { check: name, state: 'passed', message }
    } catch (error) {
      yield { check: name, state: 'failed', message: String(error) }
    }
  }
  if (paths.length < RELEASE_FILES.length) return
  const message = relative(ROOT, writeChecksums(folder, paths))
  yield { check: 'checksums', state: 'passed', message }
}

/** Writes the digest of each base image into the Dockerfile, behind its tag. */
async function pinImages(path: string): Promise<ReleaseCheck[]> {
  const text = readFileSync(path, 'utf8')
  const checks: ReleaseCheck[] = []
  let pinned = text
  for (const image of baseImages(text)) {
    const [tagged = image] = image.split('@')
    const check = `base image ${tagged}`
    try {
      const current = `${tagged}@${await fetchDigest(tagged)}`
      pinned = pinned.replace(`FROM ${image}`, `FROM ${current}`)
      checks.push({ check, state: 'passed', message: current })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      checks.push({ check, state: 'not_run', message: `The digest could not be read: ${reason}` })
    }
  }
  if (pinned !== text) writeFileSync(path, pinned)
  return checks
}

/** Lists the images that a Dockerfile builds on, without the names of its own stages. */
function baseImages(dockerfile: string): string[] {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)]
  const own = new Set(stages.map(([, , name]) => name))
  return stages.map(([, image = '']) => image).filter((image) => !own.has(image))
}

/** Reads the current digest of an image for all platforms from its registry. */
async function fetchDigest(image: string): Promise<string> {
  const { output, errors } = await run(
    'docker',
    'buildx',
    'imagetools',
    'inspect',
    image,
    '--format',
    '{{json .Manifest}}',
  )
  const { digest } = (parseObject(output) ?? {}) as { digest?: unknown }
  if (typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest
  const [reason = ''] = errors.split('\n')
  throw new Error(reason || 'Docker printed no digest.')
}

/** Checks all packages of bun.lock, including development tools, for advisories in the package registry. */
async function checkAdvisories(): Promise<ReleaseCheck> {
  const check = 'advisories'
  const { output, errors } = await run(process.execPath, 'audit', '--json')
  // `bun audit` exits with 1 for advisories and for a registry that does not answer; only the former print JSON.
  const advisories = parseObject(output)
  if (advisories === undefined) {
    return { check, state: 'not_run', message: `The registry did not answer: ${errors}` }
  }
  const names = Object.keys(advisories)
  if (names.length === 0) return { check, state: 'passed', message: 'No advisory is known.' }
  const message = `Run \`bun audit\`, and upgrade ${names.join(', ')}.`
  return { check, state: 'failed', message }
}

/** Runs a program, and returns what it printed; an explanation in `errors` if it cannot be started. */
async function run(...command: string[]): Promise<{ output: string; errors: string }> {
  if (Bun.which(command[0] ?? '') === null) {
    return { output: '', errors: `${command[0]} is not installed.` }
  }
  const child = Bun.spawn(command, {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: TIMEOUT_MS,
  })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { output, errors: errors.trim() }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
