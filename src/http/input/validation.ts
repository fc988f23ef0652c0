import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { ServiceError } from '#rules/primitives/errors.ts'
import { parseTimestamp } from '#rules/primitives/timestamps.ts'

// One schema says what a request may carry: it is checked here and is what the API document shows.
// Elysia's own query validation is not used: it documents integers as strings, takes the first of a
// doubled parameter, and costs more than the look-up it guards (docs/decisions/0005).

/** Reads and checks the named texts of a request (its query, or its path). */
export type FieldReader<P extends TProperties> = {
  schema: TObject<TProperties>
  /**
   * Reads a query, in which a name may come twice.
   *
   * @param values undefined when the request carries none
   * @throws ServiceError VALIDATION_ERROR that names the field
   */
  query(values: Iterable<readonly [string, string]> | undefined): Static<TObject<P>>
  /**
   * Reads the fields of a path.
   *
   * @param values null for what could not be decoded
   * @throws ServiceError VALIDATION_ERROR that names the field
   */
  path(values: Readonly<Record<string, string | null>> | undefined): Static<TObject<P>>
}

/** A reader of texts: numbers are read from their digits, everything is checked by its schema. */
export function fieldReader<P extends TProperties>(properties: P): FieldReader<P> {
  const schema: TObject<TProperties> = Type.Object<TProperties>(properties)
  const check = TypeCompiler.Compile(Type.Object(checkable(properties)))
  const fields = Object.entries<TSchema>(properties)
  const defaults: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    if (field.default !== undefined) defaults[name] = field.default
  }

  // What passes the check has the schema's type.
  const checked = (values: Record<string, unknown>) => values as Static<TObject<P>>
  const plain = check.Check(defaults) ? checked(Object.freeze(defaults)) : undefined

  function whole(found: Record<string, unknown>): Static<TObject<P>> {
    if (check.Check(found)) return checked(found)
    const fault = check.Errors(found).First()
    throw invalid(fault?.path.slice(1) ?? 'request', validationMessage(fault?.schema, fault?.value))
  }

  return {
    schema,
    query(values) {
      if (values === undefined) return plain ?? whole(defaults)
      const found: Record<string, unknown> = { ...defaults }
      const seen = new Set<string>()
      for (const [name, text] of values) {
        const field = properties[name]
        if (field === undefined) continue
        if (seen.has(name)) throw invalid(name, 'is given more than once')
        seen.add(name)
        found[name] = readField(name, field, text)
      }
      return whole(found)
    },
    path(values) {
      if (values === undefined) return plain ?? whole(defaults)
      const found: Record<string, unknown> = {}
      for (const [name, field] of fields) {
        const text = values[name]
        if (text === null) throw invalid(name, 'is not percent-encoded as it should be')
        if (text !== undefined) found[name] = readField(name, field, text)
      }
      return whole(found)
    },
  }
}

/** The query of a request; undefined where it has none. Not by `URL`: a `Host` that is none spoils the address. */
export function queryParams({ url }: Request): URLSearchParams | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1))
}

/** Reads and checks the JSON object of a request's body. */
export type BodyReader<B extends TProperties> = {
  schema: TObject<TProperties>
  /** Whether a request may come without a body. */
  isOptional: boolean
  /** @throws ServiceError VALIDATION_ERROR that names the field */
  read(value: unknown): Static<TObject<B>>
}

/**
 * A reader of JSON bodies. Members that it does not know are left alone.
 *
 * @param needsOne whether one of the members is needed, whichever
 */
export function bodyReader<B extends TProperties>(
  properties: B,
  { needsOne }: { needsOne?: true } = {},
): BodyReader<B> {
  const atLeast = needsOne && { minProperties: 1 }
  const schema: TObject<TProperties> = Type.Object<TProperties>(properties, atLeast)
  const check = TypeCompiler.Compile(Type.Object(checkable(properties)))
  const fields = Object.entries<TSchema>(properties)
  const isOptional = !needsOne && (schema.required ?? []).every(hasDefault)

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
      if (!check.Check(found)) {
        const fault = check.Errors(found).First()
        throw invalid(
          placeOf(fault?.path ?? '/body'),
          validationMessage(fault?.schema, fault?.value),
        )
      }
      const fault = findInvalidText(schema, found)
      if (fault !== undefined) throw invalid(fault.place.slice(1), fault.complaint)
      // What passes the check has the schema's type.
      return found as Static<TObject<B>>
    },
  }
}

