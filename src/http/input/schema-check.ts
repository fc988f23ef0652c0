import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { presentSchema } from './null-members.ts'

/** Creates the check of an object's members. Compiles it for the first request: a server has some hundred of them. */
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
