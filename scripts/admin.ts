// What an operator does without the dashboard: accounts, tiers, keys, billing, and what happened.

import {
  changeTier,
  getAccount,
  parseTier,
  resetPassword,
  setOperator,
} from '#actions/accounts/manage-accounts.ts'
import { createKey, revokeKey } from '#actions/accounts/manage-keys.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { tierName } from '#rules/accounts/tiers.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { AuditRecord } from '#store/ledger/audit.ts'
import {
  completeManualCheckout,
  listCheckouts,
  printBillingReport,
  refundManualCheckout,
} from './cli/billing-commands.ts'
import {
  commandConfig,
  parseArguments,
  parseWholeNumber,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run admin COMMAND

  account create --email E --password P [--tier T]   T: free, hobby, starter, pro, business
  account tier --email E --tier T                    gives a tier; a higher one that is paid for stays
  account password --email E --password P            for who forgot it; ends all sessions
  account operator --email E [--off]                 may see /v1/operator/…, and start a sync; or no longer
  account list
  key create --email E [--name N]                    prints the key, once
  key revoke ID
  scans grant --email E --scans N                    gives an account N scans
  billing list [--email E]                           open checkouts of manual billing, oldest first
  billing complete ID                                says that one was paid; 11 characters of its id will do
  billing refund ID                                  says that its money went back
  billing report [--from YYYY-MM-DD] [--to YYYY-MM-DD]
                                                     what was earned, and what does not add up (then it
                                                     ends with 1); this month unless days are given
  audit [--email E] [--limit N]                      what happened to accounts, newest first

  --json  results as JSON also on a terminal`

type Values = {
  email?: string | undefined
  password?: string | undefined
  tier?: string | undefined
  scans?: string | undefined
  name: string
  limit: string
  off: boolean
  from?: string | undefined
  to?: string | undefined
  json: boolean
  id: string | undefined
}

const COMMANDS: Record<string, (deps: Deps, values: Values) => Promise<number | undefined>> = {
  async 'account create'(deps, { email, password, tier = 'free', json }) {
    const account = await registerAccount(deps, createPasswordHasher(), {
      email: needed('--email', email),
      password: needed('--password', password),
      tier: parseTier(tier),
      address: undefined,
    })
    printAccounts([account], json)
  },
  async 'account tier'(deps, { email, tier, json }) {
    const change = { email: needed('--email', email), tier: needed('--tier', tier) }
    const account = await changeTier(deps, change)
    if (account.tier !== change.tier) {
      process.stderr.write(
        `${account.email} pays for the ${tierName(account.tier)} plan, and keeps that tier until it ends.\n`,
      )
    }
    printAccounts([account], json)
  },
  async 'account password'(deps, { email, password, json }) {
    const change = { email: needed('--email', email), password: needed('--password', password) }
    printAccounts([await resetPassword(deps, createPasswordHasher(), change)], json)
  },
  async 'account operator'(deps, { email, off, json }) {
    const change = { email: needed('--email', email), is_operator: !off }
    printAccounts([await setOperator(deps, change)], json)
  },
  async 'account list'(deps, { json }) {
    printAccounts(await deps.ledger.accounts.list(), json)
  },
  async 'key create'(deps, { email, name, json }) {
    const account = await getAccount(deps, needed('--email', email))
    const { id, key } = await createKey(deps, { account_id: account.id, address: undefined, name })
    // The key stands alone on stdout, so that a script can take it: KEY=$(bun run admin key create …).
    if (json) printResult({ id, key })
    else {
      process.stdout.write(`${key}\n`)
      process.stderr.write(`Key ${id}: keep it now, it is not shown again.\n`)
    }
  },
  async 'key revoke'(deps, { id, json }) {
    const key = needed('ID', id)
    await revokeKey(deps, { id: key, address: undefined })
    if (json || !process.stdout.isTTY) printResult({ id: key, is_active: false })
    else process.stdout.write(`Key ${key} is revoked.\n`)
  },
  async 'scans grant'(deps, { email, scans, json }) {
    const grant = {
      email: needed('--email', email),
      scans: parseWholeNumber('--scans', needed('--scans', scans)),
    }
    const granted = await grantScans(deps, grant)
    if (json || !process.stdout.isTTY) printResult(granted)
    else process.stdout.write(`${granted.email} has ${granted.balance} scans.\n`)
  },
  'billing list': listCheckouts,
  'billing complete': (deps, { id, json }) =>
    completeManualCheckout(deps, needed('ID', id), { json }),
  'billing refund': (deps, { id, json }) => refundManualCheckout(deps, needed('ID', id), { json }),
  'billing report': printBillingReport,
  async audit(deps, { email, limit, json }) {
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit is a whole number from 1.')
    for (const row of await deps.ledger.audit.list(Number(limit), email)) printEntry(row, json)
  },
}

/** Verbs that are followed by an id. */
const TAKES_ID = new Set(['revoke', 'complete', 'refund'])

function needed(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new UsageError(`${name} is missing.\n\n${USAGE}`)
}

function printAccounts(accounts: readonly Account[], json: boolean): void {
  for (const account of accounts) {
    const { id, email, tier, is_operator } = account
    const created_at = new Date(account.created_at).toISOString()
    if (json || !process.stdout.isTTY) printResult({ id, email, tier, is_operator, created_at })
    else {
      const mark = is_operator ? '  operator' : ''
      process.stdout.write(`${String(id).padStart(5)}  ${tier.padEnd(8)}  ${email}${mark}\n`)
    }
  }
}

function printEntry({ at, ...row }: AuditRecord, json: boolean): void {
  const time = new Date(at).toISOString()
  if (json || !process.stdout.isTTY) {
    printResult({ at: time, ...row })
    return
  }
  const who = row.email ?? '(no such account)'
  const from = row.address ?? 'command line'
  const cells = [time, row.event.padEnd(22), who, `from ${from}`, row.detail ?? '']
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
}

await runCommand(async () => {
  const { values, positionals } = parseArguments(
    USAGE,
    {
      email: { type: 'string' },
      password: { type: 'string' },
      tier: { type: 'string' },
      scans: { type: 'string' },
      name: { type: 'string', default: 'Default' },
      limit: { type: 'string', default: '50' },
      off: { type: 'boolean', default: false },
      from: { type: 'string' },
      to: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    3,
  )
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const [noun, verb, id] = positionals
  const command = COMMANDS[verb === undefined ? `${noun}` : `${noun} ${verb}`]
  if (command === undefined || (id !== undefined && !TAKES_ID.has(`${verb}`))) {
    throw new UsageError(USAGE)
  }
  const deps = openDeps(commandConfig())
  try {
    return (await command(deps, { ...values, id })) ?? 0
  } finally {
    await closeDeps(deps)
  }
})
