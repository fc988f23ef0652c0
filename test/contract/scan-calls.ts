import { PHOTO } from '../support/photos/reader-fixtures.ts'
import type { TestApp, TestUser } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import type { Call, ScanEndpoint } from './endpoints.ts'

/** Identifies a photo and returns the identification's id. */
export async function identifiedBy(testApp: TestApp, as: TestUser): Promise<string> {
  const json = { image: PHOTO.jpeg.toBase64() }
  const { body } = await testApp.client.post<{ id: string }>('/v1/identify', json, { as })
  return body.data.id
}

/** Calls a scan endpoint; `{id}` in its path becomes the given id. */
export function callScan(
  testApp: TestApp,
  { method, sample }: ScanEndpoint,
  { id, made = sample, ...options }: TestRequestOptions & { id: string; made?: Call },
): Promise<TestResponse<Row>> {
  const json = made.json === undefined ? {} : { json: made.json }
  return testApp.client.request(method, made.path.replace('{id}', id), { ...json, ...options })
}
