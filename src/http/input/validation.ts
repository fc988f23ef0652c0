import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { parseTimestamp } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findSimilarParameter } from '#rules/search/similar-parameter.ts'
import { isListField } from './fields.ts'
import { createCheck, createNullRemover } from './schema-check.ts'
import { checkLength, createTextCheck, type TextCheck } from './text-check.ts'

// Validates requests by the schemas that also appear in the API document. Elysia's own query validation is not used:
// it documents integers as strings, uses the first of a repeated parameter, and takes longer than the lookup itself
// (docs/decisions/0005).

/** Parses and checks the query or the path parameters of a request. */
export type FieldReader<P extends TProperties> = {
  schema: TObject<TProperties>
  /**
   * Parses a query, if there is one. A filter without a value counts as missing.
   *
   * @param unknown receives the names of parameters that the endpoint does not have
   * @throws ServiceError VALIDATION_ERROR
   */
  query(
    values: Iterable<readonly [string, string]> | undefined,
    unknown?: string[],
  ): Static<TObject<P>>
  /** Parses path parameters, null if one could not be decoded. @throws ServiceError VALIDATION_ERROR */
  path(values: Readonly<Record<string, string | null>> | undefined): Static<TObject<P>>
}

/** Creates a reader that parses numbers and checks each field by its schema. */
export function fieldReader<P extends TProperties>(properties: P): FieldReader<P> {
  const schema: TObject<TProperties> = Type.Object<TProperties>(properties)
  const getCheck = createCheck(properties)
  const fields = Object.entries<TSchema>(properties)
  const byName = new Map(fields)
  for (const [name, field] of fields) if (isListField(field)) byName.set(`${name}[]`, field)
  const defaults: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    if (field.default !== undefined) defaults[name] = field.default
  }

  // A value that passes the check has the type of the schema.
  const checked = (values: Record<string, unknown>) => values as Static<TObject<P>>
  let plain: Static<TObject<P>> | undefined

  /** Returns the default values for a request without parameters. */
  function absent(): Static<TObject<P>> {
    plain ??= whole(Object.freeze(defaults))
    return plain
  }

  function whole(
    found: Record<string, unknown>,
    unknown: readonly string[] = [],
  ): Static<TObject<P>> {
    const check = getCheck()
    if (check.Check(found)) return checked(found)
    const { path = '/request', schema, value } = check.Errors(found).First() ?? {}
    const name = path.slice(1)
    const misnamed = unknown.find((sent) => findSimilarParameter(sent, [name]) === name)
    if (value !== undefined || misnamed === undefined)
      throw invalid(name, validationMessage(schema, value))
    throw invalid(name, `is required; rename "${misnamed.slice(0, NAME_SHOWN_MAX)}"`)
  }

  /** A filter without a value restricts nothing, but a page without a number is a mistake. */
  function mayBeEmpty(name: string, { type, default: fallback }: TSchema): boolean {
    if (fallback !== undefined) return type !== 'integer' && type !== 'number'
    return schema.required?.includes(name) !== true
  }

  /** Joins the values of lists. Names of unknown parameters are added to `unknown`. */
  function collect(values: Iterable<readonly [string, string]>, unknown: string[]) {
    const texts = new Map<string, string>()
    for (const [sentName, text] of values) {
      const field = byName.get(sentName)
      if (field === undefined) {
        unknown.push(sentName)
        continue
      }
      const isList = isListField(field)
      const name = isList ? sentName.replace('[]', '') : sentName
      const before = texts.get(name)
      if (before !== undefined && !isList) throw invalid(name, 'is given more than once')
      texts.set(name, before === undefined ? text : `${before},${text}`)
    }
    return texts
  }

  return {
    schema,
    query(values, unknown = []) {
      if (values === undefined) return absent()
      const texts = collect(values, unknown)
      const found: Record<string, unknown> = { ...defaults }
      for (const [name, field] of fields) {
        const text = texts.get(name)
        if (text === undefined || (text === '' && mayBeEmpty(name, field))) continue
        found[name] = readField(name, field, normalizeNumber(field, text))
      }
      return whole(found, unknown)
    },
    path(values) {
      if (values === undefined) return absent()
      const found: Record<string, unknown> = {}
      for (const [name, field] of fields) {
        const text = values[name]
        if (text === null) throw invalid(name, 'is not percent-encoded correctly')
        if (text !== undefined) found[name] = readField(name, field, text)
      }
      return whole(found)
    },
  }
}

/** Returns the query of a request; undefined if it has none. `URL` would throw on an invalid Host header. */
export function queryParams({ url }: Request): URLSearchParams | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1))
}

