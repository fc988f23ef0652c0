// Entry of the single-file executable: `cardstock NAME` is `bun run NAME`; without a name it starts the server.
import { renderProgramHelp } from '../cli/help.ts'
import { UsageError } from '../cli/parse.ts'
import { PROGRAM } from '../cli/program.ts'
import { isCall, reportFailure } from '../cli/run-command.ts'
import { SERVICE_COMMANDS } from '../cli/service-commands.ts'
import { unpackFiles } from './files.ts'

type Name = keyof typeof SERVICE_COMMANDS

const COMMANDS: Record<Name, () => Promise<unknown>> = {
  up: serveSample,
  start: () => import('../start.ts'),
  setup: () => import('../setup.ts'),
  doctor: () => import('../doctor.ts'),
  admin: () => import('../admin.ts'),
  sync: () => import('../sync.ts'),
  map: () => import('../map.ts'),
  'import-history': () => import('../import-history.ts'),
  'import-rates': () => import('../import-rates.ts'),
  'import-prices': () => import('../import-prices.ts'),
  'import-ids': () => import('../import-ids.ts'),
  index: () => import('../index-pictures.ts'),
  identify: () => import('../identify.ts'),
  resolve: () => import('../resolve.ts'),
  export: () => import('../export.ts'),
  backup: () => import('../backup.ts'),
  restore: () => import('../restore.ts'),
  read: () => import('../read.ts'),
  seed: () => import('../seed.ts'),
  completions: () => import('../completions.ts'),
}

// Removes the name, so that the arguments of a command are where `bun run` passes them.
const [word = 'start'] = process.argv.splice(2, 1)
if (word === '--help' || word === '-h') {
  process.stdout.write(renderProgramHelp(Object.values(SERVICE_COMMANDS), PROGRAM))
} else if (isName(word)) await runNamed(word)
else {
  const known = Object.keys(COMMANDS).join(', ')
  reportFailure('', new UsageError(`Unknown command "${word}". Choose one of: ${known}.`))
}

/** Unpacks the files unless the call is invalid or requests help: a shell prints its completions in any folder. */
async function runNamed(name: Name): Promise<void> {
  if (!isCall(SERVICE_COMMANDS[name], process.argv.slice(2))) return
  try {
    if (name !== 'completions') await unpackFiles()
  } catch (error) {
    reportFailure(name, error)
    return
  }
  await COMMANDS[name]()
}

function isName(name: string): name is Name {
  return Object.hasOwn(COMMANDS, name)
}

function serveSample(): Promise<unknown> {
  process.argv.push('--with-sample', '--attended')
  return import('../../src/main.ts')
}
