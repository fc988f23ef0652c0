/**
 * The guides of the clients: the snippets of a page, one behind the other, are a program that prints
 * what the page says. `UPDATE_GOLDEN=1` writes what they print into the page.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fakeReader, OBSERVATION, PHOTO } from '../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

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
    ...{ page: 'clients/client-curl.md', fence: 'sh', file: 'main.sh', mark: `echo '${MARK}'` },
    ...{ run: ['sh', 'main.sh'], needs: ['sh', 'curl', 'jq'] },
  },
  {
    ...{ page: 'clients/client-typescript.md', fence: 'ts', file: 'main.ts' },
    ...{ mark: `console.log('${MARK}')`, run: [process.execPath, 'main.ts'], needs: [] },
  },
  {
    ...{
      page: 'clients/client-python.md',
      fence: 'python',
      file: 'main.py',
      mark: `print('${MARK}')`,
    },
    ...{ run: ['python3', 'main.py'], needs: ['python3'] },
  },
]

let testApp: TestApp

beforeAll(async () => {
  // The photo of the sample that is looked at in the guides shows this card.
  const near = [{ card_id: 900210, cosine: 0.96, distance: 60 }]
  testApp = await createTestApp({ reader: fakeReader(() => ({ ...OBSERVATION, neighbors: near })) })
  testApp.app.listen({ hostname: '127.0.0.1', port: 0 })
  writeFileSync(join(folder, 'photo.jpg'), PHOTO.jpeg)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/cardstock'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await testApp.app.server?.stop(true)
  testApp.close()
})

describe.each(GUIDES.map((guide) => [guide.page, guide] as const))('%s', (page, guide) => {
  const missing = guide.needs.filter((program) => Bun.which(program) === null)
  if (missing.length > 0) console.info(`${page} is not run: there is no ${missing} here`)

  test.skipIf(missing.length > 0)('prints what it says', async () => {
    const path = join(ROOT, 'docs/guides', page)
    const text = textOf(page)
    writeFileSync(join(folder, guide.file), programOf(text, guide))
    const printed = (await run(guide.run)).split(`${MARK}\n`)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, withPrinted(text, printed))
    expect(printed).toEqual(saidIn(textOf(page)))
  })
})

describe('the program in TypeScript', () => {
  beforeAll(() => {
    const [text, guide] = [
      textOf('clients/client-typescript.md'),
      guideOf('clients/client-typescript.md'),
    ]
    writeFileSync(join(folder, guide.file), programOf(text, guide))
  })

  test('is what the compiler takes', async () => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules')] },
      include: ['main.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', '.'])
  })

  const hasNode = Bun.which('node') !== null
  if (!hasNode) console.info('the program in TypeScript is not run in Node: there is none here')
  test.skipIf(!hasNode)('prints the same in Node', async () => {
    const entrypoints = [join(folder, 'main.ts')]
    const built = await Bun.build({ entrypoints, target: 'node', format: 'esm', outdir: folder })
    expect(built.success).toBe(true)
    const printed = await run([
      'node',
      '--input-type=module',
      '--eval',
      "await import('./main.js')",
    ])
    expect(printed.split(`${MARK}\n`)).toEqual(saidIn(textOf('clients/client-typescript.md')))
  })
})

const hasPython = Bun.which('python3') !== null

describe.skipIf(!hasPython)('the class in Python', () => {
  /** What a program prints that has the class, and a machine that answers in turn. */
  async function told(program: string, ...answers: Response[]) {
    const asked: (string | null)[] = []
    const machine = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch({ headers }) {
        asked.push(headers.get('if-none-match'))
        return answers.shift() ?? new Response(null, { status: 500 })
      },
    })
    const [, code = ''] =
      /^```python\n([\s\S]*?)^```$/m.exec(textOf('clients/client-python.md')) ?? []
    const client = `client = Cardstock("http://127.0.0.1:${machine.port}")`
    writeFileSync(join(folder, 'class.py'), [code, client, program].join('\n'))
    try {
      return { asked, printed: await run(['python3', 'class.py']) }
    } finally {
      await machine.stop(true)
    }
  }

  const refused = (status: number, seconds: number) =>
    Response.json(
      { error: { code: 'WAIT', message: 'Wait.' } },
      { status, headers: { 'retry-after': String(seconds) } },
    )
  const caught = `try:
    client.get("/v1/meta")
except ApiError as error:
    print(error, error.retry_after)`

  test('waits as long as it is told, and asks again', async () => {
    const answers = [refused(503, 0), refused(429, 0), Response.json({ data: 1 })]
    const { asked, printed } = await told('print(client.get("/v1/meta"))', ...answers)
    expect([asked.length, printed]).toEqual([3, "{'data': 1}\n"])
  })

  test('does not wait until tomorrow', async () => {
    const { asked, printed } = await told(caught, refused(429, 9_000))
    expect([asked.length, printed]).toEqual([1, '429 WAIT: Wait. 9000\n'])
  })

  test('asks only whether what it has still holds', async () => {
    const kept = Response.json({ data: 2 }, { headers: { etag: '"a"' } })
    const program = 'for _ in range(2): print(client.get("/v1/meta", game=None))'
    const { asked, printed } = await told(program, kept, new Response(null, { status: 304 }))
    expect([asked, printed]).toEqual([[null, '"a"'], "{'data': 2}\n{'data': 2}\n"])
  })

  test("knows a proxy's page for what it is", async () => {
    const { printed } = await told(caught, new Response('<h1>Proxy</h1>', { status: 502 }))
    expect(printed).toBe('502 NOT_JSON: The response is not from Cardstock. None\n')
  })
})

function textOf(page: string): string {
  return readFileSync(join(ROOT, 'docs/guides', page), 'utf8')
}

function guideOf(page: string): Guide {
  const guide = GUIDES.find((one) => one.page === page)
  if (guide === undefined) throw new Error(`there is no guide ${page}`)
  return guide
}

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
  const { port } = testApp.app.server ?? {}
  const done = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, API: `http://127.0.0.1:${port}`, KEY: testApp.keys.pro },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, complained] = await Promise.all([
    new Response(done.stdout).text(),
    new Response(done.stderr).text(),
  ])
  // Compilers complain where others print.
  const code = await done.exited
  expect([code, complained, code === 0 ? '' : printed]).toEqual([0, '', ''])
  return printed
}
