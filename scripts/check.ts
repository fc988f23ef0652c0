/**
 * `bun run check`: everything that must hold before a change is kept, the same on every machine.
 *
 * Installs what the lock file names, checks format and lint, checks types, runs every test. A step
 * that fails does not stop the next one, so that one run tells everything. The last line is
 * `N passed, N failed`, with `, N skipped` when tests were skipped.
 *
 * What is counted: each test, by the summary that the test run itself prints, and one for each of
 * the steps install, format and lint, types. A file that throws while it loads is one failed test
 * there (the JUnit report leaves such a file out, so it is not what is counted). One failure more
 * is counted when the test run ends badly without naming a failed test, ends before its summary,
 * or runs no test at all.
 *
 * Nothing is imported but what Bun itself brings: nothing else is installed when this starts. Tools
 * are started through the running Bun, because neither `bun` nor `node` need be on the PATH.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

type Step = { name: string; args: string[]; limitSeconds: number; count: (end: End) => Count }
type End = { ok: boolean; output: string }
type Count = { passed: number; failed: number; skipped: number; problem?: string }

const ROOT = resolve(import.meta.dir, '..')

const STEPS: Step[] = [
  {
    name: 'install',
    // No package here needs its install script, and one would report the install to its maker.
    args: ['install', '--frozen-lockfile', '--ignore-scripts'],
    limitSeconds: 180,
    count: countStep,
  },
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--max-diagnostics=none', '--colors=off'],
    limitSeconds: 60,
    count: countStep,
  },
  {
    name: 'types',
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '--project', '.'],
    limitSeconds: 90,
    count: countStep,
  },
  {
    name: 'tests',
    // Processes that keep what their files share: the sample goes in once for all of a process. One more
    // than the two cores of a small machine, as stories in the browser and servers that stop mostly wait.
    // No test is a race against the clock: the limit of one only ends what hangs.
    args: ['--no-env-file', 'test', '--parallel=3', '--no-isolate', '--timeout=30000'],
    limitSeconds: 720,
    count: countTests,
  },
]

const counts = STEPS.map(run)
const sum = (word: 'passed' | 'failed' | 'skipped') =>
  counts.reduce((total, count) => total + count[word], 0)
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exitCode = sum('failed') > 0 ? 1 : 0

/** Runs one step, prints its name, result and time, and all that it wrote if it failed. */
function run(step: Step): Count {
  process.stdout.write(step.name.padEnd(17))
  const started = performance.now()
  const end = execute(step)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const count = step.count(end)
  console.log(`${count.failed === 0 ? 'ok    ' : 'failed'} ${seconds.padStart(6)} s`)
  if (count.failed > 0) console.log(`\n${end.output.trim()}\n`)
  if (count.problem !== undefined) console.log(`${step.name}: ${count.problem}\n`)
  return count
}

/**
 * The output goes to a file, not a pipe: a server that a broken test left running would hold the
 * pipe open, and this would wait for it for ever.
 */
function execute({ args, limitSeconds }: Step): End {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-check-'))
  const path = join(folder, 'output')
  const file = openSync(path, 'w')
  try {
    const { exitCode, signalCode, exitedDueToTimeout } = Bun.spawnSync({
      cmd: [process.execPath, ...args],
      cwd: ROOT,
      env: environment(),
      stdio: ['ignore', file, file],
      timeout: limitSeconds * 1000,
      killSignal: 'SIGKILL',
    })
    const output = readFileSync(path, 'utf8')
    if (exitCode === 0) return { ok: true, output }
    const how = exitedDueToTimeout
      ? `Stopped: not finished after ${limitSeconds} s.`
      : `Ended with ${signalCode ?? `exit code ${exitCode}`}.`
    return { ok: false, output: `${output}\n${how}` }
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}

/** The settings of Cardstock that this machine happens to have must not decide what a test sees. */
function environment(): Record<string, string | undefined> {
  const settings = readOrEmpty('.env.example').matchAll(/^#?[ ]?([A-Z][A-Z0-9_]*)=/gm)
  const without = Object.fromEntries([...settings].map(([, name]) => [name, undefined]))
  return { ...process.env, ...without, CARDSTOCK_CHAOS: undefined, CI: 'true' }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return ''
  }
}

function countStep({ ok }: End): Count {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/** Reads the last summary in the output: ` 8 pass`, ` 1 skip`, …, `Ran 9 tests across 2 files.` */
function countTests({ ok, output }: End): Count {
  const summaries = output.matchAll(
    /((?:^ *\d+ [a-z() ]+\n)+)Ran (\d+) tests? across \d+ files?\./gm,
  )
  const [, lines = '', ran] = [...summaries].at(-1) ?? []
  const of = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(lines)?.[1] ?? 0)
  const count = { passed: of('pass'), failed: of('fail'), skipped: of('skip') + of('todo') }

  const problem =
    ran === undefined ? 'the run ended before its summary.' : problemOf(count, Number(ran), ok)
  return problem === undefined ? count : { ...count, failed: count.failed + 1, problem }
}

/** What makes the test run a failed one although no test failed. */
function problemOf(count: Count, ran: number, ok: boolean): string | undefined {
  const { passed, failed, skipped } = count
  if (passed + failed + skipped !== ran) return 'the summary was not understood.'
  if (passed + failed === 0) return 'no test ran.'
  if (!ok && failed === 0) return 'no test failed, yet the run did.'
  return undefined
}
