import { type House, type HouseOptions, openHouse } from '../support/test-app.ts'
import type { Ask, Reply, Row } from '../support/test-user.ts'
import type { Call, Endpoint } from './endpoints.ts'

/** Asks an endpoint of the catalog with its sample, or with another request. */
export function callCatalog(
  { visitor }: House,
  { method, sample }: Pick<Endpoint, 'method' | 'sample'>,
  { made = sample, ...ask }: Ask & { made?: Call } = {},
): Promise<Reply<Row>> {
  return visitor.ask(method, made.path, { ...ask, ...sentWith(made, ask) })
}

function sentWith({ json, csv }: Call, { headers = {} }: Ask): Ask {
  if (csv !== undefined) return { body: csv, headers: { 'content-type': 'text/csv', ...headers } }
  return json === undefined ? {} : { json }
}

/** A house in which an endpoint has something to answer. */
export function houseFor({ path }: Endpoint, options: HouseOptions = {}): Promise<House> {
  return openHouse({ ...options, bulkFiles: path.startsWith('/v1/bulk-data') })
}
