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

/** Generates texts of any code points except surrogates, a third of them ASCII. Cheaper than fast-check's `binary`. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const point = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points))
}
