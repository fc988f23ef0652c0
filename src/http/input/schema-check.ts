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

/** Creates a function that copies a value without optional members that are null, if it has any. */
export function createNullRemover(schema: TSchema): (value: unknown) => unknown {
  const removeFromItem = schema.items?.type === 'object' && createNullRemover(schema.items)
  const members = Object.entries<TSchema>(schema.properties ?? {}).map(([name, field]) => {
    const present = presentSchema(field)
    return { name, isNullable: present !== field, remove: createNullRemover(present) }
  })

  return (value) => {
    if (Array.isArray(value)) {
      return removeFromItem === false ? value : value.map((item) => removeFromItem(item))
    }
    if (typeof value !== 'object' || value === null) return value
    let copy: Record<string, unknown> | undefined
    for (const { name, isNullable, remove } of members) {
      if (!Object.hasOwn(value, name)) continue
      const member: unknown = Reflect.get(value, name)
      const present = remove(member)
      if (member === null && isNullable) {
        copy ??= { ...value }
        delete copy[name]
      } else if (present !== member) {
        copy ??= { ...value }
        copy[name] = present
      }
    }
    return copy ?? value
  }
}
