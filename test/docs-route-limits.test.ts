/** docs/reference/route-limits.md names every route that uses much, what it uses, and what limits it. */
import { describe, expect, test } from 'bun:test'
import { createApp } from '#http/app.ts'
import { listRows, readDocument } from './support/operations/documents.ts'
import { findRouteUses, listRouteSources, type Use } from './support/route-uses.ts'
import type { Source } from './support/source-text.ts'
import { createTestApp } from './support/test-app.ts'

const PAGE = 'docs/reference/route-limits.md'

/** A body of this length takes a megabyte. */
const BODY_BYTES = 1_000_000

const ROWS = listRows(PAGE, /^`(GET|POST|PATCH|DELETE) /)

const sources = await listRouteSources()
const usesByRoute = findRouteUses(sources)

/** Returns what the routes of the code use; those that use nothing are left out. */
async function listUses(): Promise<Record<string, string>> {
  const uses = new Map<string, Set<Use | 'memory'>>(usesByRoute)
  const testApp = await createTestApp()
  for (const [name, { body }] of createApp(testApp.deps).declared) {
    if (body === undefined || body.bytesMax < BODY_BYTES) continue
    const route = name.replaceAll(/:(\w+)/g, '{$1}')
    uses.set(route, new Set([...(uses.get(route) ?? []), 'memory']))
  }
  const found = [...uses].flatMap(([name, used]): [string, string][] =>
    used.size === 0 ? [] : [[name, [...used].sort().join(', ')]],
  )
  return Object.fromEntries(found.sort())
}

describe('the table of limits', () => {
  test('names each route that uses much, and what it uses', async () => {
    const named = ROWS.map(([route = '', uses = '']): [string, string] => [
      route.replaceAll('`', ''),
      uses,
    ])
    expect(Object.fromEntries(named)).toEqual(await listUses())
    expect(named.map(([route]) => route)).toHaveLength(new Set(named.map(([route]) => route)).size)
  })

  test('states what limits a route by account, by network and in all', () => {
    const terms = listRows(PAGE, /^\*\*/).map(([term = '']) => term.replaceAll('*', ''))
    expect(terms.length).toBeGreaterThan(3)
    for (const [route, , ...limits] of ROWS) {
      expect([route, limits.length, limits.filter((limit) => limit === '')]).toEqual([route, 3, []])
    }
    const used = new Set(readDocument(PAGE).match(/(?<!\*)\*[a-z ]+\*(?!\*)/g))
    expect([...used].sort()).toEqual(terms.map((term) => `*${term}*`).sort())
  })

  test('has every kind of use, so that none is overlooked because of its name in the code', () => {
    const found = new Set([...usesByRoute.values()].flatMap((uses) => [...uses]))
    expect([...found].sort()).toEqual(['hash', 'mail', 'processor', 'thread'])
  })
})

describe('a new route', () => {
  const IMPORTS = `
import { mapYielding } from '#actions/cooperative-loop.ts'
import { changePassword } from '#actions/accounts/log-in.ts'
import { requestPasswordReset } from '#actions/accounts/mail-links.ts'
import { identifyPhoto } from '#actions/photos/identify-photo.ts'
`
  const usesOf = (respond: string, before = '') => {
    const text = `${IMPORTS}export function newRoutes({ endpoint, passwords, payments }, deps) {
  ${before}
  endpoint('POST /v1/new/:id', { auth: 'account', ${respond} })
}`
    const added: Source = { path: 'src/http/routes/accounts/new.ts', text }
    return [...(findRouteUses([...sources, added]).get('POST /v1/new/{id}') ?? [])].sort()
  }

  test.each([
    ['hashes by itself', 'respond: ({ body }) => passwords.hash(body.password)', ['hash']],
    ['hashes in an action', 'respond: (request) => changePassword(deps, request)', ['hash']],
    [
      'mails in an action',
      'respond: async ({ body }) => requestPasswordReset(deps, body)',
      ['mail'],
    ],
    [
      'reads photos in an action',
      'respond(request) { return identifyPhoto(deps, request) }',
      ['thread'],
    ],
    [
      'reads photos in a part of the server',
      'respond: (request) => payments.handle(request)',
      ['thread'],
    ],
    ['works for long', 'respond: () => mapYielding(list, render)', ['processor']],
    ['sends a file', 'respond: () => ({ source: { chunks: render() } })', ['processor']],
    ['starts a thread', 'respond: () => deps.triggers.valuations.get()?.(id)', ['thread']],
    ['loads pixels', "respond: () => import('#vision/image/decode.ts')", ['thread']],
    ['does little', 'respond: ({ params }) => deps.catalog.cards.get(params.id)', []],
  ])('that %s is found', (_, respond, uses) => {
    expect(usesOf(respond)).toEqual(uses as Use[])
  })

  test('is found through a function beside it', () => {
    const before = 'async function answer(body) { return identifyPhoto(deps, body) }'
    expect(usesOf('respond: ({ body }) => answer(body)', before)).toEqual(['thread'])
  })
})
