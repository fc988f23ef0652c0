// Entry of the single-file executable: `cardstock NAME` is `bun run NAME`; without a name it starts the server.
import { runCommand, UsageError } from '../cli/terminal.ts'
import { unpackFiles } from './files.ts'

const COMMANDS = new Map<string, () => Promise<unknown>>([
  ['start', () => import('../../src/main.ts')],
  ['up', serveSample],
  ['admin', () => import('../admin.ts')],
  ['backup', () => import('../backup.ts')],
  ['doctor', () => import('../doctor.ts')],
  ['export', () => import('../export.ts')],
  ['identify', () => import('../identify.ts')],
  ['import-history', () => import('../import-history.ts')],
  ['index', () => import('../index-pictures.ts')],
  ['read', () => import('../../src/read.ts')],
  ['resolve', () => import('../resolve.ts')],
  ['restore', () => import('../restore.ts')],
  ['seed', () => import('../seed.ts')],
  ['sync', () => import('../sync.ts')],
])

// Removes the name, so that a command finds its arguments where `bun run` leaves them.
const [name = 'start'] = process.argv.splice(2, 1)
const command = COMMANDS.get(name)

const USAGE = `Usage: cardstock [COMMAND]

  ${[...COMMANDS.keys()].join(', ')}`

await runCommand(USAGE, async () => {
  if (command === undefined) {
    throw new UsageError(
      `Unknown command "${name}". Choose one of: ${[...COMMANDS.keys()].join(', ')}.`,
    )
  }
  await unpackFiles()
  return 0
})
if (process.exitCode === 0) await command?.()

function serveSample(): Promise<unknown> {
  process.argv.push('--with-sample')
  return import('../../src/main.ts')
}
