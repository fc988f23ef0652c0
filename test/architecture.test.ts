/**
 * The layers of src/: which layer may import which others, and what only one layer may contain. Each rule of the
 * table has examples that it must report and must accept, so that a rule that can no longer fail fails here.
 */
import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import {
  codeOf,
  type Import,
  importsOf,
  readSources,
  type Source,
  tokensOf,
} from './support/source-text.ts'

/** A violation at an offset of the text; 0 for the file itself. */
type Hit = { at: number; what: string }
type Rule = {
  name: string
  todo: string
  find: (source: Source) => Hit[]
  refuses: [path: string, text: string][]
  allows: [path: string, text: string][]
}

const GROUND = ['rules', 'concurrency', 'config', 'log']
const BELOW_ACTIONS = [...GROUND, 'store', 'outbound', 'vision', 'deps']

/** The layers that each layer may import. Dependencies only point down; actions join two layers. */
const LAYERS: Record<string, string[]> = {
  rules: [],
  concurrency: [],
  config: ['rules'],
  log: ['rules', 'config'],
  store: GROUND,
  outbound: GROUND,
  vision: GROUND,
  deps: [...GROUND, 'store', 'outbound', 'vision'],
  actions: BELOW_ACTIONS,
  http: [...BELOW_ACTIONS, 'actions'],
  jobs: [...BELOW_ACTIONS, 'actions'],
  process: GROUND,
  greeting: [...BELOW_ACTIONS, 'actions'],
  main: [...BELOW_ACTIONS, 'actions', 'http', 'jobs', 'process', 'greeting'],
  read: [...BELOW_ACTIONS, 'actions', 'http', 'process'],
  client: [],
  web: ['client', 'concurrency'],
}

/** Files whose exports are imported as a namespace, or generated. */
const isNamespace = (path: string) => path === GENERATED || path.startsWith('src/web/texts/en/')

/** Entry files of processes and of threads: only these may open the stores and clients. */
const isEntry = (path: string) => /^src\/(main|read|jobs\/tasks\/[\w-]+)\.ts$/.test(path)

/** Packages that only one layer may import. */
const PACKAGES: [name: RegExp, layer: string][] = [
  [/^(elysia|@elysiajs|@modelcontextprotocol)(\/|$)/, 'http'],
  [/^(better-sqlite3|drizzle-orm|bun:sqlite|pg)(\/|$)/, 'store'],
  [/^croner$/, 'jobs'],
  [/^csv-parse(\/|$)/, 'actions'],
  [/^(sharp|@tensorflow\/.*)$/, 'vision'],
  [/^(stripe|nodemailer|undici|node:https?|node:net|node:tls)$/, 'outbound'],
  [/^(@tanstack\/react-query|idb|react|react-dom|uplot|wouter)(\/|$)/, 'web'],
  [/^openapi-fetch$/, 'client'],
]

const PRODUCT = ['accounts', 'alerts', 'billing', 'catalog', 'collections', 'pricing', 'x402']

/** Folders of the capabilities in the layers that have them. */
const CAPABILITIES: Record<string, string[]> = {
  rules: [...PRODUCT, 'primitives', 'search', 'matching', 'photos', 'sync', 'operations'],
  actions: [...PRODUCT, 'matching', 'photos', 'sync', 'operations'],
  store: ['catalog', 'ledger', 'files', 'backup', 'memory'],
  vision: ['image', 'detect', 'ocr', 'retrieval', 'runtime', 'worker'],
  outbound: [
    'accounts',
    'net',
    'bucket',
    'mail',
    'marketplace',
    'photos',
    'pricing',
    'stripe',
    'webhooks',
    'x402',
  ],
  http: ['endpoint', 'input', 'schemas', 'metrics', 'mcp', 'openapi', 'pages', 'routes'],
  web: [...PRODUCT, 'search', 'photos', 'operations', 'components', 'hooks', 'style', 'texts'],
}

