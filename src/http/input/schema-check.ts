import { OptionalKind, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Creates the check of an object's members. Compiles the check for the first request, because a server has some
 * hundred checks.
 */
export function createCheck(properties: TProperties): () => TypeCheck<TObject<TProperties>> {
  let check: TypeCheck<TObject<TProperties>> | undefined
  return () => {
    check ??= TypeCompiler.Compile(Type.Object(withoutTextLimits(properties)))
    return check
  }
}

function withoutTextLimits(properties: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, withoutTextLimit(field)]),
  )
}

/** Removes lengths and formats of strings, which are checked separately, and null, which was removed. */
function withoutTextLimit(field: TSchema): TSchema {
  const { minLength: _, maxLength: __, format: ___, ...schema } = presentSchema(field)
  return {
    ...schema,
    ...(schema.items !== undefined && { items: withoutTextLimit(schema.items) }),
    ...(schema.properties !== undefined && { properties: withoutTextLimits(schema.properties) }),
  } as TSchema // The rest is still a schema.
}

/** Returns the schema of a member that is not null, because null means that an optional member is missing. */
export function presentSchema(field: TSchema): TSchema {
  const [schema, nothing] = field.anyOf ?? []
  const isNullable = field[OptionalKind] !== undefined && nothing?.type === 'null'
  return isNullable ? { ...schema, [OptionalKind]: field[OptionalKind] } : field
}

/** Copies a value without optional members that are null. */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    return schema.items?.type === 'object'
      ? value.map((member) => withoutNulls(schema.items, member))
      : value
  }
  if (typeof value !== 'object' || value === null) return value
  const fields: Record<string, TSchema> = schema.properties ?? {}
  const members = Object.entries(value).flatMap(([name, member]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) return [[name, member]]
    const present = presentSchema(field)
    return member === null && present !== field ? [] : [[name, withoutNulls(present, member)]]
  })
  return Object.fromEntries(members)
}
