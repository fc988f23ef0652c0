// Manages accounts, invitations, tiers, keys, scans and manual billing, and prints the audit log.

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
import { adoptStorage, closeDeps, type Deps, openDeps } from '#deps.ts'
import { tierName } from '#rules/accounts/tiers.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { AuditRecord } from '#store/ledger/audit.ts'
import {
  completeManualCheckout,
  listCheckouts,
  printBillingReport,
  refundManualCheckout,
} from './cli/billing-commands.ts'
import { invite, printInvitations, revoke } from './cli/invitation-commands.ts'
import { move } from './cli/move-ledger.ts'
import { republish, rollBack } from './cli/roll-back.ts'
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
  account tier --email E --tier T                    set the tier; a higher paid tier stays
  account password --email E --password P            set a new password; ends all sessions
  account operator --email E [--off]                 grant or remove access to /v1/operator/…
  account list                                       all accounts
  invite [--email E] [--expires DAYS]                invite someone to create an account; 14 days by default
  invite list                                        all invitations
  invite revoke ID                                   revoke an unused invitation
  key create --email E [--name N]                    create a key and print it once
  key revoke ID                                      revoke a key
  scans grant --email E --scans N                    add N scans to an account
  billing list [--email E]                           open checkouts of manual billing, oldest first
  billing complete ID                                mark a checkout as paid (the first 11 characters of its ID are enough)
  billing refund ID                                  mark a checkout as refunded
  billing report [--from YYYY-MM-DD] [--to YYYY-MM-DD]
                                                     revenue, and records that do not match (then exits
                                                     with 1); this month by default
  audit [--email E] [--limit N]                      audit log, newest first
  rollback-catalog [--to VERSION]                    make the version before the newest one, or an earlier one,
                                                     the newest on every server of a fleet
  republish-catalog                                  make the version that this server has served last the newest
                                                     on every server of a fleet, after a restore of its database
  adopt FILE                                         accept a missing catalog.db or ledger.db (created empty), or a
                                                     foreign one, or a foreign app-secret; stop the server first
  move-ledger --to URL | --from URL [--restart]      move ledger.db to the PostgreSQL database URL, or the ledger
                                                     of that database to ledger.db; stop all servers first. The
                                                     same command goes on after an interruption

  --json  print JSON on a terminal, too`

type Values = {
  email?: string | undefined
  password?: string | undefined
  tier?: string | undefined
  scans?: string | undefined
  name: string
  limit: string
  expires?: string | undefined
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
        `${account.email} pays for the ${tierName(account.tier)} plan and keeps that tier until it ends.\n`,
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
  invite,
  'invite list': printInvitations,
  'invite revoke': (deps, { id, json }) => revoke(deps, needed('ID', id), { json }),
  async 'key create'(deps, { email, name, json }) {
    const account = await getAccount(deps, needed('--email', email))
    const { id, key } = await createKey(deps, { account_id: account.id, address: undefined, name })
    // Only the key goes to stdout, for KEY=$(bun run admin key create …).
    if (json) printResult({ id, key })
    else {
      process.stdout.write(`${key}\n`)
      process.stderr.write(`Key ${id} created. Save it now: it is not shown again.\n`)
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
  'rollback-catalog': rollBack,
  'republish-catalog': republish,
  'billing list': listCheckouts,
  'billing complete': (deps, { id, json }) =>
    completeManualCheckout(deps, needed('ID', id), { json }),
  'billing refund': (deps, { id, json }) => refundManualCheckout(deps, needed('ID', id), { json }),
  'billing report': printBillingReport,
  async audit(deps, { email, limit, json }) {
    if (!/^[1-9]\d{0,5}$/.test(limit))
      throw new UsageError('--limit must be a whole number from 1 to 999999.')
    for (const row of await deps.ledger.audit.list(Number(limit), email)) printEntry(row, json)
  },
}

const ADOPTABLE = ['catalog.db', 'ledger.db', 'app-secret'] as const

/** Runs without opening the data folder, which refuses the files that this command accepts. */
async function adopt(name: string | undefined, json: boolean): Promise<number> {
  const file = ADOPTABLE.find((known) => known === name)
  if (file === undefined) throw new UsageError(`Name a file: ${ADOPTABLE.join(', ')}.`)
  const is_new = await adoptStorage(commandConfig(), file)
  if (json || !process.stdout.isTTY) printResult({ file, is_new })
  else process.stdout.write(`${file} is ${is_new ? 'new and empty' : 'accepted'}.\n`)
  return 0
}

/** Verbs that take an ID. */
const TAKES_ID = new Set(['revoke', 'complete', 'refund'])

function needed(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new UsageError(`${name} is required.`)
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
  const who = row.email ?? '(deleted account)'
  const from = row.address ?? 'command line'
  const cells = [time, row.event.padEnd(22), who, `from ${from}`, row.detail ?? '']
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
}

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArguments(
    {
      email: { type: 'string' },
      password: { type: 'string' },
      tier: { type: 'string' },
      scans: { type: 'string' },
      name: { type: 'string', default: 'Default' },
      limit: { type: 'string', default: '50' },
      expires: { type: 'string' },
      off: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
      from: { type: 'string' },
      to: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    3,
  )
  const [noun, verb, id] = positionals
  if (noun === 'move-ledger' && verb === undefined) return await move(values)
  if (noun === 'adopt' && id === undefined) return adopt(verb, values.json)
  const command = COMMANDS[verb === undefined ? `${noun}` : `${noun} ${verb}`]
  if (command === undefined || (id !== undefined && !TAKES_ID.has(`${verb}`))) {
    const given = positionals.join(' ')
    throw new UsageError(given === '' ? 'Name a command.' : `Unknown command "${given}".`)
  }
  const deps = await openDeps(commandConfig())
  try {
    return (await command(deps, { ...values, id })) ?? 0
  } finally {
    await closeDeps(deps)
  }
})
