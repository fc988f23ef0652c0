import type { Guest, House } from '../support/test-app.ts'
import type { Ask, Reply, Row } from '../support/test-user.ts'
import { PHOTO } from '../support/x402/fake-edges.ts'
import type { Call, ScanEndpoint } from './endpoints.ts'

/** Has a photo identified, and tells the identification's id. */
export async function identifiedBy(house: House, as: Guest): Promise<string> {
  const json = { image: PHOTO.jpeg.toBase64() }
  const { body } = await house.visitor.post<{ id: string }>('/v1/identify', json, { as })
  return body.data.id
}

/** Asks an endpoint of scans; `{id}` in its path becomes the id that is given. */
export function callScan(
  house: House,
  { method, sample }: ScanEndpoint,
  { id, made = sample, ...ask }: Ask & { id: string; made?: Call },
): Promise<Reply<Row>> {
  const json = made.json === undefined ? {} : { json: made.json }
  return house.visitor.ask(method, made.path.replace('{id}', id), { ...json, ...ask })
}
