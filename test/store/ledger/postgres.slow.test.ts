// The store suites that `bun run test` runs on SQLite, here with PostgreSQL.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const files = [...new Bun.Glob('*.test.ts').scanSync(import.meta.dir)].filter(
  (file) =>
    !file.endsWith('.slow.test.ts') &&
    /describe\.each\((LEDGERS|ENGINES)\)/.test(readFileSync(join(import.meta.dir, file), 'utf8')),
)
for (const file of files.sort()) await import(`./${file}`)
