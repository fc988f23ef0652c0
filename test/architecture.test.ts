/**
 * The doors of the house: which room may know which, and what may stand in only one room. The rules
 * are the table below. Each carries examples that it must refuse and that it must let pass, so a
 * rule that can no longer fail fails here.
 */
import { describe, expect, test } from 'bun:test'
import { posix, resolve } from 'node:path'

type Source = { path: string; text: string }
/** What is wrong at which offset of the text; offset 0 when it is the file itself. */
type Hit = { at: number; what: string }
type Rule = {
  name: string
  todo: string
  find: (source: Source) => Hit[]
  refuses: [path: string, text: string][]
  allows: [path: string, text: string][]
}

const GROUND = ['rules', 'config', 'log']
const BELOW_ACTIONS = [...GROUND, 'store', 'outbound', 'vision', 'deps']

/** Room -> rooms that it may import. Arrows only point down; what joins two rooms is an action. */
const DOORS: Record<string, string[]> = {
  rules: [],
  config: ['rules'],
  log: ['rules', 'config'],
  store: GROUND,
  outbound: GROUND,
  vision: GROUND,
  deps: [...GROUND, 'store', 'outbound', 'vision'],
  actions: BELOW_ACTIONS,
  http: [...BELOW_ACTIONS, 'actions'],
  jobs: [...BELOW_ACTIONS, 'actions'],
  main: [...BELOW_ACTIONS, 'actions', 'http', 'jobs'],
  client: [],
  web: ['client'],
}

/** What a process starts with: only these may open the rooms. */
const ENTRIES = ['src/main.ts', 'src/jobs/task-thread.ts']

/** Packages that stay in one room. */
const PACKAGES: [name: RegExp, room: string][] = [
  [/^(elysia|@elysiajs)(\/|$)/, 'http'],
  [/^(better-sqlite3|drizzle-orm|bun:sqlite)(\/|$)/, 'store'],
  [/^croner$/, 'jobs'],
  [/^csv-parse(\/|$)/, 'actions'],
  [/^(sharp|@tensorflow\/.*)$/, 'vision'],
  [/^(stripe|undici|node:https?|node:net|node:tls)$/, 'outbound'],
  [/^(react|react-dom|uplot|wouter)(\/|$)/, 'web'],
]