/** A text within a body that is none, and where it stands: `.items[3].name`. */
type TextFault = { place: string; complaint: string }

/** What is wrong with the texts of a value that has its schema's shape. */
function findInvalidText(schema: TSchema, value: unknown): TextFault | undefined {
  if (typeof value === 'string') {
    const complaint = complaintOfText(schema, value)
    return complaint === undefined ? undefined : { place: '', complaint }
  }
  if (Array.isArray(value)) {
    // Numbers and the like: there may be many, and no text is among them.
    if (!['string', 'object', 'array'].includes(schema.items?.type)) return undefined
    for (const [index, member] of value.entries()) {
      const fault = findInvalidText(schema.items, member)
      if (fault !== undefined) return { ...fault, place: `[${index}]${fault.place}` }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
      const fault = findInvalidText(field, Reflect.get(value, name))
      if (fault !== undefined) return { ...fault, place: `.${name}${fault.place}` }
    }
  }
  return undefined
}

/** JSON can spell half of a character, which no text that is kept or sent can hold. */
function complaintOfText(schema: TSchema, text: string): string | undefined {
  return text.isWellFormed() ? complaintOfLength(schema, text) : 'contains an invalid character'
}

/** @throws ServiceError VALIDATION_ERROR when the text is too short, too long, or no time */
function readField(name: string, field: TSchema, text: string): unknown {
  const complaint = complaintOfLength(field, text)
  if (complaint !== undefined) throw invalid(name, complaint)
  // A pattern cannot well say how many days a month has.
  if (field.format === 'date-time' && parseTimestamp(text) === undefined) {
    throw invalid(name, 'must be a time such as 2026-11-20T00:00:00Z, or a date such as 2026-11-20')
  }
  return parsedBy(field, text)
}

/** Text as its schema's kind of value; text that is none stays as it is and fails the check. */
function parsedBy(field: TSchema, text: string): unknown {
  if (field.type === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text
  if (field.type === 'number') return JSON_NUMBER.test(text) ? Number(text) : text
  return text
}

const JSON_NUMBER = /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/

/**
 * JSON Schema counts the length of a text in characters, TypeBox in UTF-16 units: the lengths are
 * checked here, as the API document says them.
 */
function complaintOfLength(
  { type, minLength, maxLength }: TSchema,
  text: string,
): string | undefined {
  if (type !== 'string') return undefined
  const length = [...text].length
  if (minLength !== undefined && length < minLength) {
    return `must be at least ${minLength} characters long`
  }
  if (maxLength !== undefined && length > maxLength) {
    return `must be at most ${maxLength} characters long`
  }
  return undefined
}

function checkable(properties: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, withoutLengths(field)]),
  )
}

/** The same schema, for everything but the lengths of texts and their format. */
function withoutLengths({ minLength: _, maxLength: __, format: ___, ...schema }: TSchema): TSchema {
  return {
    ...schema,
    ...(schema.items !== undefined && { items: withoutLengths(schema.items) }),
    ...(schema.properties !== undefined && { properties: checkable(schema.properties) }),
  } as TSchema // What is left is a schema still.
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
  if (type === 'array') return Array.isArray(value) ? 'must not be empty' : 'must be a list'
  if (type === 'object') return 'must be an object'
  if (type === 'string' && typeof value !== 'string') return 'must be a text'
  return 'holds characters that are not allowed'
}

/** A JSON pointer as people write it: `/items/3/name` is `items[3].name`. */
function placeOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
}

function invalid(field: string, complaint: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `"${field}" ${complaint}.`)
}
