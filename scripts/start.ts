// Starts the server; src/main.ts reads --with-sample.
import { readInput } from './cli/run-command.ts'
import { START } from './cli/service-commands.ts'

if (readInput(START) !== undefined) await import('../src/main.ts')
