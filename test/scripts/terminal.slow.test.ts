/** Commands on a terminal: text instead of JSON, and password prompts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Answer, CTRL_C, HAS_TERMINAL, runOnTerminal } from '../support/operations/terminal.ts'

const ROOT = resolve(import.meta.dir, '../..')
describe.skipIf(!HAS_TERMINAL)('on a terminal', () => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cardstock-terminal-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (command: string, answers: readonly Answer[] = []) =>
    runOnTerminal(
      command,
      {
        DATA_DIR: join(folder, 'data'),
        UPSTREAM_URL: pathToFileURL(join(ROOT, 'data/sample')).href,
      },
      answers,
    )

  test('a sync, an export and a collection are reported in words', async () => {
    const sync = await run('sync.ts')
    expect(sync).toMatchObject({ code: 0 })
    expect(sync.text).toMatch(/3 games, 116 cards, 223 new prices in \d+\.\d s\n$/)
    expect((await run('sync.ts')).text).toMatch(/^Nothing new since .* \(\d+\.\d s\)\.\n$/)

    const out = join(folder, 's.csv')
    const exported = await run(`export.ts --set 90011 --format csv --out ${out}`)
    expect(exported.text).toMatch(/^Wrote 52 prices of 1 set to \S+ \(\d+\.\d KB\) in \d\.\d s\n$/)
    expect(readFileSync(out, 'utf8').trimEnd().split('\r\n')).toHaveLength(1 + 52)
    const shown = await run('resolve.ts data/sample/collection.csv')
    expect(shown.text).toMatch(/quantity {2}name +set +number +printing +price +value\n/)
    expect(shown.text).toMatch(/\n9 of 9 rows matched: \$[\d.]+\n$/)
    expect((await run('sync.ts --json')).text).toMatch(/^\{\n {2}"outcome": "complete"/)
  })

  test('a password has to be typed twice, and is never shown', async () => {
    const create = 'admin.ts account create --email ann@example.com'
    const answers = [
      ['Password: ', 'correct horse'],
      ['Again: ', 'correct horse'],
    ] as const
    const created = await run(create, answers)
    expect(created).toMatchObject({
      code: 0,
      text: 'Password: \nAgain: \nAccount 1: ann@example.com, Free tier\n',
    })
    const corrected = await run('admin.ts account password --email ann@example.com', [
      ['Password: ', 'short'],
      ['Password: ', 'correct horse'],
      ['Again: ', 'correct hoarse'],
      ...answers,
    ])
    expect(corrected.lines).toEqual([
      'Password: ',
      'The password must be at least 8 characters long.',
      'Password: ',
      'Again: ',
      'The two passwords differ.',
      'Password: ',
      'Again: ',
      'The password of ann@example.com is changed, and its sessions have ended.',
    ])
    const stopped = await run(create.replace('ann', 'bob'), [['Password: ', CTRL_C]])
    expect(stopped).toMatchObject({ code: 130, text: 'Password: \n' })
    const taken = await run(create)
    expect(taken).toMatchObject({ code: 1, text: expect.stringContaining('exists already.') })
  })

  test('lists have a header, and an account is shown with its keys', async () => {
    const { lines } = await run('admin.ts account list')
    expect(lines[0]).toMatch(/^id {2}e-mail +tier +operator +created$/)
    expect(lines[1]).toMatch(/^ 1 {2}ann@example\.com +free +[\d-]{10}$/)
    expect((await run('admin.ts key create --email ann@example.com --name sheet')).code).toBe(0)
    const shown = await run('admin.ts account show --email ann@example.com')
    expect(shown.lines).toEqual([
      'Account 1: ann@example.com, Free tier',
      'Free plan, 25 scans',
      expect.stringMatching(/^key +name +ends in +state +created +last used +today +in total$/),
      expect.stringMatching(/ sheet +\S{4} +active +[\d-]{10} +never +0 +0$/),
    ])
    expect((await run('admin.ts audit')).lines[0]).toMatch(/^time \(UTC\) +event +account +from/)
  })
})
