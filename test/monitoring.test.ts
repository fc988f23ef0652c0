/**
 * The alert rules and the Grafana dashboard query existing metrics, and docs/reference/metrics.md lists all metrics.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONE_SERVER } from './support/ledger/lone-server.ts'
import { createTestApp, type TestApp } from './support/test-app.ts'

const DOCS = join(import.meta.dir, '../docs')
// The tests below fail if the file has another structure.
const RULES = Bun.YAML.parse(readFileSync(join(DOCS, 'monitoring/rules.yml'), 'utf8')) as RuleFile
const BOARD: Board = JSON.parse(readFileSync(join(DOCS, 'monitoring/grafana.json'), 'utf8'))
const REFERENCE = readFileSync(join(DOCS, 'reference/metrics.md'), 'utf8')

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
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...queries,
  ...variables,
]

let testApp: TestApp
/** The labels of each metric of the server. */
let metrics: Map<string, Set<string>>

beforeAll(async () => {
  testApp = await createTestApp({
    onDisk: true,
    env: { BACKUP_DIR: 'no-such-folder' },
    shared: LONE_SERVER,
  })
  for (const outcome of ['done', 'failed'] as const) {
    testApp.deps.jobs.started('purge the ledger', testApp.deps.now())
    testApp.deps.jobs.finished('purge the ledger', testApp.deps.now(), outcome)
  }
  await testApp.client.get('/v1/games')
  metrics = parseMetrics(
    await (await testApp.app.handle(new Request('http://localhost/metrics'))).text(),
  )
})
afterAll(() => testApp.close())

/** Returns the names used in queries: a histogram has three. */
function parseMetrics(text: string): Map<string, Set<string>> {
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

/** Returns the metric names in an expression. */
const metricNames = (expr: string) => expr.match(/\b(?:cardstock|process|nodejs)_\w+/g) ?? []

test.each(expressions)('"%s" queries existing metrics', (_, expr) => {
  const names = metricNames(expr)
  expect(names.length + Number(expr.startsWith('up{'))).toBeGreaterThan(0)
  expect(names.filter((name) => !metrics.has(name))).toEqual([])
})

test.each(expressions)('"%s" uses existing labels', (_, expr) => {
  const wrong = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) => {
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    const known = new Set([...(metrics.get(name) ?? []), ...BY_PROMETHEUS, ...UNUSED])
    return labels.filter((label) => !known.has(label))
  })
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(', '),
  )
  const anywhere = new Set([...metrics.values()].flatMap((labels) => [...labels]))
  const known = new Set([...anywhere, ...BY_PROMETHEUS, ...UNUSED])
  expect([...wrong, ...groups.filter((label) => !known.has(label))]).toEqual([])
})

const BY_PROMETHEUS = ['instance', 'job']
/** Labels of counters that are still zero here. */
const UNUSED = ['status', 'outcome']

describe('the rules', () => {
  test('have a unique name, a severity, a summary and a remedy', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(annotations.summary).toMatch(/\w.*\.$/)
      expect(annotations.do).toMatch(/\w/)
    }
  })
})

describe('the dashboard', () => {
  test('has panels with unique ids that do not overlap', () => {
    const ids = BOARD.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = BOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  test('has no empty query, and a variable for the data source', () => {
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

  test('covers traffic, errors, latency, quota, sync, alerts, photos and the disk', () => {
    const all = queries.map(([, expr]) => expr).join('\n')
    for (const word of ['5..', '429', 'quantile', 'last_sync', 'delivery', 'reader', 'disk_free']) {
      expect(all).toContain(word)
    }
  })
})

test('docs/reference/metrics.md lists every metric of the server, and no other', () => {
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  const named = new Set((REFERENCE.match(/^\| `.*$/gm) ?? []).flatMap(metricNames))
  const has = new Set([...metrics.keys()].map(base))
  expect({
    unnamed: [...has].filter((name) => !named.has(name)),
    unknown: [...named].filter((name) => !has.has(name)),
  }).toEqual({ unnamed: [], unknown: [] })
})
