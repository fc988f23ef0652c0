import { expect, test } from 'bun:test'
import { CONDITION_NAMES, conditionsOf } from '../../../src/web/collections/item-text.ts'

test('sealed products are offered as unopened, and cards never are', () => {
  const offered = (isSealed: boolean | undefined, condition: string) =>
    conditionsOf({ isSealed, condition }).map(([one]) => one)
  const all = CONDITION_NAMES.map(([one]) => one)
  expect(offered(true, 'unopened')).toEqual(['unopened'])
  expect(offered(false, 'near_mint')).toEqual(all.filter((one) => one !== 'unopened'))
  expect(offered(undefined, 'near_mint')).toEqual(all)
  // An item can keep the condition that it has.
  expect(offered(false, 'unopened')).toEqual(all)
  expect(offered(true, 'damaged')).toEqual(['damaged', 'unopened'])
})
