/**
 * Guides name existing things: endpoints with their parameters and members, error codes, metrics, commands with their
 * options.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { basename } from 'node:path'
import { documentTitle, listGuides } from '#http/pages/guides.ts'
import { ERRORS } from '#rules/primitives/errors.ts'
import { type AnyCommand, isGroup } from '../scripts/cli/definition.ts'
import { parseInput, selectCommand } from '../scripts/cli/parse.ts'
import { ALL_COMMANDS } from '../scripts/cli/tree-commands.ts'
import {
  type ApiDocument,
  listBlocks,
  listInlineCode,
  readDocument,
  resolveReference,
  USER_PAGES,
} from './support/operations/documents.ts'
import { createTestApp } from './support/test-app.ts'

/** A request shown on a page; without a method if only the path is named. */
type Call = { method?: string; path: string; names: string[] }
type Operation = { path: string; method: string; names: string[] }

const EXCEPTIONS: [fault: string, reason: string][] = [
  ['/v1/sets?limit', 'The guide shows what happens to a parameter that does not exist.'],
  ['/v1/identify?payment', 'The parameter belongs to x402, not to one endpoint.'],
  ['/v1/payments/stripe/webhook', 'Only Stripe calls it, so the API document leaves it out.'],
  ['NOT_JSON', 'The typed client has this code for responses of something else.'],
]
const isException = (fault: string) => EXCEPTIONS.some(([known]) => known === fault)

let operations: Operation[]

beforeAll(async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  testApp.close()
  operations = operationsOf(JSON.parse(text))
})

