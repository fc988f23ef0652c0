/**
 * Writes docs/reference/openapi.json, the API document that later changes are compared with:
 *
 * bun scripts/tools/release-openapi.ts
 *
 * Fails if a change that breaks clients is not listed in CHANGELOG.md under Unreleased, Changed.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadApiDocument } from './generate-client.ts'
import {
  type ComparedDocument,
  findBreakingChanges,
  findUnnamedChanges,
} from './openapi/document-changes.ts'

const ROOT = join(import.meta.dir, '../..')
const TARGET = join(ROOT, 'docs/reference/openapi.json')

const document = await loadApiDocument()
const unnamed = existsSync(TARGET) ? await findUnnamed(document as object as ComparedDocument) : []
if (unnamed.length > 0) {
  const lines = unnamed.map(({ terms, problem }) => `  ${terms.join(' ')} ${problem}`)
  console.error(
    `Name these changes in CHANGELOG.md under Unreleased, Changed, with each word as code:\n${lines.join('\n')}`,
  )
  process.exitCode = 1
} else {
  await Bun.write(TARGET, `${JSON.stringify(document, null, 1)}\n`)
}

async function findUnnamed(after: ComparedDocument) {
  const before = (await Bun.file(TARGET).json()) as ComparedDocument
  const changelog = await Bun.file(join(ROOT, 'CHANGELOG.md')).text()
  return findUnnamedChanges(findBreakingChanges(before, after), changelog)
}
