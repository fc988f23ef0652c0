// The command on a scanner's folder: a real process with the real networks.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { ROOT, runProcess } from '../support/process.ts'
import { createLedgerFile } from '../support/test-app.ts'

/** An outer limit on a busy machine; nothing here waits for it. */
setDefaultTimeout(120_000)

const PHOTOS = join(ROOT, 'data/sample/photos')

let data: Awaited<ReturnType<typeof createLedgerFile>>
let scans: string
let out: string

beforeAll(async () => {
  data = await createLedgerFile()
  scans = join(data.folder, 'scans')
  out = join(data.folder, 'cards.csv')
  mkdirSync(scans)
  copyFileSync(join(PHOTOS, 'clean.jpg'), join(scans, 'scan-2.jpg'))
  copyFileSync(join(PHOTOS, 'no-card.jpg'), join(scans, '=scan-10.jpg'))
  writeFileSync(join(scans, 'broken.png'), 'not a picture')
  writeFileSync(join(scans, 'notes.txt'), 'not a photo')
})
afterAll(() => data.close())

const run = (...args: string[]) =>
  runProcess('scripts/identify.ts', { args, env: { DATA_DIR: data.folder } })

const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true })
const written = () => rowsOf(readFileSync(out, 'utf8'))

test('a folder becomes a table with a row for each photo, an error among them', async () => {
  const { code, stdout } = await run(scans, '--csv', '--out', out)
  expect(written().map(({ Photo, Status }) => [Photo, Status])).toEqual([
    // The apostrophe prevents spreadsheets from evaluating the name.
    ["'=scan-10.jpg", 'retake'],
    ['broken.png', 'error'],
    ['scan-2.jpg', expect.stringMatching(/matched|ambiguous|retake|not_found/)],
  ])
  expect(written()[1]?.Message).toContain('could not be decoded')
  expect(stdout).toContain('Wrote 3 photos')
  expect(code).toBe(1)
})

test('a table that was cut off within a row is continued: photos that it has are not read again', async () => {
  const before = written()
  writeFileSync(join(scans, 'broken.png'), readFileSync(join(PHOTOS, 'no-card.jpg')))
  appendFileSync(out, 'scan-2.jpg,,,"mat')
  const { code, stdout } = await run(scans, '--csv', '--out', out)
  const after = written()
  expect(after.map(({ Photo }) => Photo)).toEqual(["'=scan-10.jpg", 'broken.png', 'scan-2.jpg'])
  expect(after.map(({ Status }) => Status)).toEqual(['retake', 'retake', before[2]?.Status ?? ''])
  expect(stdout).toContain('Wrote 2 photos')
  expect(stdout).toContain('1 were in it')
  expect(code).toBe(0)
})

test('another table is not overwritten, and a folder needs --csv', async () => {
  const other = join(data.folder, 'other.csv')
  writeFileSync(other, 'Name,Price\r\nCindle,1\r\n')
  const refused = await run(scans, '--csv', '--out', other)
  expect([refused.code, readFileSync(other, 'utf8')]).toEqual([1, 'Name,Price\r\nCindle,1\r\n'])
  expect(refused.stderr).toContain('is another table')
  expect((await run(scans)).stderr).toContain('need --csv')
})

test('a photo of several cards has a row for each, with its place', async () => {
  const { stdout, code } = await run(join(PHOTOS, 'two-cards.jpg'), '--page', '--csv')
  const places = rowsOf(stdout).map(
    (row) => `${row.Photo} ${row['Page Row']}/${row['Page Column']}`,
  )
  expect(places).toEqual(['two-cards.jpg 1/1', 'two-cards.jpg 1/2'])
  expect(code).toBe(0)
})
