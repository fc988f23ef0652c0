import type { Environment } from '#config/setting-reader.ts'
import { type CheckResult, type Finding, fault } from '#rules/operations/doctor-finding.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { checkBun, checkPackages } from './check-packages.ts'
import type { CheckContext, Checks } from './doctor-check.ts'

export type DoctorOptions = Omit<CheckContext, 'config' | 'stored'> & {
  /** Settings as the operator gave them. */
  env: Environment
}

/**
 * Checks everything that the service needs. Changes nothing, and can run beside a server. Modules are imported one
 * check at a time, so that a broken package does not hide the other findings.
 */
export async function* runDoctor({ env, ...context }: DoctorOptions): AsyncGenerator<Finding> {
  yield { check: 'bun', ...checkBun() }
  const packages = checkPackages(context.root)
  yield { check: 'packages', ...packages }
  if (packages.level === 'fault') return
  const { choices, results } = await import('./check-config.ts')
    .then(({ checkConfig }) => checkConfig(env))
    .catch((error) => ({ choices: undefined, results: [failed(error)] }))
  for (const result of results) yield { check: 'settings', ...result }
  if (choices === undefined) return
  for (const [name, load] of GROUPS) {
    const checks = await load().catch((error): Checks => ({ [name]: () => failed(error) }))
    for (const [check, run] of Object.entries(checks)) {
      const found = await (async () => run({ ...context, ...choices }))().catch(failed)
      for (const result of [found].flat()) yield { check, ...result }
    }
  }
}

const GROUPS: [name: string, load: () => Promise<Checks>][] = [
  ['machine', async () => (await import('./check-machine.ts')).MACHINE_CHECKS],
  ['reader', async () => (await import('./check-reader.ts')).READER_CHECKS],
  ['data folder', async () => (await import('./check-data-folder.ts')).DATA_FOLDER_CHECKS],
  ['databases', async () => (await import('./check-databases.ts')).DATABASE_CHECKS],
  ['dependencies', async () => (await import('./check-dependencies.ts')).DEPENDENCY_CHECKS],
]

function failed(error: unknown): CheckResult {
  return fault(
    `the check failed: ${errorMessage(error).trim().split('\n')[0]}`,
    'Fix the cause in the message. If it names a package, run bun install again.',
  )
}
