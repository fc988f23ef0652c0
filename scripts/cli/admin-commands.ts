import { INVITATION_DAYS, INVITATION_DAYS_MAX } from '#rules/accounts/invitations.ts'
import { TIERS } from '#rules/accounts/tiers.ts'
import { type CommandGroup, defineCommand, JSON_OPTION } from './definition.ts'

const EMAIL = { kind: 'email', about: 'e-mail address of the account', isRequired: true } as const

const NEW_EMAIL = {
  kind: 'email',
  isNew: true,
  about: 'e-mail address of the account',
  isRequired: true,
} as const

export const PASSWORD = {
  kind: 'text',
  value: 'P',
  about: 'without it, you are asked, or it is the first line of stdin',
} as const

export const PASSWORD_DETAILS =
  'A password on the command line stays in the history of the shell. Without --password, the command asks for it on a terminal, and reads it from stdin in a pipe.'

const CHECKOUT = {
  id: {
    kind: 'text',
    value: 'ID',
    about: 'ID of the checkout; its first 11 characters are enough',
    isRequired: true,
  },
} as const

const ACCOUNT_COMMANDS = {
  'account create': defineCommand({
    name: 'admin account create',
    summary: 'Creates an account',
    details: PASSWORD_DETAILS,
    options: {
      email: NEW_EMAIL,
      password: PASSWORD,
      tier: { kind: 'choice', choices: TIERS, default: 'free', about: 'tier' },
      ...JSON_OPTION,
    },
    examples: [
      'admin account create --email ann@example.com --tier pro',
      'admin account create --email ann@example.com < password.txt',
    ],
  }),
  'account show': defineCommand({
    name: 'admin account show',
    summary: 'Shows an account with its keys, subscription and scans',
    options: { email: EMAIL, ...JSON_OPTION },
    examples: ['admin account show --email ann@example.com'],
  }),
  'account list': defineCommand({
    name: 'admin account list',
    summary: 'Lists all accounts',
    options: JSON_OPTION,
    examples: ['admin account list'],
  }),
  'account tier': defineCommand({
    name: 'admin account tier',
    summary: 'Sets the tier of an account; a higher paid tier stays',
    options: {
      email: EMAIL,
      tier: { kind: 'choice', choices: TIERS, about: 'tier', isRequired: true },
      ...JSON_OPTION,
    },
    examples: ['admin account tier --email ann@example.com --tier business'],
  }),
  'account password': defineCommand({
    name: 'admin account password',
    summary: 'Sets a new password, and ends all sessions of the account',
    details: PASSWORD_DETAILS,
    options: { email: EMAIL, password: PASSWORD, ...JSON_OPTION },
    examples: ['admin account password --email ann@example.com'],
  }),
  'account operator': defineCommand({
    name: 'admin account operator',
    summary: 'Grants or removes access to /v1/operator/…',
    options: {
      email: EMAIL,
      off: { kind: 'flag', about: 'remove the access' },
      ...JSON_OPTION,
    },
    examples: [
      'admin account operator --email ann@example.com',
      'admin account operator --email ann@example.com --off',
    ],
  }),
  'account delete': defineCommand({
    name: 'admin account delete',
    summary: 'Deletes an account and all of its data permanently',
    details:
      'Ends its subscription and its open orders. Payments and scans stay in the books under the number of the account. Without --force, the command only shows what it would delete.',
    options: {
      email: EMAIL,
      force: { kind: 'flag', about: 'delete it' },
      ...JSON_OPTION,
    },
    examples: ['admin account delete --email ann@example.com --force'],
  }),
} as const

const INVITATION_COMMANDS = {
  invite: defineCommand({
    name: 'admin invite',
    summary: 'Invites someone to create an account, and prints the link once',
    details: 'Invitations are needed with REGISTRATION=invite.',
    options: {
      email: { kind: 'email', isNew: true, about: 'the only e-mail address that can use it' },
      expires: {
        kind: 'number',
        value: 'DAYS',
        max: INVITATION_DAYS_MAX,
        default: INVITATION_DAYS,
        about: `days until it expires, at most ${INVITATION_DAYS_MAX}`,
      },
      ...JSON_OPTION,
    },
    examples: ['admin invite --email friend@example.com --expires 7'],
  }),
  'invite list': defineCommand({
    name: 'admin invite list',
    summary: 'Lists all invitations, newest first',
    options: JSON_OPTION,
    examples: ['admin invite list'],
  }),
  'invite revoke': defineCommand({
    name: 'admin invite revoke',
    summary: 'Revokes an unused invitation',
    arguments: { id: { kind: 'number', about: 'ID of the invitation', isRequired: true } },
    options: JSON_OPTION,
    examples: ['admin invite revoke 3'],
  }),
} as const

