// Sets up a new server: with questions on a terminal, with options elsewhere.
import { closeDeps, openDeps } from '#deps.ts'
import { PROGRAM } from './cli/program.ts'
import { Interrupted } from './cli/prompts.ts'
import { runCommand } from './cli/run-command.ts'
import { SETUP } from './cli/service-commands.ts'
import { printText } from './cli/setup/questions.ts'
import { formatSetup, toSetupJson } from './cli/setup/report.ts'
import { runSetup } from './cli/setup/run-setup.ts'
import { commandConfig, printResult } from './cli/terminal.ts'

await runCommand(SETUP, async ({ json, ...options }) => {
  const deps = await openDeps(commandConfig())
  try {
    const report = await runSetup(deps, options)
    printResult(toSetupJson(report), { json, text: formatSetup(report) })
    return 0
  } catch (error) {
    if (error instanceof Interrupted) {
      printText(`Stopped. Your answers are stored: run "${PROGRAM} setup" again to continue.`)
    }
    throw error
  } finally {
    await closeDeps(deps)
  }
})
