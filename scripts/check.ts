/**
 * `bun run check`: everything that must pass before a change is merged.
 *
 * Installs the locked packages, checks format and lint, checks types and runs every test: those of `bun run test`, then
 * those of `bun run test:slow`. A failed step does not stop the next, so one run reports everything. The last line is
 * `N passed, N failed`, with `, N skipped` if tests were skipped.
 *
 * Repeats the reports of failed tests at the end of the output, which is long.
 *
 * Counts one for each of the first three steps and one for each test. A test that ran without any assertion counts as
 * failed. Bun's summary counts the tests, because it includes files that throw while they load. Its JUnit report counts the
 * assertions. One more failure is counted if a run of tests ends without a summary, runs no test, or fails without naming a
 * failed test.
 *
 * `.ci/run` calls it on a PATH and in a HOME with few programs. It names the folders of its own for the tests in CHECK_PATH,
 * and in CHECK_AFTER a file that exists when all are installed: the slow tests wait for it.
 *
 * Everything that tests draw at random comes from one seed, which is printed. FUZZ_SEED sets another.
 *
 * Imports only what Bun includes and this tree has, because no package is installed yet. Starts the tools with the running
 * Bun, because neither `bun` nor `node` need be on the PATH.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readInput } from './cli/run-command.ts'
import { parseTestReport, type ReportedTest, readFailures } from './cli/test-report.ts'
import { CHECK } from './cli/tree-commands.ts'

type Step = {
  name: string
  args: string[]
  prepare?: () => void
  limitSeconds: number
  count: (result: StepResult) => Count
}
type StepResult = { ok: boolean; output: string }
/** Numbers of tests by their outcome. */
type Counts = { passed: number; failed: number; skipped: number }
type Count = Counts & { problem?: string | undefined; failures?: readonly string[] }

const ROOT = resolve(import.meta.dir, '..')
const FOLDER = join(memoryFolder() ?? tmpdir(), `cardstock-check-${process.pid}`)
/** Every temporary file of the tests, also of processes that were killed. The next check removes what a killed one left. */
const TEMPORARY = join(FOLDER, 'tmp')
const JUNIT = join(FOLDER, 'junit.xml')
const SLOW_JUNIT = join(FOLDER, 'slow-junit.xml')
/** Fixed, so that a failure comes from the change. `bun run chaos` draws another. */
const SEED = process.env.FUZZ_SEED || '20261122'

const STEPS: Step[] = [
  {
    name: 'install',
    // No package needs its install script, and one of them reports the installation to its vendor.
    args: ['install', '--frozen-lockfile', '--ignore-scripts'],
    limitSeconds: 300,
    count: countStep,
  },
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--max-diagnostics=none', '--colors=off'],
    limitSeconds: 300,
    count: countStep,
  },
  {
    name: 'types',
    // Each checker repeats some of the work of the others, and takes memory: as many as a small machine has cores.
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '--project', '.', '--checkers', '2'],
    limitSeconds: 300,
    count: countStep,
  },
  {
    name: 'tests',
    args: testArgs('test', JUNIT),
    limitSeconds: 1_500,
    count: (result) => countTests(result, JUNIT),
  },
  {
    name: 'slow tests',
    prepare: awaitPrograms,
    args: testArgs('test:slow', SLOW_JUNIT),
    limitSeconds: 3_000,
    count: (result) => countTests(result, SLOW_JUNIT),
  },
]

// Without an input, the help or a mistake was printed.
if (readInput(CHECK) === undefined) process.exit()

