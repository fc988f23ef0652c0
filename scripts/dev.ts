// Installs the packages, starts the server with the sample, and restarts it after each change of its code.
import { installAndStart } from './cli/install-and-start.ts'
import { readInput } from './cli/run-command.ts'
import { DEV } from './cli/tree-commands.ts'

if (readInput(DEV) !== undefined) await installAndStart('--watch')
