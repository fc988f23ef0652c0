// Starts a photo worker.
import { readInput } from './cli/run-command.ts'
import { READ } from './cli/service-commands.ts'

if (readInput(READ) !== undefined) await import('../src/read.ts')
