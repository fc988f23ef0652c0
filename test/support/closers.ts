import { afterEach } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAfterUse } from './end-of-tests.ts'

/** Functions that close what a test has opened. */
export type Closers = (() => unknown)[]

/** Closes after each test of a file what the test has opened, in reverse order. */
export function closeAfterEach(): Closers {
  const closers: Closers = []
  afterEach(() => closeAll(closers))
  return closers
}

/** Closes what was opened, the last first. */
export async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** Creates a temporary folder, which is removed after the test or the file that needs it. */
export function createTempFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  closeAfterUse(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
