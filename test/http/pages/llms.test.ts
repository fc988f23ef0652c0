/** The description of the service for language models. */
import { describe, expect, test } from 'bun:test'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { documentOf } from '../../contract/openapi.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'

const GUIDES = join(import.meta.dir, '../../../docs/guides')

const testApp = await createTestApp()
const text = (await testApp.client.get('/llms.txt')).text
const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)

describe('/llms.txt', () => {
  test('is public plain text', async () => {
    const { status, headers } = await testApp.client.get('/llms.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  })

  test('begins with a title and a summary, and its sections are lists of links', () => {
    const [top = '', ...sections] = text.split(/^## /m)
    expect(top).toMatch(/^# Cardstock\n\n> .+\n/)
    expect(sections.length).toBeGreaterThan(10)
    for (const section of sections) {
      expect(section).toMatch(/^.+\n\n(?:- \[[^\]]+\]\([^)\s]+\)(?:: .+)?\n)+\n*$/)
    }
  })

  test('names every endpoint of the API document once, with its summary', async () => {
    const { paths } = await documentOf(testApp)
    const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        return `[${method.toUpperCase()} ${path}] ${operation.summary}.`
      }),
    )
    const listed = [...text.matchAll(/^- (\[[A-Z]+ \/[^\]]*\])\([^)]+\): (.+)$/gm)]
    expect(listed.map(([, name, summary]) => `${name} ${summary}`).sort()).toEqual(endpoints.sort())
    expect(endpoints.length).toBeGreaterThan(40)
  })

  test('has no broken link to this server', async () => {
    expect(links.filter((link) => !link.startsWith(`${PUBLIC_URL}/`))).toEqual([])
    for (const link of new Set(links.map((one) => one.replace(/#.*/, '')))) {
      const { status } = await testApp.client.get(link.slice(PUBLIC_URL.length))
      expect([link, status]).toEqual([link, 200])
    }
  })

  test('links to every guide', () => {
    const guides = globSync('**/*.md', { cwd: GUIDES })
    expect(guides.length).toBeGreaterThan(10)
    for (const path of guides) expect(links).toContain(`${PUBLIC_URL}/guides/${basename(path)}`)
  })
})

describe('a guide', () => {
  test('is served unchanged', async () => {
    const { status, headers, text } = await testApp.client.get('/guides/bulk.md')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toBe(readFileSync(join(GUIDES, 'pricing/bulk.md'), 'utf8'))
  })

  test.each(['none.md', 'none', '..%2Fspec.md', '..%2f..%2fpackage.json'])(
    'that does not exist (%s) returns 404, and no other file is served',
    async (file) => {
      expectRefusal(await testApp.client.get(`/guides/${file}`), 404, 'NOT_FOUND')
    },
  )
})
