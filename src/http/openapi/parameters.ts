import type { TObject, TSchema } from '@sinclair/typebox'
import {
  COLLECTION_ID,
  FIELDS,
  GAME_SLUG,
  ID,
  INCLUDE,
  INCLUDE_IDS,
  ITEMS_FORMAT,
  OPTIONAL_PAGING,
  PAGING,
  PREFER,
  PRICE_CHOICE,
  PRINTING,
  PRODUCT_TYPE,
  REVISION,
  UPDATED_AFTER,
  VALUE_CURRENCY,
  WEBHOOK_ID,
} from '../input/fields.ts'
import type { SchemaCollector } from './schemas.ts'

/** Parameters of several endpoints, which the document describes once. */
const SHARED: readonly (Place & { title: string; field: TSchema })[] = [
  { title: 'Id', name: 'id', in: 'path', field: ID },
  { title: 'CollectionId', name: 'id', in: 'path', field: COLLECTION_ID.id },
  { title: 'WebhookId', name: 'webhook_id', in: 'path', field: WEBHOOK_ID.webhook_id },
  { title: 'Currency', name: 'currency', in: 'query', field: PRICE_CHOICE.currency },
  { title: 'Source', name: 'source', in: 'query', field: PRICE_CHOICE.source },
  { title: 'Fields', name: 'fields', in: 'query', field: FIELDS },
  { title: 'Include', name: 'include', in: 'query', field: INCLUDE },
  { title: 'IncludeIds', name: 'include', in: 'query', field: INCLUDE_IDS },
  { title: 'ItemsFormat', name: 'format', in: 'query', field: ITEMS_FORMAT },
  { title: 'Prefer', name: 'prefer', in: 'query', field: PREFER },
  { title: 'Game', name: 'game', in: 'query', field: GAME_SLUG },
  { title: 'Page', name: 'page', in: 'query', field: PAGING.page },
  { title: 'PerPage', name: 'per_page', in: 'query', field: PAGING.per_page },
  { title: 'Printing', name: 'printing', in: 'query', field: PRINTING },
  { title: 'ProductType', name: 'type', in: 'query', field: PRODUCT_TYPE },
  { title: 'ValueCurrency', name: 'currency', in: 'query', field: VALUE_CURRENCY.currency },
  { title: 'Revision', name: 'revision', in: 'query', field: REVISION },
  { title: 'PerPageOrAll', name: 'per_page', in: 'query', field: OPTIONAL_PAGING.per_page },
  { title: 'UpdatedAfter', name: 'updated_after', in: 'query', field: UPDATED_AFTER },
]

type Place = { name: string; in: 'path' | 'query' }

/** Renders the shared parameters, by title. */
export function renderSharedParameters(collector: SchemaCollector): Record<string, object> {
  const rendered = SHARED.map(({ title, field, ...place }) => {
    return [title, renderParameter(place, field, place.in === 'path', collector)] as const
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
    const shared = SHARED.find(
      (one) => one.field === field && one.name === name && one.in === location,
    )
    if (shared !== undefined) return referTo(shared)
    const isRequired = required?.includes(name) === true && field.default === undefined
    return renderParameter({ name, in: location }, field, isRequired, collector)
  })
}

/** The plugin adds path parameters whose name it does not find. It finds the name here, which JSON omits. */
function referTo({ title, ...place }: Place & { title: string }): object {
  const hidden = { name: { value: place.name }, in: { value: place.in } }
  return Object.defineProperties({ $ref: `#/components/parameters/${title}` }, hidden)
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
