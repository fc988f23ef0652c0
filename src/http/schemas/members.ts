import { type TSchema, Type } from '@sinclair/typebox'
import { namedObject } from '../openapi/schemas.ts'

// Members that schemas have in common, `meta` of lists, and how times are rendered.

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Described = (description: string) => Type.String({ description })

export const Integer = (description: string) => Type.Integer({ description })

export const Money = (description: string) => nullable(Type.Number({ description }))

export const Percent = nullable(Type.Number({ description: 'In percent; null if unknown.' }))

export const Url = nullable(Type.String({ format: 'uri' }))

export const Text = nullable(Type.String())

export const DateTime = Type.String({ format: 'date-time' })

/** A time that may be unknown. */
export const Time = (description: string) => nullable(Type.String({ ...DateTime, description }))

/** Renders a time in epoch milliseconds. */
export function timeText(ms: number): string
export function timeText(ms: number | null): string | null
export function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export const Day = Type.String({ format: 'date' })

/** Member of `meta` in every response of the catalog. */
export const Notes = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Parameters that were ignored, and what to use instead.',
  }),
)

/** `meta` of endpoints without any other. */
export const NotesMetaSchema = namedObject('NotesMeta', { notes: Notes })

export const PagingSchema = namedObject('PagingMeta', {
  total: Type.Integer(),
  page: Type.Integer(),
  per_page: Type.Integer(),
  has_more: Type.Boolean(),
  notes: Notes,
})
