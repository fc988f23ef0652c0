import type { Config, Environment } from '#config.ts'
import { type Finding, findingsOf } from '#rules/operations/doctor-finding.ts'
import { examineMachine, examinePackages } from './check-machine.ts'

export type Examination = {
  /** The settings, as the operator gave them. */
  env: Environment
  /** The folder that the program lies in. */
  root: string
  now: () => Date
  /** Whether Stripe, the facilitator and the node of the chain are asked, too. */
  online: boolean
}

/**
 * Looks at everything that the service needs and says what to mend. It changes nothing, and works beside
 * a server. Rooms are loaded check by check: what is broken in one of them must not keep the others from
 * being looked at. Findings come as they are made.
 */
export async function* examine(examination: Examination): AsyncGenerator<Finding> {
  const packages = examinePackages(examination.root)
  yield* packages
  if (packages.some(({ level }) => level === 'fault')) return
  const { config, findings } = await settingsOf(examination)
  yield* findings
  if (config === undefined) return
  for (const [name, check] of checksOf(examination, config)) {
    yield* await guarded(name, check)
  }
}

type Check = () => Finding[] | Promise<Finding[]>

/** In the order in which they are told. */
function checksOf({ root, now, online }: Examination, config: Config): [string, Check][] {
  const { dataDir } = config
  return [
    ['machine', () => examineMachine(config)],
    ['reader', async () => (await import('./check-reader.ts')).examineReader(config, root)],
    ['data folder', async () => (await import('./check-data-folder.ts')).examineFolder(config)],
    ['catalog', async () => (await import('./check-databases.ts')).examineFile(dataDir, 'catalog')],
    ['ledger', async () => (await import('./check-databases.ts')).examineFile(dataDir, 'ledger')],
    ['games', async () => (await import('./check-databases.ts')).examineGames(config, now())],
    ['clock', async () => (await import('./check-databases.ts')).examineClock(dataDir, now())],
    ['upstream', async () => (await import('./check-dependencies.ts')).examineUpstream(config)],
    ['server', async () => (await import('./check-dependencies.ts')).examineServer(config)],
    [
      'payments',
      async () => (await import('./check-dependencies.ts')).examinePayments(config, online),
    ],
  ]
}

/** Where settings are wrong, the others are looked at with the defaults in their place. */
async function settingsOf({
  env,
}: Examination): Promise<{ config: Config | undefined; findings: Finding[] }> {
  const { examineSettings } = await import('./check-config.ts').catch((error) => ({
    examineSettings: (_: Environment) => ({
      config: undefined,
      findings: [broken('settings', error)],
    }),
  }))
  return examineSettings(env)
}

async function guarded(name: string, check: Check): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [broken(name, error)]
  }
}

function broken(name: string, error: unknown): Finding {
  const why = (error instanceof Error ? error.message : String(error)).trim().split('\n')[0]
  return findingsOf(name).fault(
    `cannot be looked at: ${why}`,
    'Mend what the message names; where it names a package, run bun install again.',
  )
}