const NAMING = 'a file is named for what it holds'
const EMPTY_NAME = /(^|-)(utils?|helpers?|common|misc|types?|constants?|services?|managers?|base)$/
const RULES: Rule[] = [
  {
    name: 'an arrow only points down',
    todo: 'Pass what is needed as an argument, or join the two rooms in an action.',
    find: (source) =>
      roomOf(source.path) in DOORS
        ? importsOf(source).flatMap((door) => wrongDoor(source.path, door))
        : [{ at: 0, what: 'stands in no room' }],
    refuses: [
      ['src/rules/a.ts', "import { b } from '#store/b.ts'"],
      ['src/rules/a.ts', "import type { Config } from '#config.ts'"],
      ['src/store/a.ts', "import { b } from '#outbound/b.ts'"],
      ['src/outbound/a.ts', "import { b } from '../vision/b.ts'"],
      ['src/vision/a.ts', "const b = await import('#store/b.ts')"],
      ['src/actions/a.ts', "export { b } from '#http/b.ts'"],
      ['src/jobs/a.ts', "import '#http/b.ts'"],
      ['src/store/a.ts', "new Worker(new URL('../jobs/b.ts', import.meta.url))"],
      ['src/web/a.tsx', "import { b } from '#rules/b.ts'"],
      ['src/client/a.ts', "import type { b } from '#rules/b.ts'"],
      ['src/http/a.ts', "import { b } from '../web/b.ts'"],
      ['src/http/a.ts', "import { b } from '../../test/support/b.ts'"],
      ['src/attic/a.ts', ''],
    ],
    allows: [
      ['src/actions/a.ts', "import { b } from '#store/b.ts'\nimport { c } from './c.ts'"],
      ['src/http/app.ts', "import page from '../web/index.html'"],
      ['src/http/app.ts', "import about from '../../package.json' with { type: 'json' }"],
      ['src/rules/a.ts', "// import { b } from '#store/b.ts'"],
      ['src/web/a.tsx', "import { openClient } from '../client/client.ts'"],
    ],
  },
  {
    name: 'the catalog and the ledger never import each other',
    todo: 'Two files, two rooms: join them in an action.',
    find: (source) =>
      importsOf(source)
        .filter(({ target }) => {
          const ends = [source.path, target ?? ''].map((path) => path.split('/')[2])
          return ends.includes('catalog') && ends.includes('ledger')
        })
        .map(importHit),
    refuses: [
      ['src/store/catalog/a.ts', "import { b } from '../ledger/b.ts'"],
      ['src/store/ledger/a.ts', "import type { b } from '#store/catalog/b.ts'"],
    ],
    allows: [['src/store/index.ts', "import { b } from './ledger/b.ts'"]],
  },
  {
    name: 'only a process entry opens the rooms',
    todo: 'Write `import type { Deps }`; the open rooms are handed down by main.ts.',
    find: (source) =>
      importsOf(source)
        .filter(({ target, typeOnly }) => target === 'src/deps.ts' && !typeOnly)
        .filter(() => !ENTRIES.includes(source.path))
        .map(importHit),
    refuses: [
      ['src/actions/a.ts', "import { openDeps } from '#deps.ts'"],
      ['src/jobs/a.ts', "import { type Deps } from '#deps.ts'"],
      ['src/http/a.ts', "import type { B } from '#rules/b.ts'\nimport { Deps } from '../deps.ts'"],
    ],
    allows: [
      ['src/http/a.ts', "import type { Deps } from '#deps.ts'"],
      ['src/main.ts', "import { openDeps } from './deps.ts'"],
      ['src/jobs/task-thread.ts', "import { openDeps } from '#deps.ts'"],
    ],
  },
  {
    name: 'a package stays in its room',
    todo: 'The table PACKAGES in this test names its room; the others ask that room.',
    find: (source) =>
      importsOf(source)
        .filter(({ name, target }) =>
          PACKAGES.some(
            ([of, room]) => target === undefined && of.test(name) && roomOf(source.path) !== room,
          ),
        )
        .map(importHit),
    refuses: [
      ['src/actions/a.ts', "import { Elysia } from 'elysia'"],
      ['src/jobs/a.ts', "import { swagger } from '@elysiajs/swagger'"],
      ['src/http/a.ts', "import Database from 'better-sqlite3'"],
      ['src/actions/a.ts', "import { sql } from 'drizzle-orm'"],
      ['src/deps.ts', "import { drizzle } from 'drizzle-orm/better-sqlite3'"],
      ['src/http/a.ts', "import { Cron } from 'croner'"],
      ['src/http/a.ts', "import sharp from 'sharp'"],
      ['src/actions/a.ts', "const { Stripe } = await import('stripe')"],
      ['src/http/a.tsx', "import { useState } from 'react'"],
    ],
    allows: [
      ['src/http/routes/a.ts', "import { Elysia } from 'elysia'"],
      ['src/store/a.ts', "import { sql } from 'drizzle-orm'"],
    ],
  },
  {
    name: 'SQL is written in store/ alone',
    todo: 'Add a question or a deed to a file of store/ and call that.',
    find: (source) => (roomOf(source.path) === 'store' ? [] : sqlIn(source)),
    refuses: [
      ['src/http/a.ts', "const b = 'SELECT id FROM cards'"],
      ['src/actions/a.ts', 'const b = `\n  delete from cards`'],
      ['src/jobs/a.ts', 'run("PRAGMA optimize")'],
    ],
    allows: [
      ['src/http/a.ts', "const b = 'Select a card from the list.' // SELECT id FROM cards"],
      ['src/store/a.ts', "const b = 'SELECT id FROM cards'"],
    ],
  },
  {
    name: 'other machines are called from outbound/ alone',
    todo: 'Put the call into a file of outbound/ and let an action use it.',
    find: words(
      /(?<![.\w#])fetch\s*\((?![^()]*\)\s*(?::[^={;]+)?\{)|\b(?:globalThis|Bun)\.fetch\b/g,
      (path) => !['outbound', 'web', 'client'].includes(roomOf(path)),
    ),
    refuses: [
      ['src/actions/a.ts', 'const b = await fetch(url)'],
      ['src/http/a.ts', `const b = \`\${await fetch(url)}\``],
      ['src/jobs/a.ts', 'globalThis.fetch(url)'],
    ],
    allows: [
      ['src/outbound/a.ts', 'const b = await fetch(url)'],
      ['src/main.ts', 'Bun.serve({ fetch(request) { return app.fetch(request) } })'],
      ['src/http/a.ts', "/** Never fetch(). */\nconst b = 'fetch(url)'"],
    ],
  },
  {
    name: 'the environment is read in config.ts alone',
    todo: 'Add a setting to src/config.ts and to .env.example.',
    find: words(/\b(?:process|Bun|import\.meta)\s*\.\s*env\b/g, (path) => path !== 'src/config.ts'),
    refuses: [
      ['src/log.ts', 'const b = process.env.LOG_LEVEL'],
      ['src/http/a.ts', "const b = Bun.env['PORT']"],
    ],
    allows: [['src/config.ts', 'const b = process.env']],
  },
  {
    name: 'the catalog answers synchronously',
    todo: 'Await outside, and hand the finished facts in: a transaction must never wait.',
    find: words(/\b(?:async|await)\b|\bPromise\s*[<.(]/g, (path) =>
      path.startsWith('src/store/catalog/'),
    ),
    refuses: [
      ['src/store/catalog/a.ts', 'export async function b() {}'],
      ['src/store/catalog/a.ts', 'function b(): Promise<void> {}'],
    ],
    allows: [
      ['src/store/ledger/a.ts', 'export async function b() {}'],
      ['src/store/catalog/a.ts', '// not async, no await'],
    ],
  },
  {
    name: 'a rule touches nothing',
    todo: 'Take the time, the randomness or the text as an argument.',
    find: (source) => (roomOf(source.path) === 'rules' ? touches(source) : []),
    refuses: [
      ['src/rules/a.ts', 'const today = new Date()'],
      ['src/rules/a.ts', 'const now = Date.now()'],
      ['src/rules/a.ts', 'export async function b() {}'],
      ['src/rules/a.ts', "import { readFileSync } from 'node:fs'"],
    ],
    allows: [
      ['src/rules/a.ts', "import { createHash } from 'node:crypto'\nconst day = new Date(text)"],
    ],
  },
  {
    name: 'http asks the stores and changes nothing',
    todo: 'Write an action that does the deed, and call that.',
    find: (source) => (roomOf(source.path) === 'http' ? storeWrites(source) : []),
    refuses: [
      ['src/http/a.ts', 'await deps.ledger.keys.add(accountId)'],
      ['src/http/a.ts', 'catalog.games.markSynced(id)'],
      ['src/http/a.ts', 'const { usage } = deps.ledger\nusage.spend(1)'],
      ['src/http/a.ts', 'const scans = deps.ledger.scans\nscans.reserve(id)'],
    ],
    allows: [
      ['src/http/a.ts', 'const seen = new Set()\nseen.add(1)'],
      ['src/http/a.ts', 'deps.catalog.cards.byId(1)\ndeps.ledger.keys.address()'],
      ['src/actions/a.ts', 'await ledger.keys.add(accountId)'],
    ],
  },
  {
    name: NAMING,
    todo: 'Name the noun or the deed; index.ts is for src/store alone.',
    find: ({ path }) => (isWellNamed(path) ? [] : [{ at: 0, what: 'has such a name' }]),
    refuses: [
      ['src/http/utils.ts', ''],
      ['src/rules/card-helpers.ts', ''],
      ['src/services/card.ts', ''],
      ['src/http/index.ts', ''],
      ['src/store/catalog/index.ts', ''],
    ],
    allows: [
      ['src/store/index.ts', ''],
      ['src/web/index.html', ''],
      ['src/rules/database-names.ts', ''],
    ],
  },
  {
    name: 'nothing is exported as default',
    todo: 'Export it by its name, so that one search finds every use.',
    find: words(
      /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g,
      (path) => !path.endsWith('.d.ts'),
    ),
    refuses: [
      ['src/http/a.ts', 'export default 1'],
      ['src/http/a.ts', 'const b = 1\nexport { b as default }'],
    ],
    allows: [['src/store/text-modules.d.ts', 'export default text']],
  },
]

const root = resolve(import.meta.dir, '..')
const testApp = await readSources('src/**/*.{ts,tsx,html}')
const surroundings = await readSources('{scripts,test}/**/*.{ts,tsx}')

describe('in the house', () => {
  test.each(RULES)('$name', (rule) => {
    const everywhere = rule.name === NAMING ? [...testApp, ...surroundings] : testApp
    expect(everywhere.flatMap((source) => findingsOf(rule, source))).toEqual([])
  })

  test('a file over 300 lines is a question, not a fault', () => {
    const long = testApp.filter(({ text }) => text.split('\n').length > 301)
    for (const { path } of long)
      console.info(`${path} is over 300 lines: which two nouns live here?`)
    expect(testApp.length).toBeGreaterThan(0)
  })
})

describe.each(RULES)('the rule "$name"', ({ refuses, allows, ...rule }) => {
  test('refuses what breaks it, and says where and what to do', () => {
    const findings = refuses.map(([path, text]) => findingsOf(rule, { path, text }))
    const wanted = refuses.map(([path, text]) => [
      expect.stringMatching(
        new RegExp(`^${path}:${text.split('\n').length} .+: ${rule.todo.slice(0, 9)}`),
      ),
    ])
    expect(findings).toEqual(wanted)
  })

  test('lets pass what keeps it', () => {
    expect(allows.flatMap(([path, text]) => findingsOf(rule, { path, text }))).toEqual([])
  })
})

async function readSources(pattern: string): Promise<Source[]> {
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }))
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await Bun.file(resolve(root, path)).text() })),
  )
}

