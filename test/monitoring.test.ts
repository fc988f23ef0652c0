/** What the rules and the dashboard ask for is what the server tells, and the guide names all of it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestApp, type TestApp } from './support/test-app.ts'

const DOCS = join(import.meta.dir, '../docs')
// What is not as the type says fails below.
const RULES = Bun.YAML.parse(readFileSync(join(DOCS, 'monitoring/rules.yml'), 'utf8')) as RuleFile
const BOARD: Board = JSON.parse(readFileSync(join(DOCS, 'monitoring/grafana.json'), 'utf8'))
const GUIDE = readFileSync(join(DOCS, 'reference/metrics.md'), 'utf8')

type RuleFile = { groups: { name: string; rules: Rule[] }[] }
type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; do: string }
}
type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: { refId: string; expr: string; datasource: { uid: string } }[]
}
type Board = {
  panels: Panel[]
  schemaVersion: number
  templating: { list: { name: string; type: string; query: unknown; definition?: string }[] }
}

const rules = RULES.groups.flatMap((group) => group.rules)
const queries = BOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
)
const variables = BOARD.templating.list.flatMap(({ name, definition }) =>
  definition === undefined ? [] : [[name, definition] as const],
)
const asked = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...queries, ...variables]

let testApp: TestApp
/** Each metric that the server has, and the labels that it was seen with. */
let told: Map<string, Set<string>>

beforeAll(async () => {
  testApp = await createTestApp({ onDisk: true, env: { BACKUP_DIR: 'no-such-folder' } })
  for (const outcome of ['done', 'failed'] as const) {
    testApp.deps.jobs.started('purge the ledger', testApp.deps.now())
    testApp.deps.jobs.finished('purge the ledger', testApp.deps.now(), outcome)
  }
  await testApp.client.get('/v1/games')
  told = toldIn(await (await testApp.app.handle(new Request('http://localhost/metrics'))).text())
})
afterAll(() => testApp.close())

/** By the names that queries use: a histogram has three. */
function toldIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const part of parts) found.set(`${name}${part}`, new Set())
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    for (const label of names) found.get(name)?.add(label)
  }
  return found
}

/** Words of an expression that can only be names of metrics. */
const metricsIn = (expr: string) => expr.match(/\b(?:cardstock|process|nodejs)_\w+/g) ?? []

test.each(asked)('"%s" asks for what /metrics tells', (_, expr) => {
  const names = metricsIn(expr)
  expect(names.length + Number(expr.startsWith('up{'))).toBeGreaterThan(0)
  expect(names.filter((name) => !told.has(name))).toEqual([])
})

test.each(asked)('"%s" tells apart only by labels that are there', (_, expr) => {
  const wrong = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) => {
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    const known = new Set([...(told.get(name) ?? []), ...BY_PROMETHEUS, ...UNSEEN])
    return labels.filter((label) => !known.has(label))
  })
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(', '),
  )
  const anywhere = new Set([...told.values()].flatMap((labels) => [...labels]))
  const known = new Set([...anywhere, ...BY_PROMETHEUS, ...UNSEEN])
  expect([...wrong, ...groups.filter((label) => !known.has(label))]).toEqual([])
})

const BY_PROMETHEUS = ['instance', 'job']
/** Of counters of which this app has counted nothing. */
const UNSEEN = ['status', 'outcome']

describe('the rules', () => {
  test('have a name of their own, a severity, and say what happened and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(annotations.summary).toMatch(/\w.*\.$/)
      expect(annotations.do).toMatch(/\w/)
    }
  })
})

describe('the dashboard', () => {
  test('has panels with ids of their own, none of which lies on another', () => {
    const ids = BOARD.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = BOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  test('has no empty query, and takes the data source from a variable', () => {
    const panels = BOARD.panels.filter(({ type }) => type !== 'row')
    for (const { targets = [], datasource } of panels) {
      expect(targets.length).toBeGreaterThan(0)
      expect(targets.every(({ expr }) => expr.trim() !== '')).toBe(true)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      const sources = [datasource, ...targets.map((target) => target.datasource)]
      expect(sources.map((source) => source?.uid)).toEqual(sources.map(() => `\${datasource}`))
    }
    expect(BOARD.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
  })

  test('has something on traffic, errors, latency, quota, sync, alerts, photos and the disk', () => {
    const all = queries.map(([, expr]) => expr).join('\n')
    for (const word of ['5..', '429', 'quantile', 'last_sync', 'delivery', 'reader', 'disk_free']) {
      expect(all).toContain(word)
    }
  })
})

test('the guide names every metric that the server tells, and no other', () => {
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  const named = new Set((GUIDE.match(/^\| `.*$/gm) ?? []).flatMap(metricsIn))
  const has = new Set([...told.keys()].map(base))
  expect({
    unnamed: [...has].filter((name) => !named.has(name)),
    unknown: [...named].filter((name) => !has.has(name)),
  }).toEqual({ unnamed: [], unknown: [] })
})
