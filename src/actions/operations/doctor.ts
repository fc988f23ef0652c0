import type { Config, Environment } from '#config.ts'
import { createFindings, type Finding } from '#rules/operations/doctor-finding.ts'
import { checkMachine, checkPackages } from './check-machine.ts'

export type DoctorOptions = {
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
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<Finding> {
  const packages = checkPackages(options.root)
  yield* packages
  if (packages.some(({ level }) => level === 'fault')) return
  const { config, findings } = await settingsOf(options)
  yield* findings
  if (config === undefined) return
  for (const [name, check] of checksOf(options, config)) {
    yield* await guarded(name, check)
  }
}

type Check = () => Finding[] | Promise<Finding[]>

/** In the order in which they are told. */
function checksOf({ root, now, online }: DoctorOptions, config: Config): [string, Check][] {
  const { dataDir } = config
  return [
    ['machine', () => checkMachine(config)],
    ['reader', async () => (await import('./check-reader.ts')).checkReader(config, root)],
    ['data folder', async () => (await import('./check-data-folder.ts')).checkDataFolder(config)],
    [
      'catalog',
      async () => (await import('./check-databases.ts')).checkDatabase(dataDir, 'catalog'),
    ],
    ['ledger', async () => (await import('./check-databases.ts')).checkDatabase(dataDir, 'ledger')],
    ['games', async () => (await import('./check-databases.ts')).checkGames(config, now())],
    ['clock', async () => (await import('./check-databases.ts')).checkClock(dataDir, now())],
    ['upstream', async () => (await import('./check-dependencies.ts')).checkUpstream(config)],
    ['server', async () => (await import('./check-dependencies.ts')).checkServer(config)],
    [
      'payments',
      async () => (await import('./check-dependencies.ts')).checkPayments(config, online),
    ],
  ]
}

/** Where settings are wrong, the others are looked at with the defaults in their place. */
async function settingsOf({
  env,
}: DoctorOptions): Promise<{ config: Config | undefined; findings: Finding[] }> {
  const { checkConfig } = await import('./check-config.ts').catch((error) => ({
    checkConfig: (_: Environment) => ({
      config: undefined,
      findings: [broken('settings', error)],
    }),
  }))
  return checkConfig(env)
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
  return createFindings(name).fault(
    `cannot be looked at: ${why}`,
    'Mend what the message names; where it names a package, run bun install again.',
  )
}