const NAMING = 'a file is named for its content'
const MEMBERS = 'a literal has no literal spread into it'
/** Rules that also apply to scripts, tests and benchmarks. */
const EVERYWHERE = [NAMING, MEMBERS]
/** Generated from the API document, with the names of its schemas. */
const GENERATED = 'src/client/endpoints.ts'
const EMPTY_NAME = /(^|-)(utils?|helpers?|common|misc|types?|constants?|services?|managers?|base)$/
const RULES: Rule[] = [
  {
    name: 'dependencies only point down',
    todo: 'Pass the value as an argument, or join the two layers in an action.',
    find: (source) =>
      layerOf(source.path) in LAYERS
        ? importsOf(source).flatMap((one) => upwardImport(source.path, one))
        : [{ at: 0, what: 'is in no layer' }],
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
      ['src/concurrency/a.ts', "import { b } from '#rules/b.ts'"],
      ['src/client/a.ts', "import type { b } from '#rules/b.ts'"],
      ['src/http/a.ts', "import { b } from '../web/b.ts'"],
      ['src/http/a.ts', "import { b } from '../../test/support/b.ts'"],
      ['src/attic/a.ts', ''],
    ],
    allows: [
      ['src/rules/a.ts', "import b from '../../data/b.csv' with { type: 'text' }"],
      ['src/actions/a.ts', "import { b } from '#store/b.ts'\nimport { c } from './c.ts'"],
      ['src/http/app.ts', "import page from '../web/index.html'"],
      ['src/http/a.ts', "import worker from '../web/worker.js' with { type: 'text' }"],
      ['src/http/app.ts', "import about from '../../package.json' with { type: 'json' }"],
      ['src/rules/a.ts', "// import { b } from '#store/b.ts'"],
      ['src/web/a.tsx', "import { openClient } from '../client/client.ts'"],
      ['src/web/a.ts', "import { createFairQueue } from '#concurrency/fair-queue.ts'"],
    ],
  },
  {
    name: 'the catalog and the ledger never import each other',
    todo: 'Join the two databases in an action.',
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
    allows: [['src/store/open-ledger.ts', "import { b } from './ledger/b.ts'"]],
  },
  {
    name: 'only the entry of a process opens stores and clients',
    todo: 'Write `import type { Deps }`; main.ts passes the open stores and clients.',
    find: (source) =>
      importsOf(source)
        .filter(({ target, typeOnly }) => /^src\/deps[./]/.test(target ?? '') && !typeOnly)
        .filter(() => !isEntry(source.path) && layerOf(source.path) !== 'deps')
        .map(importHit),
    refuses: [
      ['src/actions/a.ts', "import { openDeps } from '#deps.ts'"],
      ['src/jobs/a.ts', "import { type Deps } from '#deps.ts'"],
      ['src/jobs/a.ts', "import { openBDeps } from '#deps/b-deps.ts'"],
      ['src/http/a.ts', "import type { B } from '#rules/b.ts'\nimport { Deps } from '../deps.ts'"],
    ],
    allows: [
      ['src/http/a.ts', "import type { Deps } from '#deps.ts'"],
      ['src/main.ts', "import { openDeps } from './deps.ts'"],
      ['src/jobs/tasks/a.ts', "import { openDeps } from '#deps.ts'"],
    ],
  },
  {
    name: 'a package stays in its layer',
    todo: 'Use it in the layer that PACKAGES in this test names.',
    find: (source) =>
      importsOf(source)
        .filter(({ name, target }) =>
          PACKAGES.some(
            ([pattern, layer]) =>
              target === undefined && pattern.test(name) && layerOf(source.path) !== layer,
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
      ['src/web/a.ts', "import createClient from 'openapi-fetch'"],
    ],
    allows: [
      ['src/http/routes/a.ts', "import { Elysia } from 'elysia'"],
      ['src/store/a.ts', "import { sql } from 'drizzle-orm'"],
    ],
  },
  {
    name: 'only store/ contains SQL',
    todo: 'Add a method to a store and call it.',
    find: (source) => (layerOf(source.path) === 'store' ? [] : sqlIn(source)),
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
    name: 'only outbound/ calls other machines',
    todo: 'Move the call to outbound/ and use it in an action.',
    find: words(
      /(?<![.\w#])fetch\s*\((?![^()]*\)\s*(?::[^={;]+)?\{)|\b(?:globalThis|Bun)\.fetch\b/g,
      (path) => !['outbound', 'web', 'client'].includes(layerOf(path)),
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
    name: 'only config.ts reads the environment',
    todo: 'Add a setting to src/config.ts and to .env.example.',
    find: words(/\b(?:process|Bun|import\.meta)\s*\.\s*env\b/g, (path) => path !== 'src/config.ts'),
    refuses: [
      ['src/log.ts', 'const b = process.env.LOG_LEVEL'],
      ['src/http/a.ts', "const b = Bun.env['PORT']"],
    ],
    allows: [['src/config.ts', 'const b = process.env']],
  },
  {
    name: 'the catalog store is synchronous',
    todo: 'Await first and pass the result: a transaction must not wait.',
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
    name: 'rules are pure',
    todo: 'Pass the time, the random numbers or the text as an argument.',
    find: (source) => (layerOf(source.path) === 'rules' ? touches(source) : []),
    refuses: [
      ['src/rules/a.ts', 'const today = new Date()'],
      ['src/rules/a.ts', 'const now = Date.now()'],
      ['src/rules/a.ts', 'export async function b() {}'],
      ['src/rules/a.ts', "import { readFileSync } from 'node:fs'"],
      ['src/rules/a.ts', "import { LRUCache } from 'lru-cache'"],
    ],
    allows: [
      ['src/rules/a.ts', "import { createHash } from 'node:crypto'\nconst day = new Date(text)"],
    ],
  },
  {
    name: 'http does not write to stores',
    todo: 'Write in an action and call it.',
    find: (source) => (layerOf(source.path) === 'http' ? storeWrites(source) : []),
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
    name: 'rules keep no state',
    todo: 'Move the state to store/ or to the action that owns it.',
    find: ({ path, text }) => (layerOf(path) === 'rules' ? stateIn(text) : []),
    refuses: [
      ['src/rules/a.ts', 'let count = 0'],
      [
        'src/rules/a.ts',
        'export function createCounter() {\n  let count = 0\n  return { add: () => count++ }',
      ],
      [
        'src/rules/a.ts',
        'const seen = new Map<string, number>()\nexport const b = () => seen.set("a", 1)',
      ],
    ],
    allows: [
      ['src/rules/a.ts', "const NAMES = new Map([['a', 1]])"],
      ['src/rules/a.ts', 'export function sum() {\n  let total = 0\n  return total\n}'],
    ],
  },
  {
    name: 'a folder of a layer is a capability',
    todo: 'Use a folder of CAPABILITIES in this test.',
    find: ({ path }) => {
      const [, layer = '', folder = '', ...more] = path.split('/')
      const isKnown = more.length === 0 || !(layer in CAPABILITIES)
      return isKnown || CAPABILITIES[layer]?.includes(folder)
        ? []
        : [{ at: 0, what: `is in ${layer}/${folder}` }]
    },
    refuses: [['src/rules/misc-things/a.ts', '']],
    allows: [
      ['src/rules/search/a.ts', ''],
      ['src/rules/a.ts', ''],
    ],
  },
  {
    name: NAMING,
    todo: 'Name the noun or the verb.',
    find: ({ path }) => (isWellNamed(path) ? [] : [{ at: 0, what: 'has an empty name' }]),
    refuses: [
      ['src/http/utils.ts', ''],
      ['src/rules/card-helpers.ts', ''],
      ['src/services/card.ts', ''],
      ['src/http/index.ts', ''],
      ['src/store/catalog/index.ts', ''],
    ],
    allows: [
      ['src/web/index.html', ''],
      ['src/rules/database-names.ts', ''],
    ],
  },
  {
    name: 'there is no default export',
    todo: 'Export it by name, so that one search finds every use.',
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
  {
    name: MEMBERS,
    todo: 'Write its members, one a line.',
    find: spreadLiterals,
    refuses: [
      ['src/http/a.ts', 'const b = {\n  ...{ c: 1, d: 2 } }'],
      ['src/http/a.ts', 'const b = { ...c, ...{ d: { e: [1] } } }'],
      ['src/http/a.ts', 'const b = [...[1, 2], 3]'],
      ['src/http/a.ts', "const b = [...(['c', 'd'] as const), 'e'] as const"],
      ['src/http/a.ts', 'b(...[1, 2])'],
      ['src/web/a.tsx', 'const b = <C {...{ d: 1 }} />'],
    ],
    allows: [
      ['src/http/a.ts', 'const b = { ...c, ...(d && { e: 1 }) }'],
      ['src/http/a.ts', 'const b = [...[c, d].flat(), ...(["e"] as const).map(f)]'],
      ['src/http/a.ts', 'const b = { ...{ c: { d: 1 } }[e] }'],
      ['src/http/a.ts', 'const b = (c, ...[d]) => c(d)'],
      ['src/http/a.ts', 'function b(...[c]: D): void {}'],
      ['src/http/a.ts', "const b = '...{ c }' // ...{ d }"],
    ],
  },
]

const sources = await readSources('src/**/*.{ts,tsx,html}')
const scriptsAndTests = await readSources('{scripts,test,bench}/**/*.{ts,tsx}')

describe('the files of src/', () => {
  test.each(RULES)('$name', (rule) => {
    const files = EVERYWHERE.includes(rule.name) ? [...sources, ...scriptsAndTests] : sources
    expect(files.flatMap((source) => findingsOf(rule, source))).toEqual([])
  })

  test('no folder has more than 35 files', () => {
    const folders = Map.groupBy([...sources, ...scriptsAndTests], ({ path }) => dirname(path))
    const crowded = [...folders].filter(
      ([folder, files]) => /^(src|test\/support)/.test(folder) && files.length > 35,
    )
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([])
  })

  test('scripts/ has one file for each command of package.json', async () => {
    const commands = Object.values(packageJson.scripts).flatMap(
      (command) => command.match(/\bscripts\/[\w-]+\.ts/g) ?? [],
    )
    const files = (await readSources('scripts/*')).map(({ path }) => path)
    expect(files).toEqual([...new Set(commands)].sort())
  })

  test('no files import each other in a circle, types included', () => {
    expect(importCycles(sources)).toEqual([])
  })

  test('exported names are unique', () => {
    const files = new Map<string, string[]>()
    for (const { path, text } of sources.filter(({ path }) => !isNamespace(path))) {
      for (const name of exportsOf(text)) files.set(name, [...(files.get(name) ?? []), path])
    }
    const duplicates = [...files].filter(([, paths]) => new Set(paths).size > 1)
    expect(duplicates.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
  })

  test('files over 300 lines are listed', () => {
    const long = sources.filter(
      ({ path, text }) => path !== GENERATED && text.split('\n').length > 301,
    )
    for (const { path } of long) console.info(`${path} has over 300 lines: can it be split?`)
    expect(sources.length).toBeGreaterThan(0)
  })
})

describe.each(RULES)('the rule "$name"', ({ refuses, allows, ...rule }) => {
  test('reports violations with their place and remedy', () => {
    const findings = refuses.map(([path, text]) => findingsOf(rule, { path, text }))
    const wanted = refuses.map(([path, text]) => [
      expect.stringMatching(
        new RegExp(`^${path}:${text.split('\n').length} .+: ${rule.todo.slice(0, 9)}`),
      ),
    ])
    expect(findings).toEqual(wanted)
  })

  test('accepts what it allows', () => {
    expect(allows.flatMap(([path, text]) => findingsOf(rule, { path, text }))).toEqual([])
  })
})

/** Formats each violation as its place, the violation and the remedy. */
function findingsOf(rule: Pick<Rule, 'find' | 'todo'>, source: Source): string[] {
  return rule.find(source).map(({ at, what }) => {
    const line = source.text.slice(0, at).split('\n').length
    return `${source.path}:${line} ${what}: ${rule.todo}`
  })
}

/** Finds object and array literals that are spread as they are. */
function spreadLiterals({ text }: Source): Hit[] {
  const code = codeOf(text)
  return [...code.matchAll(/\.\.\.(\(?)[{[]/g)].flatMap(({ index, 0: opening, 1: wrapped }) => {
    const rest = code.slice(endOfLiteral(code, index + opening.length - 1))
    // A call, an access or a condition makes another value of the literal; an arrow or a type follows parameters.
    const isWhole = wrapped
      ? /^(?:\s+as const)?\s*\)\s*[,\])}]/
      : /^\s*(?:[,\]}]|\)(?!\s*(?:=>|[:{])))/
    return isWhole.test(rest) ? [{ at: index, what: 'spreads a literal' }] : []
  })
}

/** Returns the offset after the bracket that closes the one at an offset. */
function endOfLiteral(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    if ('{[('.includes(code.charAt(at))) depth++
    if ('}])'.includes(code.charAt(at)) && --depth === 0) return at + 1
  }
  return code.length
}

/** `src/http/routes/sets.ts` -> `http`, `src/main.ts` -> `main`. */
function layerOf(path: string): string {
  return path.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''
}

function importHit({ at, name }: Import): Hit {
  return { at, what: `imports ${name}` }
}

function upwardImport(path: string, imported: Import): Hit[] {
  const { target } = imported
  // Committed data belongs to no layer.
  if (target === undefined || /^(package\.json|data\/[^/]+\.(csv|txt))$/.test(target)) return []
  const from = layerOf(path)
  const to = target.startsWith('src/') ? layerOf(target) : target
  // Pages are bundled, and scripts are served unchanged.
  const isPage = to === 'web' && /\.(html|js)$/.test(target) && ['http', 'main'].includes(from)
  return from === to || isPage || LAYERS[from]?.includes(to) ? [] : [importHit(imported)]
}

/** Finds a pattern in the code of the files that a rule applies to. */
function words(pattern: RegExp, applies: (path: string) => boolean): Rule['find'] {
  return ({ path, text }) =>
    applies(path)
      ? [...codeOf(text).matchAll(pattern)].map(({ index, 0: word }) => ({
          at: index,
          what: `says ${word}`,
        }))
      : []
}

/** Recognizes a statement by its first words in a single case, because prose only begins with a capital letter. */
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
  const modules = importsOf(source).filter(({ name }) =>
    /^(?:node:(?!crypto$|buffer$|url$)|lru-cache$)/.test(name),
  )
  const inCode = words(
    /\b(?:async|await|console|performance|setTimeout|setInterval)\b|\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b/g,
    () => true,
  )
  return [...modules.map(importHit), ...inCode(source)]
}

