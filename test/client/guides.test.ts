/**
 * The guides of the clients: the snippets of a page, one behind the other, are a program that prints
 * what the page says. `UPDATE_GOLDEN=1` writes what they print into the page.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fakeReader, PHOTO, READING } from '../support/edges.ts'
import { type House, openHouse } from '../support/house.ts'

setDefaultTimeout(60_000)

const ROOT = resolve(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-guides-'))
/** Between what two snippets print. */
const MARK = '---8<---'

type Guide = {
  page: string
  fence: string
  file: string
  /** The command that prints the mark. */
  mark: string
  run: string[]
  needs: string[]
}

const GUIDES: Guide[] = [
  {
    ...{ page: 'client-curl.md', fence: 'sh', file: 'main.sh', mark: `echo '${MARK}'` },
    ...{ run: ['sh', 'main.sh'], needs: ['sh', 'curl', 'jq'] },
  },
  {
    ...{ page: 'client-typescript.md', fence: 'ts', file: 'main.ts' },
    ...{ mark: `console.log('${MARK}')`, run: [process.execPath, 'main.ts'], needs: [] },
  },
  {
    ...{ page: 'client-python.md', fence: 'python', file: 'main.py', mark: `print('${MARK}')` },
    ...{ run: ['python3', 'main.py'], needs: ['python3'] },
  },
]

let house: House

beforeAll(async () => {
  // The photo of the sample that is looked at in the guides shows this card.
  const near = [{ card_id: 900210, cosine: 0.96, distance: 60 }]
  house = await openHouse({ reader: fakeReader(() => ({ ...READING, near })) })
  house.app.listen({ hostname: '127.0.0.1', port: 0 })
  writeFileSync(join(folder, 'photo.jpg'), PHOTO.jpeg)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/cardstock'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await house.app.server?.stop(true)
  house.close()
})

describe.each(GUIDES.map((guide) => [guide.page, guide] as const))('%s', (page, guide) => {
  const missing = guide.needs.filter((program) => Bun.which(program) === null)
  if (missing.length > 0) console.info(`${page} is not run: there is no ${missing} here`)

  test.skipIf(missing.length > 0)('prints what it says', async () => {
    const path = join(ROOT, 'docs/guides', page)
    const text = readFileSync(path, 'utf8')
    writeFileSync(join(folder, guide.file), programOf(text, guide))
    const printed = (await run(guide.run)).split(`${MARK}\n`)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, withPrinted(text, printed))
    expect(printed).toEqual(saidIn(readFileSync(path, 'utf8')))
  })
})

/** The snippets up to each block that says what is printed, and a mark behind them. */
function programOf(text: string, { fence, mark }: Guide): string {
  const blocks = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...blocks]
    .map(([, kind, code = '']) => (kind === fence ? code : kind === 'text' ? `${mark}\n` : ''))
    .join('\n')
}

function saidIn(text: string): string[] {
  return [...[...text.matchAll(SAID)].map(([, said = '']) => said), '']
}

function withPrinted(text: string, printed: readonly string[]): string {
  let at = 0
  return text.replaceAll(SAID, () => `\`\`\`text\n${printed[at++] ?? ''}\`\`\``)
}

const SAID = /^```text\n([\s\S]*?)^```$/gm

/** What a command prints; nothing may go wrong in it. */
async function run(command: string[]): Promise<string> {
  const { port } = house.app.server ?? {}
  const done = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, API: `http://127.0.0.1:${port}`, KEY: house.keys.pro },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, complained] = await Promise.all([
    new Response(done.stdout).text(),
    new Response(done.stderr).text(),
  ])
  expect([await done.exited, complained]).toEqual([0, ''])
  return printed
}
