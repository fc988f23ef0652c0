import { OptionalKind, type TSchema } from '@sinclair/typebox'

/** Returns the schema of a member that is not null: null stands for an absent optional member. */
export function presentSchema(field: TSchema): TSchema {
  const [schema, nothing] = field.anyOf ?? []
  const isNullable = field[OptionalKind] !== undefined && nothing?.type === 'null'
  return isNullable ? { ...schema, [OptionalKind]: field[OptionalKind] } : field
}

/** Copies a value without the optional members that are null and may be. */
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
