import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadAppSecret } from '#store/files/app-secret.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the secret of a data folder', () => {
  test('has 32 random bytes and does not change with the next start', () => {
    const secret = loadAppSecret(folder)
    expect(Buffer.from(secret, 'base64')).toHaveLength(32)
    expect(loadAppSecret(folder)).toBe(secret)
    expect(readFileSync(join(folder, 'app-secret'), 'utf8')).toBe(`${secret}\n`)
  })

  test('is readable by its owner only, and leaves no temporary file', () => {
    loadAppSecret(folder)
    expect(statSync(join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['app-secret'])
  })

  test.each(['', '\n', 'short'])('is never %p: the error says what to do', (text) => {
    writeFileSync(join(folder, 'app-secret'), text)
    expect(() => loadAppSecret(folder)).toThrow('Restore it from a backup')
  })

  test('differs between folders', () => {
    const other = mkdtempSync(join(tmpdir(), 'cardstock-secret-'))
    expect(loadAppSecret(other)).not.toBe(loadAppSecret(folder))
    rmSync(other, { recursive: true })
  })

  test('is the same for processes that start at the same time', async () => {
    const module = resolve(import.meta.dir, '../../../src/store/files/app-secret.ts')
    const start = Date.now() + 500
    const script = `
      const { loadAppSecret } = await import(${JSON.stringify(module)})
      while (Date.now() < ${start});
      process.stdout.write(loadAppSecret(${JSON.stringify(folder)}))`
    const secrets = await Promise.all(
      Array.from({ length: 6 }, () =>
        new Response(Bun.spawn([process.execPath, '-e', script]).stdout).text(),
      ),
    )
    expect(secrets).toHaveLength(6)
    expect(new Set(secrets)).toEqual(new Set([loadAppSecret(folder)]))
    expect(readdirSync(folder)).toEqual(['app-secret'])
  })
})
