import { expect, test } from 'bun:test'
import { isServerPage, localPath } from '../../src/web/return-path.ts'

const ORIGIN = 'https://cards.example'

test.each([
  ['/account', '/account'],
  ['/account/usage?key=1#day', '/account/usage?key=1#day'],
  ['/a/../account', '/account'],
])('%s redirects to %s', (text, path) => {
  expect(localPath(text, ORIGIN)).toBe(path)
})

test.each([
  null,
  '',
  'account',
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '///elsewhere.example/',
  '/\\elsewhere.example/',
  '\\/elsewhere.example/',
  '/\t/elsewhere.example/',
  '/.//elsewhere.example/',
  '/a/..//elsewhere.example/',
  '//[',
  'javascript:alert(1)',
])('%p is rejected', (text) => {
  expect(localPath(text, ORIGIN)).toBeUndefined()
})

test.each([
  ['/billing', true],
  ['/checkout/co_1', true],
  ['/billings', false],
  ['/account', false],
])('isServerPage(%p) is %p', (path, served) => {
  expect(isServerPage(path)).toBe(served)
})
