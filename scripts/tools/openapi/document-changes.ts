import { type ComparedSchema, type Direction, findSchemaBreaks } from './schema-changes.ts'

type Content = Record<string, { schema?: ComparedSchema }>
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: ComparedSchema
}
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
/** The part of an API document that the comparison reads. */
export type ComparedDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, ComparedSchema>; parameters?: Record<string, Parameter> }
}

/** A change that breaks a client. */
export type BreakingChange = {
  /** Words that the entry in the changelog must contain as code, such as `Card` and `rarity`. */
  terms: string[]
  problem: string
}

/** Lists the changes between two API documents that break a client of the first one. */
export function findBreakingChanges(
  before: ComparedDocument,
  after: ComparedDocument,
): BreakingChange[] {
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const place = `${method.toUpperCase()} ${path}`
      const next = after.paths[path]?.[method]
      if (next === undefined) return [{ terms: [place], problem: 'was removed' }]
      return compareOperations(place, [old, before], [next, after])
    }),
  )
  const names = namesByDirection(before)
  const schemas = Object.entries(before.components.schemas).flatMap(([name, old]) => {
    const next = after.components.schemas[name]
    if (next === undefined) return [{ terms: [name], problem: 'was removed' }]
    const directions = DIRECTIONS.filter((direction) => names[direction].has(name))
    return directions.flatMap((direction) =>
      findSchemaBreaks(merged(old, before), merged(next, after), direction).map(
        ({ path, problem }) => ({ terms: [name, ...path], problem }),
      ),
    )
  })
  const changes = new Map([...operations, ...schemas].map((one) => [JSON.stringify(one), one]))
  return [...changes.values()]
}

type InDocument<T> = [value: T, document: ComparedDocument]

function compareOperations(
  place: string,
  [old, before]: InDocument<Operation>,
  [next, after]: InDocument<Operation>,
): BreakingChange[] {
  const isRenamed = old.operationId !== next.operationId
  const wasNeeded = old.requestBody?.required === true
  const isNeeded = next.requestBody?.required === true
  return [
    ...(isRenamed ? [{ terms: [old.operationId], problem: 'has another name' }] : []),
    ...(isNeeded && !wasNeeded ? [{ terms: [place], problem: 'now requires a body' }] : []),
    ...compareParameters(place, parametersOf(old, before), parametersOf(next, after)),
    ...compareContent(place, old.requestBody?.content, next.requestBody?.content, 'request'),
    ...Object.entries(old.responses)
      .filter(([status]) => status < '300')
      .flatMap(([status, { content }]) =>
        next.responses[status] === undefined
          ? [{ terms: [place, status], problem: 'was removed' }]
          : compareContent(place, content, next.responses[status].content, 'response'),
      ),
  ]
}

function parametersOf({ parameters = [] }: Operation, { components }: ComparedDocument) {
  return parameters.map((one) => components.parameters?.[nameIn(one.$ref)] ?? one)
}

function compareParameters(
  place: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
): BreakingChange[] {
  const find = (list: readonly Parameter[], one: Parameter) =>
    list.find((other) => other.name === one.name && other.in === one.in)
  const needed = after.filter((one) => one.required && find(before, one)?.required !== true)
  return [
    ...before.flatMap((old) => {
      const next = find(after, old)
      const terms = [place, old.name]
      if (next === undefined) return [{ terms, problem: 'was removed' }]
      return findSchemaBreaks(old.schema, next.schema, 'request').map(({ problem }) => {
        return { terms, problem }
      })
    }),
    ...needed.map(({ name }) => ({ terms: [place, name], problem: 'is now required' })),
  ]
}

function compareContent(
  place: string,
  before: Content = {},
  after: Content = {},
  direction: Direction,
): BreakingChange[] {
  return Object.entries(before).flatMap(([type, { schema = {} }]) => {
    const next = after[type]
    if (next === undefined) return [{ terms: [place, type], problem: 'was removed' }]
    return findSchemaBreaks(schema, next.schema ?? {}, direction).map(({ path, problem }) => {
      return { terms: [place, ...path], problem }
    })
  })
}

const DIRECTIONS = ['request', 'response'] as const

/** Lists the schemas of requests and of responses, with those that they refer to. */
function namesByDirection(document: ComparedDocument): Record<Direction, Set<string>> {
  const operations = Object.values(document.paths).flatMap(Object.values<Operation>)
  return {
    request: namesIn(
      operations.map(({ requestBody = {} }) => requestBody),
      document,
    ),
    response: namesIn(
      operations.map(({ responses }) => responses),
      document,
    ),
  }
}

function namesIn(value: object, { components }: ComparedDocument): Set<string> {
  const names = new Set<string>()
  const queue: unknown[] = [value]
  while (queue.length > 0) {
    const text = JSON.stringify(queue.pop())
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue
      names.add(name)
      queue.push(components.schemas[name] ?? {})
    }
  }
  return names
}

/** Merges the parts of an object schema. */
function merged(schema: ComparedSchema, document: ComparedDocument): ComparedSchema {
  const { $ref, allOf } = schema
  if ($ref !== undefined) return merged(document.components.schemas[nameIn($ref)] ?? {}, document)
  if (allOf === undefined) return schema
  const parts = allOf.map((part) => merged(part, document))
  return {
    type: 'object',
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  }
}

function nameIn(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Returns the changes that no entry under Unreleased, Changed names with all their terms as code. */
export function findUnnamedChanges(
  changes: readonly BreakingChange[],
  changelog: string,
): BreakingChange[] {
  const [, unreleased = ''] = changelog.split(/^## /m)
  const [, changed = ''] = unreleased.split(/^### Changed$/m)
  const [entries = ''] = changed.split(/^### /m)
  const named = entries.split(/^- /m).map((entry) => {
    const code = [...entry.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    return new Set([...code, ...code.flatMap((text) => text.split('.'))])
  })
  return changes.filter(({ terms }) => !named.some((code) => terms.every((term) => code.has(term))))
}