/** Each finding as a line to read: where it is, what is there, what to do. */
function findingsOf(rule: Pick<Rule, 'find' | 'todo'>, source: Source): string[] {
  return rule.find(source).map(({ at, what }) => {
    const line = source.text.slice(0, at).split('\n').length
    return `${source.path}:${line} ${what}: ${rule.todo}`
  })
}

/** `src/http/routes/sets.ts` -> `http`, `src/main.ts` -> `main`. */
function roomOf(path: string): string {
  return path.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''
}

type Import = { at: number; name: string; target: string | undefined; typeOnly: boolean }

/** Every import, re-export, dynamic import and worker file; `target` is set when it is one of ours. */
function importsOf({ path, text }: Source): Import[] {
  const code = mask(text, ['comment'])
  const found = code.matchAll(
    /(?:\b(?:from|import)|\b(?:import|require)\s*\(|\bnew URL\s*\()\s*(['"])([^'"\n]+)\1/g,
  )
  return [...found].map(({ index, 0: all, 2: name = '' }) => {
    const before = code.slice(0, index)
    const start = Math.max(before.lastIndexOf('import '), before.lastIndexOf('export '))
    return {
      at: index + all.length - 1,
      name,
      target: targetOf(path, name),
      typeOnly: all.startsWith('from') && /^\w+\s+type\s/.test(before.slice(start)),
    }
  })
}

function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('#')) return posix.join('src', name.slice(1))
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined
}

function importHit({ at, name }: Import): Hit {
  return { at, what: `imports ${name}` }
}

function wrongDoor(path: string, door: Import): Hit[] {
  const { target } = door
  if (target === undefined || target === 'package.json') return []
  const from = roomOf(path)
  const to = target.startsWith('src/') ? roomOf(target) : target
  const isPage = to === 'web' && target.endsWith('.html') && ['http', 'main'].includes(from)
  return from === to || isPage || DOORS[from]?.includes(to) ? [] : [importHit(door)]
}

/** Finds words in the code itself, wherever the rule applies. */
function words(pattern: RegExp, applies: (path: string) => boolean): Rule['find'] {
  return ({ path, text }) =>
    applies(path)
      ? [...codeOf(text).matchAll(pattern)].map(({ index, 0: word }) => ({
          at: index,
          what: `says ${word}`,
        }))
      : []
}

/** A query is told by how its text begins, in one case: prose begins with a capital letter alone. */
function sqlIn({ text }: Source): Hit[] {
  const query =
    /^(?:select\s.*\sfrom|insert\s(?:or\s\w+\s)?into|replace\sinto|update\s\w+\sset|delete\sfrom|(?:create|alter|drop)\s(?:\w+\s)?(?:table|index|trigger|view)|pragma\s\w+|with\s\w+\sas\s?\(|begin\simmediate)\b/i
  return tokensOf(text).flatMap(({ at, kind, token }) => {
    const written = token.slice(1).trimStart()
    const plain = written.replaceAll(/\s+/g, ' ')
    const isQuery = kind === 'text' && /^(?:[a-z]+|[A-Z]+)\s/.test(plain) && query.test(plain)
    return isQuery ? [{ at: at + token.indexOf(written), what: `says ${plain.slice(0, 40)}` }] : []
  })
}

function touches(source: Source): Hit[] {
  const modules = importsOf(source).filter(({ name }) => /^node:(?!crypto$|buffer$)/.test(name))
  const inCode = words(
    /\b(?:async|await|console|performance|setTimeout|setInterval)\b|\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b/g,
    () => true,
  )
  return [...modules.map(importHit), ...inCode(source)]
}

/** The deeds of a store are known by their verbs; its shelves by their names or what they are bound to. */
function storeWrites({ text }: Source): Hit[] {
  const deed =
    '(?:add|apply|claim|consume|create|deactivate|delete|grant|lease|mark|publish|put|record|refund|relay|release|remove|renew|replace|reserve|reset|settle|spend|touch|update)(?:[A-Z]\\w*)?\\s*\\('
  const code = codeOf(text)
  const unpacked = [...code.matchAll(/\{([^{}]*)\}\s*=\s*[\w.]*\b(?:catalog|ledger)\b(?!\.)/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.split(':').at(-1)?.trim() ?? '')
  const bound = [...code.matchAll(/(\w+)\s*=\s*[\w.]*\b(?:catalog|ledger)\.\w+\s*(?:[;\n]|$)/g)]
  const shelves = [...unpacked, ...bound.map(([, name = '']) => name)].filter((name) => name !== '')
  const owner = [
    '\\b(?:catalog|ledger|intake)\\??\\.\\w+',
    ...shelves.map((name) => `(?<![.\\w])${name}`),
  ]
  const calls = code.matchAll(new RegExp(`(?:${owner.join('|')})\\??\\.${deed}`, 'g'))
  return [...calls].map(({ index, 0: call }) => ({ at: index, what: `calls ${call})` }))
}

function isWellNamed(path: string): boolean {
  const names = path.split('/').map((name) => name.split('.')[0] ?? '')
  const isIndex = names.at(-1) === 'index' && /\.tsx?$/.test(path) && path !== 'src/store/index.ts'
  return !isIndex && !names.some((name) => EMPTY_NAME.test(name))
}

type Token = { at: number; kind: 'comment' | 'text' | 'pattern'; token: string }

/** Comments, texts and regular expressions, by their shape: enough for code that the formatter made. */
function tokensOf(text: string): Token[] {
  const shapes =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:;!&|?{}[\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g
  return [...text.matchAll(shapes)].map(({ index, 0: token }) => ({
    at: index,
    kind: /^\/[/*]/.test(token) ? 'comment' : token.startsWith('/') ? 'pattern' : 'text',
    token,
  }))
}

/** The text with spaces in place of these tokens, so that offsets stay. What a template computes is kept. */
function mask(text: string, kinds: Token['kind'][]): string {
  let masked = text
  for (const { at, kind, token } of tokensOf(text).filter((token) => kinds.includes(token.kind))) {
    const blank = token.replaceAll(/(\$\{[^}]*\})|[^\n]/g, (_, hole?: string) =>
      kind === 'text' && hole !== undefined ? hole : ' '.repeat(hole?.length ?? 1),
    )
    masked = masked.slice(0, at) + blank + masked.slice(at + token.length)
  }
  return masked
}

function codeOf(text: string): string {
  return mask(text, ['comment', 'text', 'pattern'])
}
