import { expect, test } from 'bun:test'
import { mirrorLabel } from '#rules/sync/mirror-address.ts'

test.each([
  ['https://mirror.example', 'mirror.example'],
  ['https://mirror.example:8443/prices/', 'mirror.example:8443/prices'],
  ['https://reader:secret@mirror.example/prices?token=secret#x', 'mirror.example/prices'],
  ['file:///srv/mirrors/prices/', 'file:prices'],
])('%s has the label %s', (address, name) => {
  expect(mirrorLabel(address)).toBe(name)
})
