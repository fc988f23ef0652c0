import { expect } from 'bun:test'
import fc from 'fast-check'

/** Asserts a property whose predicate throws rather than calling `expect`, as one assertion of the test. */
export async function expectProperty<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T>,
): Promise<void> {
  const result = await fc.check(property, parameters)
  expect(result.failed ? fc.defaultReportMessage(result) : '').toBe('')
}
