/** Commands on a terminal: text instead of JSON, and passwords that are asked for. Needs `script` of util-linux. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const ROOT = resolve(import.meta.dir, '../..')
setDefaultTimeout(60_000)

const HAS_SCRIPT = Bun.spawnSync(['sh', '-c', 'script --version 2>&1 | grep -q util-linux']).success
if (!HAS_SCRIPT)
  console.log('`script` is not installed: tests of commands on a terminal are skipped.')

describe.skipIf(!HAS_SCRIPT)('on a terminal', () => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cardstock-terminal-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs a command on a terminal of its own; each answer is typed once its question was printed. */
  async function run(command: string, answers: readonly (readonly [string, string])[] = []) {
    const call = `'${process.execPath}' --no-env-file scripts/${command}`
    const child = Bun.spawn(['script', '--quiet', '--return', '--command', call, '/dev/null'], {
      cwd: ROOT,
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'xterm' },
        DATA_DIR: join(folder, 'data'),
        UPSTREAM_URL: pathToFileURL(join(ROOT, 'data/sample')).href,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const waiting = [...answers]
    let output = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk
      const [question, answer] = waiting[0] ?? []
      if (question === undefined || !output.includes(question)) continue
      waiting.shift()
      child.stdin.write(`${answer}\r`)
      child.stdin.flush()
    }
    child.stdin.end()
    const text = stripVTControlCharacters(output).replaceAll('\r\n', '\n')
    // A progress bar is drawn over itself.
    const lines = text.split('\n').map((line) => line.replace(/^.*\r/, ''))
    return { code: await child.exited, text, lines: lines.filter(Boolean) }
  }

  test('a sync, an export and a collection are reported in words', async () => {
    const sync = await run('sync.ts')
    expect(sync).toMatchObject({ code: 0 })
    expect(sync.text).toMatch(/3 games, 116 cards, 223 prices in \d+\.\d s\n$/)
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

  test('a password is asked for twice, and never shown', async () => {
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
    const typo = [answers[0], ['Again: ', 'correct hoarse']] as const
    const differs = await run('admin.ts account password --email ann@example.com', typo)
    expect(differs.code).toBe(2)
    expect(differs.text).toContain('The two passwords differ.')
    const short = await run(create.replace('ann', 'bob'), [['Password: ', 'short']])
    expect(short.code).toBe(2)
    expect(short.text).toContain('must be at least 8 characters long')
    expect(short.text).not.toContain('short\n')
  })

  test('lists have a header, and an account is shown with its keys', async () => {
    const { lines } = await run('admin.ts account list')
    expect(lines[0]).toMatch(/^id {2}e-mail +tier +operator +created$/)
    expect(lines[1]).toMatch(/^ 1 {2}ann@example\.com +free +[\d-]{10}$/)
    expect((await run('admin.ts key create --email ann@example.com --name sheet')).code).toBe(0)
    const shown = await run('admin.ts account show --email ann@example.com')
    expect(shown.lines).toEqual([
      'Account 1: ann@example.com, Free tier',
      expect.stringMatching(/^Subscription: free, none\. Scans: \d+\.$/),
      expect.stringMatching(/^key +name +ends in +state +created +last used +today +in total$/),
      expect.stringMatching(/ sheet +\S{4} +active +[\d-]{10} +never +0 +0$/),
    ])
    expect((await run('admin.ts audit')).lines[0]).toMatch(/^time +event +account +from/)
  })
})
