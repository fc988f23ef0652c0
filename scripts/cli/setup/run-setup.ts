import { listRegistered } from '#actions/accounts/manage-accounts.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { isServerRunning } from '#actions/operations/describe-servers.ts'
import {
  type CheckedSettings,
  checkServiceSettings,
  getServiceSettings,
  type SettingsChange,
  storeServiceSettings,
} from '#actions/operations/manage-settings.ts'
import type { Deps } from '#deps.ts'
import { mirrorLabel } from '#rules/sync/mirror-address.ts'
import type { Account } from '#store/ledger/accounts.ts'
import { withPrompts } from '../prompts.ts'
import { assertComplete, listOpenQuestions, parseAnswers, type SetupOptions } from './answers.ts'
import { QUESTION_TITLES, QUESTIONS } from './interview.ts'
import { createOperator, findOperator, promptOperator } from './operator.ts'
import { printText, printTitle } from './questions.ts'
import type { SetupReport } from './report.ts'

const INTRODUCTION =
  'Press Enter for the answer in brackets. Ctrl-C stops the setup, and the next run continues from there.'

type Store = (checked: CheckedSettings) => Promise<void>

/**
 * Sets up a server: stores the answers that the options contain, then asks the open questions on a terminal.
 *
 * @throws UsageError or ServiceError before anything is stored, if an option is not valid; Interrupted
 */
export async function runSetup(deps: Deps, options: SetupOptions): Promise<SetupReport> {
  const known = await findOperator(deps, options.email)
  const before = getServiceSettings(deps)
  const isOnTerminal = Boolean(process.stdin.isTTY)
  const change = parseAnswers(options, before)
  if (!isOnTerminal && !before.is_finished) {
    assertComplete(options, { hasOperator: known !== undefined, settings: before })
  }
  if (isOnTerminal && change.mirror) printText(`Reading ${mirrorLabel(change.mirror)}…`)
  const given = await checkServiceSettings(deps, change)
  if (isOnTerminal && !before.is_finished) {
    printText(INTRODUCTION)
    if (known !== undefined) printText(`Operator: ${known.email}`)
  }
  const operator = known ?? (await addOperator(deps, options, before.is_finished))
  // The person at the command line may be any of several operators.
  const account_id = known === undefined || options.email !== undefined ? operator?.id : undefined
  const store: Store = (checked) =>
    storeServiceSettings(deps, checked, { account_id, address: undefined })
  if (Object.keys(given.stored).length > 0) await store(given)
  if (!before.is_finished) {
    if (isOnTerminal) await promptQuestions(deps, store)
    await store(await checkServiceSettings(deps, { finish: true }))
  }
  const settings = getServiceSettings(deps)
  return {
    operator: operator?.email,
    is_new_operator: known === undefined && operator !== undefined,
    is_new_mirror: settings.mirror.value !== before.mirror.value,
    settings,
    registered: await listRegistered(deps),
    removes_sample: deps.config.removesSample,
    is_server_running: await isServerRunning(deps),
    url: deps.config.publicUrl,
  }
}

/** Creates the operator; undefined if the setup is finished, and no option names one. */
async function addOperator(
  deps: Deps,
  { email, password }: SetupOptions,
  isFinished: boolean,
): Promise<Account | undefined> {
  const hasher = createPasswordHasher()
  if (email !== undefined) return createOperator(deps, hasher, { email, password })
  if (isFinished) return undefined
  return withPrompts((prompts) => promptOperator(deps, hasher, prompts))
}

/** Asks the open questions. Those that a browser has answered in the meantime are skipped. */
async function promptQuestions(deps: Deps, store: Store): Promise<void> {
  const total = listOpenQuestions(getServiceSettings(deps)).length
  if (total === 0) return
  await withPrompts(async (prompts) => {
    for (;;) {
      await deps.liveConfig.refresh()
      const settings = getServiceSettings(deps)
      const open = listOpenQuestions(settings)
      const [question] = open
      if (question === undefined) return
      printTitle(QUESTION_TITLES[question], `(question ${total - open.length + 1} of ${total})`)
      const check = (change: SettingsChange) => checkServiceSettings(deps, change)
      await QUESTIONS[question]({ prompts, hasSample: settings.has_sample, check, store })
    }
  })
}
