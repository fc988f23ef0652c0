import type { RegisteredAccounts } from '#actions/accounts/manage-accounts.ts'
import { PROGRAM } from '../program.ts'
import { formatRows, wrap } from '../text.ts'
import type { ServerSettings } from './answers.ts'

/** State of a server after the setup. */
export type SetupReport = {
  operator: string | undefined
  is_new_operator: boolean
  /** True if this run has chosen the mirror. */
  is_new_mirror: boolean
  settings: ServerSettings
  /** Accounts that keep their limits on a private server. */
  registered: RegisteredAccounts
  removes_sample: boolean
  is_server_running: boolean
  /** Address of the server. */
  url: string
}

/** Returns the report for programs. */
export function toSetupJson(report: SetupReport) {
  const { operator = null, is_new_operator, settings, removes_sample, is_server_running } = report
  const { accounts, has_more } = report.registered
  const { is_finished, mode, mirror, index_pictures, exchange_rates } = settings
  return {
    is_finished,
    operator,
    is_new_operator,
    mode: mode.value,
    mirror: mirror.value,
    removes_sample,
    index_pictures: index_pictures.value,
    exchange_rates: exchange_rates.value,
    is_server_running,
    registered_accounts: { accounts: accounts.map(({ email }) => email), has_more },
  }
}

/** Formats the report for people, with the next step. */
export function formatSetup(report: SetupReport): string {
  const { operator, settings, removes_sample } = report
  const { mode, mirror, index_pictures, exchange_rates, has_sample } = settings
  const rows = [
    ['Operator', operator ?? `none; "${PROGRAM} admin account operator" makes an account one`],
    ['Use', mode.value],
    ...(mode.value === 'private' ? listRegistered(report.registered) : []),
    ['Prices', mirror.value ?? (has_sample ? 'the sample only' : 'no mirror')],
    ...(removes_sample && has_sample ? [['Sample', 'removed with the first prices']] : []),
    ['Pictures', index_pictures.value ? 'indexed in the background' : 'not indexed'],
    ['Exchange rates', exchange_rates.value ? 'fetched daily' : 'not fetched'],
  ].map(([label = '', text = '']) => [label, text] as const)
  const change = `Settings can be changed by the options of "${PROGRAM} setup", or in the dashboard under Operator, Settings.`
  return `This server is set up.\n\n${formatRows(rows)}\n\n${wrap(`${nextStep(report)}\n${change}`)}`
}

/** Names the accounts that people have registered themselves, whose limits a private server keeps. */
function listRegistered({ accounts, has_more }: RegisteredAccounts): string[][] {
  if (accounts.length === 0) return []
  const names = [...accounts.map(({ email }) => email), ...(has_more ? ['and more'] : [])]
  return [['With limits', `${names.join(', ')}, who registered themselves`]]
}

function nextStep({ settings, is_new_mirror, is_server_running, url }: SetupReport): string {
  const { mirror, is_replica } = settings
  if (is_server_running) {
    return is_new_mirror
      ? `The server at ${url} begins to read the prices within five seconds; ${url}/operator shows its progress.`
      : `The server at ${url} uses changes within five seconds.`
  }
  const start = `No server answers at ${url}. Start it with "${PROGRAM}`
  if (is_replica) return `${start} start".`
  if (mirror.value === null) return `${start} up", which loads the sample into an empty catalog.`
  return `${start} start", which reads the prices in the background, or read them now with "${PROGRAM} sync".`
}
