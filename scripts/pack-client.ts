// Packs the typed client as an npm package.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { runCommand } from './cli/run-command.ts'
import { printResult } from './cli/terminal.ts'
import { formatBytes } from './cli/text.ts'
import { PACK_CLIENT } from './cli/tree-commands.ts'
import { packClient } from './tools/client/pack-client.ts'

await runCommand(PACK_CLIENT, async ({ folder, json }) => {
  const path = await packClient(resolve(folder ?? resolve(import.meta.dir, '../dist')))
  const bytes = statSync(path).size
  printResult({ package: path, bytes }, { json, text: `Packed ${path}: ${formatBytes(bytes)}` })
  return 0
})
