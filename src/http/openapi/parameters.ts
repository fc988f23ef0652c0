import type { TObject, TSchema } from '@sinclair/typebox'
import { GAME_SLUG, PAGING, PRINTING, PRODUCT_TYPE, UPDATED_AFTER } from '../input/fields.ts'
import type { SchemaCollector } from './schemas.ts'

/** Query parameters of several endpoints, which the document describes once. */
const SHARED: readonly { title: string; name: string; field: TSchema }[] = [
  { title: 'Game', name: 'game', field: GAME_SLUG },
  { title: 'Page', name: 'page', field: PAGING.page },
  { title: 'PerPage', name: 'per_page', field: PAGING.per_page },
  { title: 'Printing', name: 'printing', field: PRINTING },
  { title: 'ProductType', name: 'type', field: PRODUCT_TYPE },
  { title: 'UpdatedAfter', name: 'updated_after', field: UPDATED_AFTER },
]

type Place = { name: string; in: 'path' | 'query' }

/** Renders the shared parameters, by title. */
export function renderSharedParameters(collector: SchemaCollector): Record<string, object> {
  const rendered = SHARED.map(({ title, name, field }) => {
    return [title, renderParameter({ name, in: 'query' }, field, false, collector)] as const
  })
  return Object.fromEntries(rendered)
}

/** Renders the parameters of an endpoint; a shared one as a reference. */
export function renderParameters(
  { properties, required }: TObject,
  location: Place['in'],
  collector: SchemaCollector,
): object[] {
  return Object.entries(properties).map(([name, field]) => {
    const shared = SHARED.find((one) => one.field === field && one.name === name)
    if (shared !== undefined) return { $ref: `#/components/parameters/${shared.title}` }
    const isRequired = required?.includes(name) === true && field.default === undefined
    return renderParameter({ name, in: location }, field, isRequired, collector)
  })
}

function renderParameter(
  place: Place,
  field: TSchema,
  required: boolean,
  { render }: SchemaCollector,
): object {
  const { description, ...schema } = render(field)
  return { ...place, ...(required && { required }), description, schema }
}
