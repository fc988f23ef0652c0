import {
  type ObjectOptions,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox'

/** A schema in the API document: JSON Schema 2020-12. */
export type DocumentSchema = Record<string, unknown>

/** Collects the named schemas of an API document. */
export type SchemaCollector = {
  /** Renders a schema; one with a name (`$id`) becomes a reference. */
  render(schema: TSchema): DocumentSchema
  /** Lists the rendered schemas by name. */
  list(): Record<string, DocumentSchema>
}

/** Declares an object with a name for the API document and for generated clients. */
export function namedObject<P extends TProperties>(
  name: string,
  properties: P,
  options: ObjectOptions = {},
): TObject<P> {
  return Type.Object(properties, { ...options, $id: name })
}

/** Declares an object with the members of another one and additional ones. */
export function extendObject<B extends TProperties, P extends TProperties>(
  name: string,
  base: TObject<B>,
  properties: P,
): TObject<B & P> {
  const own = Type.Object(properties)
  // TypeBox infers the members of a spread of two type parameters as a union.
  const all = { ...base.properties, ...properties } as B & P
  return Type.Object(all, { $id: name, [EXTENDS]: { base, own } })
}

/** Parts of an extended object, for the API document. */
const EXTENDS = Symbol('parts of an extended object')

/** Names an unnamed object, and returns any other schema unchanged. */
export function withName(name: string, schema: TSchema): TSchema {
  const isObject = schema.type === 'object' && schema.properties !== undefined
  return isObject && schema.$id === undefined ? { ...schema, $id: name } : schema
}

/** Creates a collector. It throws if two different schemas have the same name. */
export function createSchemaCollector(): SchemaCollector {
  const rendered = new Map<string, { source: string; schema: DocumentSchema }>()

  function render(schema: TSchema): DocumentSchema {
    const { $id: name, ...rest } = schema
    if (name === undefined) return renderContent(schema)
    const source = JSON.stringify(rest)
    const known = rendered.get(name)
    if (known !== undefined && known.source !== source) {
      throw new Error(`two different schemas are named ${name}`)
    }
    if (known === undefined) {
      // Reserves the position, so that a schema comes before those that it refers to.
      const entry = { source, schema: {} }
      rendered.set(name, entry)
      entry.schema = renderContent(rest)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function renderContent({ $id: _, ...schema }: Partial<TSchema>): DocumentSchema {
    const { anyOf, items, properties, patternProperties, required, ...rest } = schema
    const parts: { base: TSchema; own: TSchema } | undefined = Reflect.get(schema, EXTENDS)
    if (parts !== undefined) return { allOf: [render(parts.base), render(parts.own)] }
    if (schema.const !== undefined) return renderWords([schema.const], rest)
    if (anyOf !== undefined) return renderUnion(anyOf, rest)
    const hasNoDefault = (name: string) => properties[name]?.default === undefined
    return {
      ...rest,
      ...(required !== undefined && { required: required.filter(hasNoDefault) }),
      ...(items !== undefined && { items: render(items) }),
      ...(properties !== undefined && { properties: mapValues(properties, render) }),
      // TypeBox describes a record by the pattern of its keys, which generators do not understand.
      ...(patternProperties !== undefined && {
        additionalProperties: render(Object.values<TSchema>(patternProperties)[0] ?? Type.Any()),
      }),
    }
  }

  /** Renders words as an enumeration, and an alternative to null as a second type. */
  function renderUnion(anyOf: readonly TSchema[], rest: DocumentSchema): DocumentSchema {
    const words = anyOf.map((one) => one.const)
    if (words.every((word) => word !== undefined)) return renderWords(words, rest)
    const [only, ...others] = anyOf.filter(({ type }) => type !== 'null').map(render)
    if (only?.type !== undefined && others.length === 0) {
      const isEnum = Array.isArray(only.enum)
      return {
        ...only,
        ...rest,
        type: [only.type, 'null'],
        ...(isEnum && { enum: [...(only.enum as unknown[]), null] }),
      }
    }
    return { ...rest, anyOf: anyOf.map(render) }
  }

  return {
    render,
    list: () => Object.fromEntries([...rendered].map(([name, { schema }]) => [name, schema])),
  }
}

function renderWords(words: readonly unknown[], rest: DocumentSchema): DocumentSchema {
  const { const: _, ...others } = rest
  return { ...others, type: typeof words[0], enum: words }
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, map: (value: T) => R) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}
