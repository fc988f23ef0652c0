/** Runs the commands of the guides, and compares their examples with the API. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './support/process.ts'
import { createTestApp, type TestApp } from './support/test-app.ts'
import type { CardRow } from './support/test-client.ts'

const ROOT = join(import.meta.dir, '..')

let testApp: TestApp
let address: string
const folder = mkdtempSync(join(tmpdir(), 'cardstock-guides-'))

beforeAll(async () => {
  testApp = await createTestApp()
  testApp.app.listen({ hostname: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${testApp.app.server?.port}`
  symlinkSync(join(ROOT, 'data'), join(folder, 'data'))
})
afterAll(async () => {
  await testApp.app.server?.stop(true)
  testApp.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Number of curl requests per guide. A guide without its own key uses that of the Free account. */
test.each([
  ['start.md', 8],
  ['accounts/keys.md', 7],
  ['search/search.md', 4],
])(
  'the requests of %s succeed',
  async (guide, requests) => {
    // Each guide creates its own account.
    const script = snippetsIn(guide)
      .join('\n')
      .replaceAll('you@example.com', `${guide}@example.com`)
    const commands = `
    API_OF_TEST=${address}
    curl() { command curl --silent --show-error --fail-with-body "$@" && echo >&2 requested; }
    ${script.replaceAll(/^API=.*$/gm, 'API=$API_OF_TEST')}`
    const { code, stdout, stderr } = await runCommand(
      ['bash', '-euo', 'pipefail', '-c', commands],
      { cwd: folder, env: { KEY: testApp.keys.free } },
    )
    expect([code, stderr.match(/^requested$/gm)?.length, stdout]).toEqual([
      0,
      requests,
      expect.any(String),
    ])
  },
  30_000,
)

test.each(examplesIn('search/search.md'))('search for "%s" finds %s first', async (q, name) => {
  const query = new URLSearchParams({ q })
  const { status, body } = await testApp.client.get<CardRow[]>(`/v1/search?${query}`, {
    as: 'business',
  })
  expect([status, body.data[0]?.name ?? 'none']).toEqual([200, name])
})

// UPDATE_GOLDEN=1 writes the error into the page.
test.each([
  ['guides/accounts/keys.md', '/v1/cards/900401/history'],
  ['reference/errors.md', '/v1/cards/1'],
])('%s shows the error of %s', async (page, path) => {
  const { body } = await testApp.client.get(path, { as: 'free' })
  const file = join(ROOT, 'docs', page)
  const shown = /^\{"error":\{.*?\}/m
  const error = `{"error":${JSON.stringify(body.error)}`
  if (process.env.UPDATE_GOLDEN === '1') {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(shown, () => error),
    )
  }
  expect(shown.exec(readFileSync(file, 'utf8'))?.[0]).toBe(error)
})

/** Returns the blocks of a guide with curl commands; blocks with commands of the project are skipped. */
function snippetsIn(guide: string): string[] {
  const blocks = [...textOf(guide).matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, block = '']) => block).filter((block) => /^curl /m.test(block))
}

/** Returns the rows of the examples table: query and first result. */
function examplesIn(guide: string): [q: string, name: string][] {
  const [, table = ''] =
    /^\| `q` \| first result .*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(textOf(guide)) ?? []
  const rows = [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)]
  return rows.map(([, q = '', name = '']) => [q, name])
}

function textOf(guide: string): string {
  return readFileSync(join(ROOT, 'docs/guides', guide), 'utf8')
}
