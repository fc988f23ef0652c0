// Runs what `bun run check` runs in a short form at full size: kills, torn files, lost answers.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { parseArguments, runCommand, UsageError } from './cli/terminal.ts'

const ROOT = resolve(import.meta.dir, '..')
/** Outer limit of one test that names none, in milliseconds. */
const LIMIT_MS = 60 * 60_000

type Run = { does: string; files: readonly string[] }

const RUNS = new Map<string, Run>([
  [
    'money',
    {
      does: 'photo payments, the ledger of scans and billing under kills, torn files and lost answers',
      files: [
        'test/chaos/photo-payments.test.ts',
        'test/chaos/scans.test.ts',
        'test/chaos/billing.test.ts',
      ],
    },
  ],
  [
    'alerts',
    {
      does: 'price alerts under kills and failing receivers: none is lost, none is made up',
      files: ['test/chaos/alerts.test.ts'],
    },
  ],
  [
    'backup',
    {
      does: 'backups under load, and killed backups and restores: whole ones alone, old files or new ones',
      files: ['test/scripts/backup.test.ts'],
    },
  ],
])

const LIST = [...RUNS].map(([name, { does }]) => `  ${name.padEnd(6)}  ${does}`).join('\n')
const USAGE = `Usage: bun run chaos NAME

Runs tests of test/chaos at full size, some minutes each; "bun run check" runs the same ones in a short
form. FUZZ_SEED=… invents the operations of a run again that printed this seed; the kills fall anew.
${LIST}`

await runCommand(async () => {
  const [name] = parseArguments(USAGE, {}, 1).positionals
  if (name === undefined) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const run = RUNS.get(name)
  if (run === undefined) {
    throw new UsageError(`There is no chaos run "${name}". There are:\n${LIST}`)
  }
  const missing = run.files.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) {
    throw new ServiceError(
      'NOT_FOUND',
      `${missing.join(', ')}: not there. Restore it and try again.`,
    )
  }
  return runTests(run.files)
})

/** Runs test files to their end; what they print is printed as it comes. */
async function runTests(files: readonly string[]): Promise<number> {
  const child = Bun.spawn({
    cmd: [process.execPath, '--no-env-file', 'test', `--timeout=${LIMIT_MS}`, ...files],
    cwd: ROOT,
    env: { ...process.env, CARDSTOCK_CHAOS: 'full' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await child.exited
  return child.signalCode === null ? code : 1
}
