// Installs the packages, and starts the server with the sample.
import { installAndStart } from './cli/install-and-start.ts'
import { readInput } from './cli/run-command.ts'
import { UP } from './cli/service-commands.ts'

if (readInput(UP) !== undefined) await installAndStart()
