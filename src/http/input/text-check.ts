import type { TSchema } from '@sinclair/typebox'
import { presentSchema } from './schema-check.ts'

/** An invalid string in a body, and its path: `.items[3].name`. */
type TextFault = { path: string; problem: string }

/** Returns the first invalid string of a value, if it has any. */
export type TextCheck = (value: unknown) => TextFault | undefined

/** Creates a function that finds the first invalid string in a value that matches its schema otherwise. */
export function createTextCheck(schema: TSchema): TextCheck {
  // A list of numbers may be long, and has no strings.
  const hasTexts = ['string', 'object', 'array'].includes(schema.items?.type)
  const checkItem = hasTexts ? createTextCheck(schema.items) : () => undefined
  const members = Object.entries<TSchema>(schema.properties ?? {}).map(
    ([name, field]) => [name, createTextCheck(presentSchema(field))] as const,
  )

  return (value) => {
    if (typeof value === 'string') {
      const problem = checkText(schema, value)
      return problem === undefined ? undefined : { path: '', problem }
    }
    if (Array.isArray(value)) {
      if (!hasTexts) return undefined
      for (const [index, item] of value.entries()) {
        const fault = checkItem(item)
        if (fault !== undefined) return { ...fault, path: `[${index}]${fault.path}` }
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, check] of members) {
        const fault = check(Reflect.get(value, name))
        if (fault !== undefined) return { ...fault, path: `.${name}${fault.path}` }
      }
    }
    return undefined
  }
}

/** JSON can contain lone surrogates, which cannot be stored or sent as UTF-8. */
function checkText(schema: TSchema, text: string): string | undefined {
  return text.isWellFormed() ? checkLength(schema, text) : 'contains an invalid character'
}

/**
 * Checks the length in characters, as JSON Schema and thus the API document count it. TypeBox counts UTF-16
 * units.
 */
export function checkLength(
  { type, minLength, maxLength }: TSchema,
  text: string,
): string | undefined {
  if (type !== 'string') return undefined
  // A character has one or two units, so most texts need not be counted.
  if (text.length >= 2 * (minLength ?? 0) && text.length <= (maxLength ?? Infinity))
    return undefined
  const length = [...text].length
  if (minLength !== undefined && length < minLength) {
    return `must be at least ${minLength} characters long`
  }
  if (maxLength !== undefined && length > maxLength) {
    return `must be at most ${maxLength} characters long`
  }
  return undefined
}