describe('a guide', () => {
  test('has a unique file name, by which the server finds it', () => {
    const names = [...new Bun.Glob('docs/{guides,reference}/**/*.md').scanSync('.')].map((path) =>
      basename(path),
    )
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has a title of its own', () => {
    const titles = [...listGuides().values()].map(documentTitle)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})

describe.each(USER_PAGES)('%s names', (page) => {
  test('endpoints that exist, with parameters and members that they have', () => {
    expect(callsIn(page).flatMap((call) => findFault(call))).toEqual([])
  })

  test('error codes that exist', () => {
    const codes = listInlineCode(page).filter((code) => /^[A-Z]+(_[A-Z]+)+$/.test(code))
    const settings = readDocument('.env.example') + readDocument('docs/reference/configuration.md')
    const unknown = codes.filter((code) => !(code in ERRORS) && !settings.includes(code))
    expect(unknown.filter((code) => !isException(code))).toEqual([])
  })

  test('metrics that exist', () => {
    const names = readDocument(page).match(/\bcardstock_[a-z_]+\b(?!-)/g) ?? []
    const metrics = readDocument('docs/reference/metrics.md')
    expect(names.filter((name) => !metrics.includes(name))).toEqual([])
  })

  test('commands that exist, with options that they have', () => {
    expect(commandsIn(page).flatMap(([name, words]) => findUsageFault(name, words))).toEqual([])
  })
})

test('calls and commands are found in every notation', () => {
  const calls = readCalls([
    'curl -G $API/v1/search -H "X-API-Key: $KEY" --data-urlencode "q=a b" -d sort=name',
    'curl "$API/v1/cards/1/history?range=year&printing=Foil"',
    `curl -X PATCH $API/v1/webhooks/wh_… -d '{"threshold":11}'`,
    'curl $API/v1/identify -F image=@a.jpg',
    'get "/v1/prices/top-movers?period=7d"',
  ])
  expect(calls).toEqual([
    { method: 'GET', path: '/v1/search', names: ['q', 'sort'] },
    { method: 'GET', path: '/v1/cards/1/history', names: ['range', 'printing'] },
    { method: 'PATCH', path: '/v1/webhooks/wh_…', names: ['threshold'] },
    { method: 'POST', path: '/v1/identify', names: ['image'] },
    { path: '/v1/prices/top-movers', names: ['period'] },
  ])
  expect(findFault({ method: 'GET', path: '/v1/cards/1/histories', names: [] })).toHaveLength(1)
  expect(findFault({ method: 'GET', path: '/v1/search', names: ['query'] })).toHaveLength(1)
  expect(findFault({ method: 'PUT', path: '/v1/search', names: [] })).toHaveLength(1)
  expect(findFault({ path: '/v1/webhooks/{id}/test', names: [] })).toEqual([])
  expect(findUsageFault('sync', '--game pokemon --force')).toEqual([])
  expect(findUsageFault('sync', '--games pokemon')).toHaveLength(1)
  expect(findUsageFault('synchronize', '')).toHaveLength(1)
})

/** Returns the requests of a page, from its blocks and sentences. */
function callsIn(page: string): Call[] {
  const lines = listBlocks(page).flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
  return [...readCalls(lines), ...readCalls(listInlineCode(page))]
}

function readCalls(lines: readonly string[]): Call[] {
  return lines.flatMap((line) => {
    // A shell command stands for a value, and the next command does not belong to curl.
    const text = line.replaceAll(/\$\([^)]*\)/g, '…')
    const curl = /\bcurl .*?(?= \||$)/.exec(text)?.[0]
    const paths = text.matchAll(/(?:\b(GET|POST|PUT|PATCH|DELETE) )?\S*?(\/v1\/[^\s"'`|)#]*)/g)
    return [...paths].map(([, verb, address = '']) => {
      const [path = '', query = ''] = address.replace(/[.,;:]+$|\{urlencode.*/, '').split('?')
      const method = verb ?? (curl === undefined ? undefined : methodOfCurl(curl))
      const names = [...query.split('&').map(nameOf), ...dataNames(curl ?? '')]
      return { ...(method !== undefined && { method }), path, names: names.filter(Boolean) }
    })
  })
}

function methodOfCurl(line: string): string {
  const [, chosen] = /-X ([A-Z]+)/.exec(line) ?? []
  const isPost = /\s(-d|-F|--data-binary|--json)\s/.test(line) && !/\s-\w*G\b/.test(line)
  return chosen ?? (isPost ? 'POST' : 'GET')
}

/** Returns the names of form fields, and of the members of a JSON body. */
function dataNames(line: string): string[] {
  const fields = [...line.matchAll(/\s(?:-d|-F|--data-urlencode) ["']?(\w+)=/g)].map(
    ([, name = '']) => name,
  )
  const [, json = ''] = /\s-d '(\{.*\})'/.exec(line) ?? []
  return [...fields, ...[...json.matchAll(/[{,]\s*"(\w+)":/g)].map(([, name = '']) => name)]
}

const nameOf = (pair: string) => decodeURIComponent(pair.split('=')[0] ?? '').replace('[]', '')

function findFault({ method, path, names }: Call): string[] {
  // A group of endpoints: `/v1/`, `/v1/auth/…`.
  if (/\/…?$/.test(path)) {
    return operations.some((one) => one.path.startsWith(path.replace('…', ''))) ? [] : [path]
  }
  const found = operations.filter(
    (one) => isSamePath(one.path, path) && (method === undefined || one.method === method),
  )
  if (found.length === 0) return isException(path) ? [] : [`${method ?? 'any method'} ${path}`]
  return names
    .filter((name) => !found.some((one) => one.names.includes(name)))
    .map((name) => `${path}?${name}`)
    .filter((fault) => !isException(fault))
}

/** Returns true if a shown path, with its own values or names, is the path of an endpoint. */
function isSamePath(declared: string, shown: string): boolean {
  const parts = shown.split('/')
  const own = declared.split('/')
  return (
    own.length === parts.length &&
    own.every(
      (part, index) => part === parts[index] || (part.startsWith('{') && parts[index] !== ''),
    )
  )
}

function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries<ApiDocument>(document.paths).flatMap(([path, methods]) =>
    Object.entries<ApiDocument>(methods)
      .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
      .map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        names: [
          ...(operation.parameters ?? []).map(
            (one: ApiDocument) => resolveReference(document, one).name,
          ),
          ...Object.values<ApiDocument>(operation.requestBody?.content ?? {}).flatMap((content) =>
            membersOf(document, content.schema),
          ),
        ],
      })),
  )
}

/** Returns the names of all members of a schema, at any depth. */
function membersOf(document: ApiDocument, reference: ApiDocument): string[] {
  const schema = resolveReference(document, reference)
  if (schema === undefined) return []
  const nested = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    schema.items,
  ]
  return [
    ...Object.entries<ApiDocument>(schema.properties ?? {}).flatMap(([name, member]) => [
      name,
      ...membersOf(document, member),
    ]),
    ...nested.filter(Boolean).flatMap((one) => membersOf(document, one)),
  ]
}

/** Returns the commands in the blocks and sentences of a page: name and arguments. */
function commandsIn(page: string): [name: string, words: string][] {
  const texts = [
    ...listBlocks(page).map((block) => block.replaceAll(/\\\n\s*/g, '')),
    ...listInlineCode(page),
  ]
  return texts.flatMap((text) =>
    [...text.matchAll(/\bbun(?:@[\d.]+)? run (?!--)([a-z][\w-]*)([^\n|)&;>]*)/g)].map(
      ([, name = '', rest = '']): [string, string] => [
        name,
        rest.replace(/\s(#|<|2$).*$/, '').trim(),
      ],
    ),
  )
}

/** Values for placeholder words. */
const PLACEHOLDERS: Record<string, string> = {
  E: 'you@example.com',
  FILE: 'catalog.db',
  ID: '1',
  N: '1',
}

/** Package scripts that are not commands of Cardstock. */
const PLAIN_SCRIPTS = ['test', 'types', 'lint', 'format']

function findUsageFault(name: string, words: string): string[] {
  if (PLAIN_SCRIPTS.includes(name)) return []
  const command = (ALL_COMMANDS as Readonly<Record<string, AnyCommand>>)[name]
  if (command === undefined) return [name]
  const filled = words.replaceAll(
    /(?<=^|\s)(E|FILE|ID|N)(?=\s|$)/g,
    (word) => PLACEHOLDERS[word] ?? word,
  )
  const args = [...filled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  )
  // A command or an option that is only mentioned: `bun run admin`, `bun run export --out`.
  if (args.length === 0) return []
  try {
    if (!isGroup(command)) parseInput(command, args)
    else {
      const selected = selectCommand(command, args)
      const chosen = 'help' in selected ? undefined : command.commands[selected.name]
      if (chosen !== undefined && 'args' in selected && selected.args.length > 0) {
        parseInput(chosen, selected.args)
      }
    }
    return []
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return /needs a value|is required/.test(problem) ? [] : [`${name} ${words}: ${problem}`]
  }
}
