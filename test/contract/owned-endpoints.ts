import { LANGUAGE_CODES } from '#rules/collections/languages.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'
import type { Call, ParameterKind } from './endpoints.ts'

/** An endpoint for something that an account owns, which a key or a session may call. */
export type OwnedEndpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  access: 'key or session'
  /** In the path and in the query. */
  parameters: Record<string, ParameterKind>
  required?: readonly string[]
  /** The members of its JSON body, a file, or a photo. */
  body?: Record<string, ParameterKind | undefined> | 'file' | 'photo'
  bodyRequired?: readonly string[]
  needsOne?: true
  /** The media types of a success, where it is not JSON. */
  answers?: readonly string[]
  status: 200 | 201 | 202
  /** Refusals besides the usual ones. */
  refusals: readonly number[]
  /** Succeeds; `{id}` and other names in braces stand for what the caller holds. */
  sample: Call
  /** Each breaks one field, which `names` says. */
  malformed: readonly (Call & { names: string })[]
  golden: string
}

export const ID = { id: 'string' } as const
export const PAGING = { page: 'integer', per_page: 'integer' } as const
export const CURRENCY = { currency: 'string' } as const

/** Longer than a name or an id. */
export const LONG = 'x'.repeat(101)

/** Members of an item that describe its copies. */
export const COPIES = {
  printing: ['string', 'null'],
  condition: CONDITIONS,
  grade: ['string', 'null'],
  language: [...LANGUAGE_CODES, 'null'],
  quantity: 'integer',
} as const

/** Returns calls of a path with ids that nothing can have. */
export function withBadIds(path: string): readonly (Call & { names: string })[] {
  return [LONG, 'a%00b', '%ff'].map((id) => ({ path: path.replace('{id}', id), names: 'id' }))
}
