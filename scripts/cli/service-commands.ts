// Commands for operators, which the executable has as well.
import { SERVICE_MODES } from '#rules/operations/service-settings.ts'
import { ADMIN, PASSWORD, PASSWORD_DETAILS } from './admin-commands.ts'
import { EXPORT, IDENTIFY, INDEX, RESOLVE } from './card-commands.ts'
import { BACKUP, RESTORE, SEED } from './data-commands.ts'
import { defineCommand, JSON_OPTION } from './definition.ts'
import {
  IMPORT_HISTORY,
  IMPORT_IDS,
  IMPORT_PRICES,
  IMPORT_RATES,
  MAP,
  SYNC,
} from './import-commands.ts'

const SETTINGS =
  'Settings are environment variables or lines of .env; docs/reference/configuration.md lists them.'

export const UP = defineCommand({
  name: 'up',
  summary: 'Starts the server, and loads the sample into an empty catalog',
  details: `In the source tree, installs the packages first. With UPSTREAM_URL, the sample is not loaded. The log is text, and has warnings and errors only unless LOG_LEVEL is set. ${SETTINGS}`,
  options: {},
  examples: ['up'],
})

export const START = defineCommand({
  name: 'start',
  summary: 'Starts the server',
  details: SETTINGS,
  options: {
    'with-sample': { kind: 'flag', about: 'load the sample into an empty catalog' },
  },
  examples: ['start', 'start --with-sample'],
})

export const SETUP = defineCommand({
  name: 'setup',
  summary: 'Sets up a new server: its operator, its use, its mirror and its pictures',
  details: `On a terminal, asks the questions that neither an option nor the environment answers, and continues where it was stopped. In a pipe, --email, --mode and --mirror are required unless they were answered before. Runs while the server runs, which uses the answers within five seconds, or before its first start. Once the setup is finished, the options change the settings.\n\n${PASSWORD_DETAILS}`,
  options: {
    email: { kind: 'email', isNew: true, about: "e-mail address of the operator's account" },
    password: PASSWORD,
    mode: {
      kind: 'choice',
      choices: SERVICE_MODES,
      about: 'use of the server: you and your staff, people with free accounts, or customers',
    },
    mirror: {
      kind: 'text',
      value: 'URL',
      about: 'source of the prices, such as https://tcgcsv.com; "none" for none',
    },
    'remove-sample': { kind: 'flag', about: 'remove the sample with the first prices' },
    'index-pictures': {
      kind: 'choice',
      choices: ['yes', 'no'],
      about: 'index card pictures, to identify photos by them; in a pipe, yes by default',
    },
    'exchange-rates': {
      kind: 'choice',
      choices: ['yes', 'no'],
      about:
        'fetch the daily reference rates of the ECB, to show prices in other currencies; no by default',
    },
    ...JSON_OPTION,
  },
  examples: [
    'setup',
    'setup --email you@example.com --mode private --mirror https://tcgcsv.com < password.txt',
  ],
})

export const READ = defineCommand({
  name: 'read',
  summary: 'Reads photos for the servers that name this process in READERS',
  details:
    'Listens on HOST and PORT (3100). It needs their APP_SECRET, and their SNAPSHOTS_URL or a data folder with their catalog; docs/guides/operations/scale.md explains how.',
  options: {},
  examples: ['read'],
})

export const DOCTOR = defineCommand({
  name: 'doctor',
  summary: 'Checks the installation and tells you what to fix',
  details:
    'Checks settings, packages, the data folder, both databases, the mirror and the port. Changes nothing, and can run beside the server. The exit code is 0 if there is no fault.',
  options: {
    online: {
      kind: 'flag',
      about: 'also check Stripe, the x402 facilitator and the blockchain node',
    },
    json: { kind: 'flag', about: 'print a JSON line for each finding, also on a terminal' },
  },
  examples: ['doctor', 'doctor --online'],
})

export const COMPLETIONS = defineCommand({
  name: 'completions',
  summary: 'Prints the completions of a shell for these commands',
  details:
    'Load them at the start of a shell:\n\n  bash  source <(PROGRAM completions bash)          in ~/.bashrc\n  zsh   source <(PROGRAM completions zsh)           in ~/.zshrc, after compinit\n  fish  PROGRAM completions fish | source           in ~/.config/fish/config.fish',
  arguments: {
    shell: {
      kind: 'choice',
      choices: ['bash', 'zsh', 'fish'],
      about: 'bash, zsh or fish',
      isRequired: true,
    },
  },
  options: {},
  examples: ['completions bash', 'completions fish'],
})

/** All of them by name, as the help lists them. */
export const SERVICE_COMMANDS = {
  up: UP,
  start: START,
  setup: SETUP,
  doctor: DOCTOR,
  admin: ADMIN,
  sync: SYNC,
  map: MAP,
  'import-history': IMPORT_HISTORY,
  'import-rates': IMPORT_RATES,
  'import-prices': IMPORT_PRICES,
  'import-ids': IMPORT_IDS,
  index: INDEX,
  identify: IDENTIFY,
  resolve: RESOLVE,
  export: EXPORT,
  backup: BACKUP,
  restore: RESTORE,
  read: READ,
  seed: SEED,
  completions: COMPLETIONS,
} as const
