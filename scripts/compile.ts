// Builds a single executable with the packages, networks and sample.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './cli/parse.ts'
import { runCommand } from './cli/run-command.ts'
import { printResult } from './cli/terminal.ts'
import { formatBytes, secondsSince } from './cli/text.ts'
import { COMPILE, TARGETS } from './cli/tree-commands.ts'
import { compileExecutable, OWN_TARGET } from './executable/compile-executable.ts'

await runCommand(COMPILE, async ({ file, target = OWN_TARGET, json }) => {
  if (target === undefined) {
    throw new UsageError(
      `There is no executable of this system. Choose one with --target: ${TARGETS.join(', ')}.`,
    )
  }
  const started = performance.now()
  const executable = resolve(file ?? resolve(import.meta.dir, '../dist/cardstock'))
  const files = await compileExecutable(executable, target)
  const bytes = statSync(executable).size
  const text = `Built ${executable} for ${target}: ${formatBytes(bytes)} in ${secondsSince(started)}`
  printResult({ executable, bytes, files }, { json, text })
  return 0
})
