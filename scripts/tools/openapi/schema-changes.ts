/** The part of JSON Schema that the comparison reads. */
export type ComparedSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, ComparedSchema>
  items?: ComparedSchema
  additionalProperties?: boolean | ComparedSchema
  anyOf?: ComparedSchema[]
  allOf?: ComparedSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
}

/** A change of a request breaks clients if it accepts less, a change of a response if it guarantees less. */
export type Direction = 'request' | 'response'

export type SchemaChange = { path: string[]; problem: string }

/** Lists the differences between two schemas without references that break clients; `path` has the member names. */
export function findSchemaBreaks(
  before: ComparedSchema,
  after: ComparedSchema,
  direction: Direction,
  path: string[] = [],
): SchemaChange[] {
  const own = findOwnBreaks(before, after, direction).map((problem) => ({ path, problem }))
  const inner = (name: string | undefined, old?: ComparedSchema, next?: ComparedSchema) =>
    old === undefined || next === undefined
      ? []
      : findSchemaBreaks(old, next, direction, name === undefined ? path : [...path, name])
  return [
    ...own,
    ...findMemberBreaks(before, after, direction).map(([name, problem]) => ({
      path: [...path, name],
      problem,
    })),
    ...Object.entries(before.properties ?? {}).flatMap(([name, old]) =>
      inner(name, old, after.properties?.[name]),
    ),
    ...inner(undefined, before.items, after.items),
    ...inner(undefined, valuesOf(before), valuesOf(after)),
  ]
}

function findOwnBreaks(before: ComparedSchema, after: ComparedSchema, direction: Direction) {
  const [wide, narrow] = direction === 'request' ? [before, after] : [after, before]
  return [
    ...(before.$ref === after.$ref ? [] : ['has another type']),
    ...(isCovered(kindsOf(wide), kindsOf(narrow)) ? [] : ['has another type']),
    ...(before.format === after.format ? [] : ['has another format']),
    ...(direction === 'request' ? findTighterLimits(before, after) : []),
  ]
}

/** Lists removed and newly required members of an input, and members that an output may now lack. */
function findMemberBreaks(
  before: ComparedSchema,
  after: ComparedSchema,
  direction: Direction,
): [string, string][] {
  const [old, next] = [before.properties ?? {}, after.properties ?? {}]
  const removed = Object.keys(old).filter((name) => next[name] === undefined)
  const [wasNeeded, isNeeded] = [before.required ?? [], after.required ?? []]
  const kept = (name: string) => next[name] !== undefined
  const changed =
    direction === 'request'
      ? isNeeded.filter((name) => !wasNeeded.includes(name))
      : wasNeeded.filter((name) => !isNeeded.includes(name) && kept(name))
  const problem = direction === 'request' ? 'is now required' : 'may now be missing'
  return [
    ...removed.map((name): [string, string] => [name, 'was removed']),
    ...changed.map((name): [string, string] => [name, problem]),
  ]
}

function findTighterLimits(before: ComparedSchema, after: ComparedSchema): string[] {
  const isTighter =
    LOWER.some((limit) => (after[limit] ?? -Infinity) > (before[limit] ?? -Infinity)) ||
    UPPER.some((limit) => (after[limit] ?? Infinity) < (before[limit] ?? Infinity)) ||
    (after.pattern !== undefined && after.pattern !== before.pattern)
  const words = before.enum ?? []
  const missing = words.filter((word) => after.enum !== undefined && !after.enum.includes(word))
  return [
    ...(isTighter ? ['accepts fewer values'] : []),
    ...(before.enum === undefined && after.enum !== undefined ? ['accepts fewer values'] : []),
    ...missing.map((word) => `no longer accepts \`${word}\``),
  ]
}

const LOWER = ['minimum', 'minLength', 'minItems'] as const
const UPPER = ['maximum', 'maxLength'] as const

/** Lists the alternatives of a schema; an integer is also a number. */
function kindsOf({ type, anyOf }: ComparedSchema): Set<string> {
  if (anyOf !== undefined) return new Set(anyOf.map((one) => JSON.stringify(one.$ref ?? one.type)))
  return new Set([type ?? []].flat())
}

function isCovered(narrow: ReadonlySet<string>, wide: ReadonlySet<string>): boolean {
  return [...narrow].every((kind) => wide.has(kind) || (kind === 'integer' && wide.has('number')))
}

function valuesOf({ additionalProperties }: ComparedSchema): ComparedSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