/** Checks the JSON object of a request body. */
export type BodyReader<B extends TProperties> = {
  schema: TObject<TProperties>
  /** True if a request may omit the body. */
  isOptional: boolean
  /** @throws ServiceError VALIDATION_ERROR that names the field */
  read(value: unknown): Static<TObject<B>>
}

/**
 * Creates a reader of JSON bodies. Unknown members are ignored.
 *
 * @param needsOne requires at least one of the members
 */
export function bodyReader<B extends TProperties>(
  properties: B,
  { needsOne }: { needsOne?: true } = {},
): BodyReader<B> {
  const atLeast = needsOne && { minProperties: 1 }
  const schema: TObject<TProperties> = Type.Object<TProperties>(properties, atLeast)
  const getCheck = createCheck(properties)
  const fields = Object.entries<TSchema>(properties)
  const isOptional = !needsOne && (schema.required ?? []).every(hasDefault)
  // Created for the first body, like the check.
  let removeNulls: ((value: unknown) => unknown) | undefined
  let findInvalidText: TextCheck | undefined

  function hasDefault(name: string): boolean {
    return properties[name]?.default !== undefined
  }

  return {
    schema,
    isOptional,
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new ServiceError('VALIDATION_ERROR', 'The body must be a JSON object.')
      }
      const found: Record<string, unknown> = {}
      for (const [name, field] of fields) {
        const given: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : field.default
        if (given !== undefined) found[name] = given
      }
      if (needsOne && Object.keys(found).length === 0) {
        const names = Object.keys(properties).map((name) => `"${name}"`)
        throw new ServiceError('VALIDATION_ERROR', `Send at least one of ${names.join(', ')}.`)
      }
      const check = getCheck()
      removeNulls ??= createNullRemover(schema)
      const present = removeNulls(found)
      if (!check.Check(present)) {
        const { path = '/body', schema, value } = check.Errors(present).First() ?? {}
        throw invalid(formatPointer(path), validationMessage(schema, value))
      }
      findInvalidText ??= createTextCheck(schema)
      const fault = findInvalidText(found)
      if (fault !== undefined) throw invalid(fault.path.slice(1), fault.problem)
      // A value that passes the check has the type of the schema.
      return found as Static<TObject<B>>
    },
  }
}

/** @throws ServiceError VALIDATION_ERROR if the text is too short, too long, or an invalid time */
function readField(name: string, field: TSchema, text: string): unknown {
  const problem = checkLength(field, text)
  if (problem !== undefined) throw invalid(name, problem)
  // The pattern does not know how many days a month has.
  if (field.format === 'date-time' && parseTimestamp(text) === undefined) {
    throw invalid(name, 'must be a time such as 2026-11-20T00:00:00Z, or a date such as 2026-11-20')
  }
  return parseField(field, text)
}

/** Parses a number if the schema is one. Other text stays unchanged, and fails the check. */
function parseField(field: TSchema, text: string): unknown {
  if (field.type === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text
  if (field.type === 'number') return JSON_NUMBER.test(text) ? Number(text) : text
  return text
}

const NAME_SHOWN_MAX = 40

const JSON_NUMBER = /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/

/** Accepts numbers as people write them in queries: with spaces around them, and `.5`. */
function normalizeNumber({ type }: TSchema, text: string): string {
  if (type !== 'integer' && type !== 'number') return text
  return text.trim().replace(/^(-?)\./, (_, sign) => `${sign}0.`)
}

function validationMessage(schema: TSchema | undefined, value: unknown): string {
  if (value === undefined) return 'is required'
  if (schema === undefined) return 'is not valid'
  if (schema.errorMessage !== undefined) return String(schema.errorMessage)
  const { type, minimum, maximum, anyOf } = schema
  if (schema.const !== undefined) return `must be ${schema.const}`
  if (Array.isArray(anyOf)) {
    const kinds = anyOf.map((one: TSchema) => one.const ?? one.type)
    return `must be one of ${kinds.join(', ')}`
  }
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    if (maximum !== undefined) return `must be ${kind} from ${minimum} to ${maximum}`
    return minimum === undefined ? `must be ${kind}` : `must be ${kind} of at least ${minimum}`
  }
  if (type === 'array') return Array.isArray(value) ? 'must not be empty' : 'must be an array'
  if (type === 'object') return 'must be an object'
  if (type === 'string' && typeof value !== 'string') return 'must be a string'
  return 'contains characters that are not allowed'
}

/** Formats a JSON pointer for people: `/items/3/name` is `items[3].name`. */
function formatPointer(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
}

function invalid(field: string, problem: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `"${field}" ${problem}.`)
}
