import { expect, test } from 'bun:test'
import { hasCode, hasOtherWords } from '#rules/matching/row-sets.ts'

const kit = {
  game_slug: 'pokemon',
  set_name: 'BW Trainer Kit: Excadrill & Zoroark',
  set_code: 'BLW',
}
const generations = { game_slug: 'pokemon', set_name: 'Generations', set_code: 'GEN' }

test.each([
  ['BLW', kit, true],
  ['blw', kit, true],
  ['TK5E', kit, true],
  ['Zoroark', kit, false],
  ['', kit, false],
])('%p is a code of its set, or not', (code, set, isCode) => {
  expect(hasCode(set, code)).toBe(isCode)
})

test.each([
  ['Generations: Radiant Collection', generations, true],
  ['Black and White', kit, true],
  ['Generations (GEN)', generations, false],
  ['Another Name of It', generations, false],
])('%p has more or fewer words than its set, or not', (name, set, isOther) => {
  expect(hasOtherWords(name, set)).toBe(isOther)
})
