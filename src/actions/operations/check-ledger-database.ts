import type { LedgerSettings } from '#config/storage.ts'
import type { Config } from '#config.ts'
import {
  type CheckResult,
  fault,
  formatCount,
  ok,
  warning,
} from '#rules/operations/doctor-finding.ts'
import { UNRELEASED_SCHEMA } from '#rules/operations/schema-version.ts'
import { fingerprintSecret } from '#rules/primitives/secret-box.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { inspectInstallation } from '#store/files/installation.ts'
import {
  inspectLedgerDatabase,
  type LedgerDatabaseFacts,
} from '#store/ledger/inspect-ledger-database.ts'

/** Checks the database of LEDGER_URL without changing it. */
export async function checkLedgerDatabase(
  { dataDir, appSecret = '' }: Config,
  settings: LedgerSettings,
): Promise<CheckResult[]> {
  try {
    const facts = await inspectLedgerDatabase(settings)
    const { version, latencyMs, installation } = facts
    const state = { isEmpty: installation === undefined, id: installation?.id ?? null }
    const foreign = inspectInstallation(dataDir, { ...state, isShared: true })
    return [
      ok(`PostgreSQL ${version} answers in ${latencyMs} ms`),
      ...(foreign === undefined ? [] : [explainFault(foreign)]),
      ...listProblems(facts, settings.connections, appSecret),
    ]
  } catch (error) {
    return [explainFault(errorMessage(error))]
  }
}

/** Splits a message into the problem and its remedy. */
function explainFault(message: string): CheckResult {
  const [problem = '', ...fix] = message.split(/(?<=\.) /)
  return fault(problem.replace(/\.$/, ''), fix.join(' ') || 'See the log of the database.')
}

function listProblems(
  facts: LedgerDatabaseFacts,
  wanted: number,
  appSecret: string,
): CheckResult[] {
  const { steps, clockMs, installation } = facts
  const free = facts.connectionsMax - facts.connections
  const isOtherSecret =
    installation !== undefined &&
    !Buffer.from(installation.secret_hash).equals(fingerprintSecret(appSecret))
  const checks: [applies: boolean, result: CheckResult][] = [
    [
      steps.isUnreleased,
      fault(`the database ${UNRELEASED_SCHEMA}`, 'Set LEDGER_URL to an empty database.'),
    ],
    [
      !steps.isUnreleased && steps.unknown.length > 0,
      fault(
        `the database has the schema step ${steps.unknown[0]}, which this program does not know`,
        'Start the newer version of Cardstock that wrote it.',
      ),
    ],
    [
      !steps.isUnreleased && steps.missing.length > 0,
      warning(
        `the database lacks ${formatCount(steps.missing.length, 'schema step')}`,
        'The next start adds them; keep a backup until then.',
      ),
    ],
    [
      isOtherSecret,
      fault(
        'APP_SECRET differs from that of the other servers',
        'Set the same one on all servers.',
      ),
    ],
    [
      Math.abs(clockMs) > CLOCK_MS_MAX,
      warning(
        `the clock of the database is ${Math.round(clockMs / 1000)} s ahead of this machine's`,
        'Keep both correct with NTP. Leases and reservations use the clock of the database.',
      ),
    ],
    [
      !facts.isDurable,
      fault(
        'the database confirms commits that a power cut can lose (fsync or synchronous_commit is off)',
        'Turn both on: a lost quota lease or payment would be granted twice.',
      ),
    ],
    [
      facts.standbys > 0 && facts.synchronousStandbys === 0,
      warning(
        'no standby is synchronous: a failover can lose the last commits',
        'Set synchronous_standby_names (docs/guides/operations/scale.md).',
      ),
    ],
    [
      free < wanted + 1,
      warning(
        `the database has ${free} of ${facts.connectionsMax} connections left, and a server may use ${wanted + 1}`,
        'Raise max_connections, or lower LEDGER_CONNECTIONS.',
      ),
    ],
  ]
  return checks.flatMap(([applies, result]) => (applies ? [result] : []))
}

const CLOCK_MS_MAX = 5_000
