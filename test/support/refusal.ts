import { expect } from 'bun:test'

type Refused = { status: number; body: { error?: { code: string }; data?: unknown } }

/** Asserts that a request was refused with a status and a code. */
export function expectRefusal({ status, body }: Refused, expected: number, code: string): void {
  expect([status, body.error?.code]).toEqual([expected, code])
  expect(body.data).toBeUndefined()
}