/** Recognizes writes by their verbs, and stores by their names or by what they are assigned from. */
function storeWrites({ text }: Source): Hit[] {
  const verb =
    '(?:add|apply|claim|consume|create|deactivate|delete|grant|lease|mark|publish|put|record|refund|relay|release|remove|renew|replace|reserve|reset|settle|spend|touch|update)(?:[A-Z]\\w*)?\\s*\\('
  const code = codeOf(text)
  const unpacked = [...code.matchAll(/\{([^{}]*)\}\s*=\s*[\w.]*\b(?:catalog|ledger)\b(?!\.)/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.split(':').at(-1)?.trim() ?? '')
  const bound = [...code.matchAll(/(\w+)\s*=\s*[\w.]*\b(?:catalog|ledger)\.\w+\s*(?:[;\n]|$)/g)]
  const repositories = [...unpacked, ...bound.map(([, name = '']) => name)].filter(
    (name) => name !== '',
  )
  const owner = [
    '\\b(?:catalog|ledger|intake)\\??\\.\\w+',
    ...repositories.map((name) => `(?<![.\\w])${name}`),
  ]
  const calls = code.matchAll(new RegExp(`(?:${owner.join('|')})\\??\\.${verb}`, 'g'))
  return [...calls].map(({ index, 0: call }) => ({ at: index, what: `calls ${call})` }))
}

function isWellNamed(path: string): boolean {
  const names = path.split('/').map((name) => name.split('.')[0] ?? '')
  const isIndex = names.at(-1) === 'index' && /\.tsx?$/.test(path)
  return !isIndex && !names.some((name) => EMPTY_NAME.test(name))
}

/** Names declared and exported by a file; re-exports do not count. */
function exportsOf(text: string): string[] {
  const declared = codeOf(text).matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm,
  )
  return [...declared].map(([, name = '']) => name)
}

