/**
 * The client guides: the snippets of a page form a program whose output is in the page. `UPDATE_GOLDEN=1` writes
 * the output into the page.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTempFolder } from '../support/closers.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../support/photos/reader-fixtures.ts'
import { createTestApp } from '../support/test-app.ts'

const ROOT = resolve(import.meta.dir, '../..')
const folder = createTempFolder('cardstock-guides-')
/** Separates the output of two snippets. */
const MARK = '---8<---'

type Guide = {
  page: string
  fence: string
  file: string
  /** Prints the separator. */
  mark: string
  run: string[]
  programs: string[]
}

const GUIDES: Guide[] = [
  {
    page: 'clients/client-curl.md',
    fence: 'sh',
    file: 'main.sh',
    mark: `echo '${MARK}'`,
    run: ['sh', 'main.sh'],
    programs: ['sh', 'curl', 'jq'],
  },
  {
    page: 'clients/client-typescript.md',
    fence: 'ts',
    file: 'main.ts',
    mark: `console.log('${MARK}')`,
    run: [process.execPath, 'main.ts'],
    programs: [],
  },
  {
    page: 'clients/client-python.md',
    fence: 'python',
    file: 'main.py',
    mark: `print('${MARK}')`,
    run: ['python3', 'main.py'],
    programs: ['python3'],
  },
]

// The card in the photo of the guides.
const near = [{ card_id: 900210, cosine: 0.96, distance: 60 }]
const testApp = await createTestApp({
  reader: fakeReader(() => ({ ...OBSERVATION, neighbors: near })),
})
const { url } = testApp.listen()
writeFileSync(join(folder, 'photo.jpg'), PHOTO.jpeg)
mkdirSync(join(folder, 'node_modules'))
symlinkSync(ROOT, join(folder, 'node_modules/cardstock'))

describe.each(GUIDES.map((guide) => [guide.page, guide] as const))('%s', (page, guide) => {
  const missing = guide.programs.filter((program) => Bun.which(program) === null)
  if (missing.length > 0) console.info(`${page} is skipped: ${missing} is not installed`)

  test.skipIf(missing.length > 0)('prints its output', async () => {
    const path = join(ROOT, 'docs/guides', page)
    const text = textOf(page)
    writeFileSync(join(folder, guide.file), buildProgram(text, guide))
    const printed = (await run(guide.run)).split(`${MARK}\n`)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, replaceOutputs(text, printed))
    expect(printed).toEqual(outputsIn(textOf(page)))
  })
})

describe('the program in TypeScript', () => {
  beforeAll(() => {
    const [text, guide] = [
      textOf('clients/client-typescript.md'),
      findGuide('clients/client-typescript.md'),
    ]
    writeFileSync(join(folder, guide.file), buildProgram(text, guide))
  })

  test('compiles', async () => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules')] },
      include: ['main.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', '.'])
  })

  const hasNode = Bun.which('node') !== null
  if (!hasNode)
    console.info('the program in TypeScript is skipped in Node.js: node is not installed')
  test.skipIf(!hasNode)('prints the same in Node.js', async () => {
    const entrypoints = [join(folder, 'main.ts')]
    const built = await Bun.build({ entrypoints, target: 'node', format: 'esm', outdir: folder })
    expect(built.success).toBe(true)
    const printed = await run([
      'node',
      '--input-type=module',
      '--eval',
      "await import('./main.js')",
    ])
    expect(printed.split(`${MARK}\n`)).toEqual(outputsIn(textOf('clients/client-typescript.md')))
  })
})

const hasPython = Bun.which('python3') !== null

describe.skipIf(!hasPython)('the class in Python', () => {
  /** Runs a program with the class against a server with these responses. */
  async function runWith(program: string, ...responses: Response[]) {
    const etags: (string | null)[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch({ headers }) {
        etags.push(headers.get('if-none-match'))
        return responses.shift() ?? new Response(null, { status: 500 })
      },
    })
    const [, code = ''] =
      /^```python\n([\s\S]*?)^```$/m.exec(textOf('clients/client-python.md')) ?? []
    const client = `client = Cardstock("http://127.0.0.1:${server.port}")`
    writeFileSync(join(folder, 'class.py'), [code, client, program].join('\n'))
    try {
      return { etags, printed: await run(['python3', 'class.py']) }
    } finally {
      await server.stop(true)
    }
  }

  const rejected = (status: number, seconds: number) =>
    Response.json(
      { error: { code: 'WAIT', message: 'Wait.' } },
      { status, headers: { 'retry-after': String(seconds) } },
    )
  const caught = `try:
    client.get("/v1/meta")
except ApiError as error:
    print(error, error.retry_after)`

  test('retries after Retry-After', async () => {
    const responses = [rejected(503, 0), rejected(429, 0), Response.json({ data: 1 })]
    const { etags, printed } = await runWith('print(client.get("/v1/meta"))', ...responses)
    expect([etags.length, printed]).toEqual([3, "{'data': 1}\n"])
  })

  test('does not retry after a long Retry-After', async () => {
    const { etags, printed } = await runWith(caught, rejected(429, 9_000))
    expect([etags.length, printed]).toEqual([1, '429 WAIT: Wait. 9000\n'])
  })

  test('revalidates its cached response', async () => {
    const cached = Response.json({ data: 2 }, { headers: { etag: '"a"' } })
    const program = 'for _ in range(2): print(client.get("/v1/meta", game=None))'
    const { etags, printed } = await runWith(program, cached, new Response(null, { status: 304 }))
    expect([etags, printed]).toEqual([[null, '"a"'], "{'data': 2}\n{'data': 2}\n"])
  })

  test('reports a page of a proxy', async () => {
    const { printed } = await runWith(caught, new Response('<h1>Proxy</h1>', { status: 502 }))
    expect(printed).toBe('502 NOT_JSON: The response is not from Cardstock. None\n')
  })
})

function textOf(page: string): string {
  return readFileSync(join(ROOT, 'docs/guides', page), 'utf8')
}

function findGuide(page: string): Guide {
  const guide = GUIDES.find((one) => one.page === page)
  if (guide === undefined) throw new Error(`unknown guide ${page}`)
  return guide
}

/** Joins the snippets, with a separator for each output block. */
function buildProgram(text: string, { fence, mark }: Guide): string {
  const blocks = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...blocks]
    .map(([, kind, code = '']) => (kind === fence ? code : kind === 'text' ? `${mark}\n` : ''))
    .join('\n')
}

function outputsIn(text: string): string[] {
  return [...[...text.matchAll(OUTPUT)].map(([, output = '']) => output), '']
}

function replaceOutputs(text: string, printed: readonly string[]): string {
  let at = 0
  return text.replaceAll(OUTPUT, () => `\`\`\`text\n${printed[at++] ?? ''}\`\`\``)
}

const OUTPUT = /^```text\n([\s\S]*?)^```$/gm

/** Returns the output of a command, which must succeed without warnings. */
async function run(command: string[]): Promise<string> {
  const done = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, API: url, KEY: testApp.keys.pro },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, errors] = await Promise.all([
    new Response(done.stdout).text(),
    new Response(done.stderr).text(),
  ])
  // Compilers print errors to stdout.
  const code = await done.exited
  expect([code, errors, code === 0 ? '' : printed]).toEqual([0, '', ''])
  return printed
}
