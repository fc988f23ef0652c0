// Prints the completions of a shell.

import { renderCompletions } from './cli/completions.ts'
import { isStandalone, PROGRAM } from './cli/program.ts'
import { runCommand } from './cli/run-command.ts'
import { COMPLETIONS, SERVICE_COMMANDS } from './cli/service-commands.ts'
import { ALL_COMMANDS } from './cli/tree-commands.ts'

await runCommand(COMPLETIONS, ({ shell }) => {
  const commands = Object.values(isStandalone ? SERVICE_COMMANDS : ALL_COMMANDS)
  process.stdout.write(renderCompletions(shell, commands, PROGRAM))
  return 0
})