/** Finds variables of modules, growing collections of modules, and variables that returned functions change. */
function stateIn(text: string): Hit[] {
  const code = codeOf(text)
  const variables = [...code.matchAll(/^(?:export )?let (\w+)/gm)]
  const collections = [
    ...code.matchAll(/^(?:export )?const (\w+)[^=\n]*= new (?:Map|Set|WeakMap)\b/gm),
  ].flatMap(([, name]) => [
    ...code.matchAll(new RegExp(`\\b(${name})\\.(?:set|add|delete|clear)\\(`, 'g')),
  ])
  const closures = [...code.matchAll(/\n {2}let (\w+)/g)].flatMap(({ 1: name, index }) => {
    const end = code.indexOf('\n}\n', index)
    const body = code.slice(0, end < 0 ? undefined : end)
    const returned = Math.max(index, body.indexOf('\n  return {', index))
    const changes = body
      .slice(returned)
      .matchAll(new RegExp(`=>[^,\\n]*\\b(${name})(?:\\+\\+|--| [-+*|]?= )`, 'g'))
    return [...changes].map((change) => ({ 1: name, index: returned + change.index }))
  })
  return [...variables, ...collections, ...closures].map(({ index, 1: name }) => ({
    at: index,
    what: `keeps ${name}`,
  }))
}

/** Finds import cycles, each as a list of paths. A thread may import types from the file that starts it. */
function importCycles(files: readonly Source[]): string[] {
  const targets = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ target, isWorker }) =>
        target?.startsWith('src/') && !isWorker ? [target] : [],
      ),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' -> '))
    if (start >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return cycles
}
