// Runs the tests with kills, damaged files and lost responses at full size; `bun run check` runs them short.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { renderHelp } from './cli/help.ts'
import { UsageError } from './cli/parse.ts'
import { PROGRAM } from './cli/program.ts'
import { runCommand } from './cli/run-command.ts'
import { CHAOS, type ChaosRun } from './cli/tree-commands.ts'

const ROOT = resolve(import.meta.dir, '..')
/** Timeout of a test that sets none, in milliseconds. */
const LIMIT_MS = 60 * 60_000

/** The test files of each run. */
const FILES: Record<ChaosRun, readonly string[]> = {
  money: [
    'test/chaos/photo-payments.slow.test.ts',
    'test/chaos/scans.slow.test.ts',
    'test/chaos/billing.slow.test.ts',
  ],
  alerts: ['test/chaos/alerts.slow.test.ts', 'test/actions/alerts/channels-kill.slow.test.ts'],
  quota: ['test/actions/accounts/quota-kill.slow.test.ts'],
  sync: [
    'test/chaos/sync.slow.test.ts',
    'test/chaos/hostile-mirror.slow.test.ts',
    'test/actions/sync/sync-catalog.slow.test.ts',
    'test/http/catalog/updated-after.slow.test.ts',
  ],
  photos: [
    'test/http/photos/identify-kill.slow.test.ts',
    'test/http/photos/scan-session-kill.slow.test.ts',
    'test/chaos/photo-workers.slow.test.ts',
    'test/vision/worker/reader.slow.test.ts',
    'test/actions/matching/resolve-real.slow.test.ts',
  ],
  service: [
    'test/chaos/failure-injection.test.ts',
    'test/contract/fuzz.test.ts',
    'test/contract/fuzz-bodies.test.ts',
    'test/http/billing/stripe-storm.slow.test.ts',
  ],
  backup: ['test/scripts/backup.slow.test.ts'],
  ledger: ['test/chaos/ledger.slow.test.ts', 'test/actions/collections/import-kill.slow.test.ts'],
  fleet: ['test/chaos/fleet.slow.test.ts'],
  upgrade: ['test/chaos/fleet-upgrade.slow.test.ts'],
  abuse: ['test/chaos/abuse.slow.test.ts'],
  clients: [
    // A path, because Bun finds only names that end in .test.ts.
    './test/chaos/generated-clients.ts',
  ],
  soak: ['test/chaos/soak.slow.test.ts'],
}

/** Runs with a number of minutes as argument. */
const TIMED: ReadonlySet<ChaosRun> = new Set(['abuse', 'fleet', 'soak'])

await runCommand(CHAOS, async ({ name, minutes }) => {
  if (name === undefined) {
    process.stdout.write(renderHelp(CHAOS, PROGRAM))
    return 0
  }
  if (minutes !== undefined && !TIMED.has(name)) {
    throw new UsageError(
      `"${name}" has no number of minutes. Only ${new Intl.ListFormat('en').format(TIMED)} have one.`,
    )
  }
  const missing = FILES[name].filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) {
    throw new ServiceError('NOT_FOUND', `Test file not found: ${missing.join(', ')}`)
  }
  return runTests(
    FILES[name],
    minutes === undefined ? {} : { CARDSTOCK_CHAOS_MINUTES: String(minutes) },
  )
})

/** Runs test files and prints their output immediately. */
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
