// Runs the tests with kills, damaged files and lost responses at full size; `bun run check` runs them short.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { parseArguments, parseWholeNumber, runCommand, UsageError } from './cli/terminal.ts'

const ROOT = resolve(import.meta.dir, '..')
/** Timeout of a test that sets none, in milliseconds. */
const LIMIT_MS = 60 * 60_000

type ChaosRun = {
  about: string
  files: readonly string[]
  /** True if the run has a number of minutes. */
  isTimed?: boolean
}

const RUNS = new Map<string, ChaosRun>([
  [
    'money',
    {
      about:
        'photo payments, the scan ledger and billing under kills, damaged files and lost responses',
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
      about: 'price alerts under kills and failing receivers: none lost, none invented',
      files: ['test/chaos/alerts.test.ts', 'test/actions/alerts/alerts-kill.test.ts'],
    },
  ],
  [
    'quota',
    {
      about: 'request quotas across servers that stop and are killed',
      files: ['test/actions/accounts/quota-kill.test.ts'],
    },
  ],
  [
    'sync',
    {
      about: 'syncs killed at any moment and while publishing, and random prices against a model',
      files: [
        'test/actions/sync/sync-kill.test.ts',
        'test/chaos/publication-kill.test.ts',
        'test/chaos/hostile-mirror.test.ts',
        'test/actions/sync/sync-catalog.test.ts',
        'test/http/catalog/updated-after.test.ts',
      ],
    },
  ],
  [
    'photos',
    {
      about: 'photo readers that crash, photo workers that are killed, names of a recorded catalog',
      files: [
        'test/http/photos/identify-kill.test.ts',
        'test/chaos/photo-workers.test.ts',
        'test/vision/worker/reader.test.ts',
        'test/actions/matching/resolve-real.test.ts',
      ],
    },
  ],
  [
    'service',
    {
      about: 'random commands of accounts, sessions, keys and webhooks against a model',
      files: ['test/chaos/failure-injection.test.ts', 'test/http/billing/stripe-storm.test.ts'],
    },
  ],
  [
    'backup',
    {
      about: 'backups under load, killed backups and killed restores',
      files: ['test/scripts/backup.test.ts'],
    },
  ],
  [
    'ledger',
    {
      about:
        'three servers on PostgreSQL: kills, crashes, cut and used up connections, full disks, a wrong clock',
      files: ['test/chaos/ledger.test.ts'],
    },
  ],
  [
    'fleet',
    {
      about:
        'three servers with a bucket: servers that die or stand still, a bad bucket, no database, a wrong clock, for MINUTES (default 60)',
      files: ['test/chaos/fleet.test.ts'],
      isTimed: true,
    },
  ],
  [
    'upgrade',
    {
      about: 'three servers of the previous release that are upgraded and downgraded under load',
      files: ['test/chaos/fleet-upgrade.test.ts'],
    },
  ],
  [
    'abuse',
    {
      about:
        'held uploads, poison photos, visitors of 200 networks and guessed passwords beside customers',
      files: ['test/chaos/abuse.test.ts'],
    },
  ],
  [
    'clients',
    {
      about: 'clients that three generators make from the API document (needs npm and PyPI)',
      // A path, because Bun finds only names that end in .test.ts.
      files: ['./test/chaos/generated-clients.ts'],
    },
  ],
  [
    'soak',
    {
      about: 'mixed load with syncs, backups, photos and alerts, for MINUTES (default 60)',
      files: ['test/chaos/soak.test.ts'],
      isTimed: true,
    },
  ],
])

const LIST = [...RUNS].map(([name, { about }]) => `  ${name.padEnd(7)}  ${about}`).join('\n')
const USAGE = `Usage: bun run chaos NAME [MINUTES]

Runs tests with kills and failures at full size, some minutes each; "bun run check" runs them short. Each run
draws and prints a seed. FUZZ_SEED=… repeats its operations; the times of the kills differ.
${LIST}`

await runCommand(USAGE, async () => {
  const [name, minutes] = parseArguments({}, 2).positionals
  if (name === undefined) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const run = RUNS.get(name)
  if (run === undefined) {
    throw new UsageError(`Unknown chaos run "${name}". Choose one of:\n${LIST}`)
  }
  if (minutes !== undefined && run.isTimed !== true) {
    throw new UsageError(`"${name}" has no number of minutes.`)
  }
  const missing = run.files.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) {
    throw new ServiceError('NOT_FOUND', `Test file not found: ${missing.join(', ')}`)
  }
  const environment: Record<string, string> =
    minutes === undefined
      ? {}
      : { CARDSTOCK_CHAOS_MINUTES: String(parseWholeNumber('MINUTES', minutes)) }
  return runTests(run.files, environment)
})

/** Runs test files and prints their output as it comes. */
async function runTests(
  files: readonly string[],
  environment: Record<string, string>,
): Promise<number> {
  const seed = process.env.FUZZ_SEED || String(Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`seed ${seed}\n`)
  const child = Bun.spawn({
    cmd: [process.execPath, '--no-env-file', 'test', `--timeout=${LIMIT_MS}`, ...files],
    cwd: ROOT,
    env: { ...process.env, ...environment, CARDSTOCK_CHAOS: 'full', FUZZ_SEED: seed },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await child.exited
  return child.signalCode === null ? code : 1
}