const BILLING_COMMANDS = {
  'billing list': defineCommand({
    name: 'admin billing list',
    summary: 'Lists the open checkouts of manual billing, oldest first',
    options: {
      email: { kind: 'email', about: 'only those of this account' },
      ...JSON_OPTION,
    },
    examples: ['admin billing list'],
  }),
  'billing complete': defineCommand({
    name: 'admin billing complete',
    summary: 'Marks a checkout as paid',
    arguments: CHECKOUT,
    options: JSON_OPTION,
    examples: ['admin billing complete co_PQI0XvY3'],
  }),
  'billing refund': defineCommand({
    name: 'admin billing refund',
    summary: 'Marks a checkout as refunded',
    arguments: CHECKOUT,
    options: JSON_OPTION,
    examples: ['admin billing refund co_PQI0XvY3'],
  }),
  'billing report': defineCommand({
    name: 'admin billing report',
    summary: 'Shows revenue, and records that do not match',
    details: 'Exits with 1 if records do not match.',
    options: {
      from: { kind: 'day', about: 'first day; the first of the month without this option' },
      to: { kind: 'day', about: 'last day; today without this option' },
      ...JSON_OPTION,
    },
    examples: ['admin billing report', 'admin billing report --from 2026-11-01 --to 2026-11-30'],
  }),
} as const

const DATABASE = { kind: 'text', value: 'URL' } as const

/** Commands of the data folder and of a fleet. */
const STORAGE_COMMANDS = {
  adopt: defineCommand({
    name: 'admin adopt',
    summary: 'Accepts a missing or foreign file of the data folder',
    details:
      'A missing catalog.db or ledger.db is created empty; one of another installation is accepted, as is its app-secret. Stop the server first.',
    arguments: {
      file: {
        kind: 'choice',
        choices: ['catalog.db', 'ledger.db', 'app-secret'],
        about: 'catalog.db, ledger.db or app-secret',
        isRequired: true,
      },
    },
    options: JSON_OPTION,
    examples: ['admin adopt catalog.db'],
  }),
  'move-ledger': defineCommand({
    name: 'admin move-ledger',
    summary: 'Moves the ledger between ledger.db and a PostgreSQL database',
    details: 'Stop all servers first. After an interruption, the same command continues.',
    options: {
      to: { ...DATABASE, about: 'database that gets the ledger of ledger.db' },
      from: { ...DATABASE, about: 'database whose ledger becomes ledger.db' },
      restart: { kind: 'flag', about: 'begin again instead of continuing' },
      ...JSON_OPTION,
    },
    exactlyOne: ['to', 'from'],
    examples: ['admin move-ledger --to postgres://cardstock:password@db.example/cardstock'],
  }),
  'rollback-catalog': defineCommand({
    name: 'admin rollback-catalog',
    summary: 'Publishes an earlier version of the catalog again to every server of a fleet',
    options: {
      to: {
        kind: 'number',
        value: 'VERSION',
        about: 'the version; the one before the newest without this option',
      },
      ...JSON_OPTION,
    },
    examples: ['admin rollback-catalog', 'admin rollback-catalog --to 41'],
  }),
  'republish-catalog': defineCommand({
    name: 'admin republish-catalog',
    summary: 'Publishes the version that this server served last to every server of a fleet',
    details: 'For use after a restore of its database.',
    options: JSON_OPTION,
    examples: ['admin republish-catalog'],
  }),
} as const

export const ADMIN = {
  name: 'admin',
  summary: 'Manages accounts, invitations, keys, scans, manual billing and the data of a server',
  commands: {
    ...ACCOUNT_COMMANDS,
    ...INVITATION_COMMANDS,
    'key create': defineCommand({
      name: 'admin key create',
      summary: 'Creates an API key and prints it once',
      details: 'Only the key is written to stdout, its ID to stderr.',
      options: {
        email: EMAIL,
        name: { kind: 'text', value: 'NAME', default: 'Default', about: 'name of the key' },
        ...JSON_OPTION,
      },
      examples: ['admin key create --email ann@example.com --name "price sheet"'],
    }),
    'key revoke': defineCommand({
      name: 'admin key revoke',
      summary: 'Revokes an API key',
      arguments: { id: { kind: 'text', value: 'ID', about: 'ID of the key', isRequired: true } },
      options: JSON_OPTION,
      examples: ['admin key revoke 3d0c6a0e-5b1f-4f0e-9d0a-4a1d5a0f7f11'],
    }),
    'scans grant': defineCommand({
      name: 'admin scans grant',
      summary: 'Adds scans to an account',
      options: {
        email: EMAIL,
        scans: { kind: 'number', about: 'number of scans', isRequired: true },
        ...JSON_OPTION,
      },
      examples: ['admin scans grant --email ann@example.com --scans 100'],
    }),
    ...BILLING_COMMANDS,
    audit: defineCommand({
      name: 'admin audit',
      summary: 'Shows the audit log, newest first',
      options: {
        email: { kind: 'email', about: 'only entries of this account' },
        limit: { kind: 'number', max: 999_999, default: 50, about: 'number of entries' },
        ...JSON_OPTION,
      },
      examples: ['admin audit', 'admin audit --email ann@example.com --limit 10'],
    }),
    ...STORAGE_COMMANDS,
  },
} as const satisfies CommandGroup