removeLeftovers()
mkdirSync(TEMPORARY, { recursive: true })
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }))
const counts = STEPS.map(run)
const sum = (word: 'passed' | 'failed' | 'skipped') =>
  counts.reduce((total, count) => total + count[word], 0)
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
const failures = counts.flatMap((count) => count.failures ?? [])
if (failures.length > 0) console.log(`\n${failures.join('\n\n')}\n`)
console.log(`seed ${SEED}`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exitCode = sum('failed') > 0 ? 1 : 0

function testArgs(command: 'test' | 'test:slow', report: string): string[] {
  // A run that is stopped ends all that it has started.
  return ['run', command, '--no-orphans', '--reporter=junit', `--reporter-outfile=${report}`]
}

/** Waits until `.ci/run` has installed the programs of the slow tests, or has failed to. */
function awaitPrograms(): void {
  const file = process.env.CHECK_AFTER
  if (file === undefined) return
  const end = performance.now() + 240_000
  while (!existsSync(file) && performance.now() < end) Bun.sleepSync(200)
}

/** Runs a step and prints its name, result and time, and all of its output if it failed. */
function run(step: Step): Count {
  process.stdout.write(step.name.padEnd(17))
  const started = performance.now()
  step.prepare?.()
  const result = execute(step)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const count = step.count(result)
  console.log(`${count.failed === 0 ? 'ok    ' : 'failed'} ${seconds.padStart(6)} s`)
  if (count.failed > 0) console.log(`\n${result.output.trim()}\n`)
  if (count.problem !== undefined) console.log(`${step.name}: ${count.problem}\n`)
  return count
}

/** Writes the output to a file: a server that a broken test has left running would keep a pipe open forever. */
function execute({ args, limitSeconds }: Step): StepResult {
  const path = join(FOLDER, 'output')
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
    const reason = exitedDueToTimeout
      ? `Stopped: not finished after ${limitSeconds} s.`
      : `Ended with ${signalCode ?? `exit code ${exitCode}`}.`
    return { ok: false, output: `${output}\n${reason}` }
  } finally {
    closeSync(file)
  }
}

/** Returns a folder in memory, which halves the time of the tests that sync files; undefined below 8 GiB. */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return Math.min(bavail * bsize, freemem()) >= 8 * 1024 ** 3 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

/** Removes the folders of checks that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(dirname(FOLDER))) {
    const [, pid] = /^cardstock-check-(\d+)$/.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    rmSync(join(dirname(FOLDER), name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The environment without this machine's own settings of Cardstock. */
function environment(): Record<string, string | undefined> {
  const settings = readOrEmpty(join(ROOT, '.env.example')).matchAll(/^#?[ ]?([A-Z][A-Z0-9_]*)=/gm)
  const without = Object.fromEntries([...settings].map(([, name]) => [name, undefined]))
  return {
    ...process.env,
    ...without,
    CARDSTOCK_CHAOS: undefined,
    TMPDIR: TEMPORARY,
    CHECK_FOLDER: TEMPORARY,
    FUZZ_SEED: SEED,
    CI: 'true',
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function countStep({ ok }: StepResult): Count {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/** Reads the last summary in the output: ` 8 pass`, ` 1 skip`, …, `Ran 9 tests across 2 files.` */
function countTests({ ok, output }: StepResult, report: string): Count {
  const summaries = output.matchAll(
    /((?:^ *\d+ [a-z() ]+\n)+)Ran (\d+) tests? across \d+ files?\./gm,
  )
  const [, lines = '', ran] = [...summaries].at(-1) ?? []
  const counted = (word: string) =>
    Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(lines)?.[1] ?? 0)
  const summary = {
    passed: counted('pass'),
    failed: counted('fail'),
    skipped: counted('skip') + counted('todo'),
    failures: readFailures(output),
  }
  const tests = readReport(report)
  const problem =
    ran === undefined
      ? 'the run ended before its summary.'
      : summaryProblem({ summary, ran: Number(ran), reported: tests.length, ok })
  if (problem !== undefined) return { ...summary, failed: summary.failed + 1, problem }
  const empty = tests.filter(({ isEmpty }) => isEmpty).map(({ id }) => id)
  if (empty.length === 0) return summary
  return {
    ...summary,
    passed: summary.passed - empty.length,
    failed: summary.failed + empty.length,
    problem: `${empty.length} tests assert nothing:\n${empty.join('\n')}`,
  }
}

type TestRun = {
  summary: Count
  ran: number
  reported: number
  ok: boolean
}

/** Returns why the whole run failed; undefined if its counts can be trusted. */
function summaryProblem({ summary, ran, reported, ok }: TestRun): string | undefined {
  const { passed, failed, skipped } = summary
  if (passed + failed + skipped !== ran) return 'the summary was not understood.'
  if (passed + failed === 0) return 'no test ran.'
  if (!ok && failed === 0) return 'no test failed, yet the run did.'
  if (reported < passed + skipped) return `the JUnit report has ${reported} of ${ran} tests.`
  return undefined
}

function readReport(path: string): ReportedTest[] {
  return parseTestReport(readOrEmpty(path))
}
