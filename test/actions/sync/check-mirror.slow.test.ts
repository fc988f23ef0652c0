import { afterEach, expect, test } from 'bun:test'
import { checkMirror } from '#actions/sync/check-mirror.ts'
import { type Mirror, startMirror } from '../../support/sync/mirror-server.ts'
import { smallUpstream } from '../../support/sync/upstream-fixture.ts'

const OWN_URL = 'https://cards.example'

let mirror: Mirror | undefined
afterEach(() => mirror?.close())

function openMirror(): Mirror {
  mirror = startMirror(smallUpstream().files)
  return mirror
}

test('a mirror is usable if its time and its list of games can be read', async () => {
  expect(await checkMirror(openMirror().url, OWN_URL)).toEqual({
    games: 2,
    publishedAt: new Date('2026-03-10T20:05:50Z'),
  })
})

test('a mirror that never answers is refused after a while', async () => {
  const { url, fault } = openMirror()
  fault('last-updated.txt', { until: new Promise<void>(() => {}) })
  await expect(checkMirror(url, OWN_URL, 50)).rejects.toMatchObject({
    code: 'MIRROR_UNUSABLE',
    message: 'The mirror cannot be used: last-updated.txt: the mirror took more than 50 ms.',
  })
})

test.each([
  ['breaks the connection', 'tcgplayer/categories', { cutOff: true }, 'tcgplayer/categories'],
  ['serves a page', 'last-updated.txt', { html: true }, 'last-updated.txt'],
  ['has an error', 'tcgplayer/categories', { status: 500 }, '500'],
])('a mirror that %s is refused with the reason', async (_, path, fault, reason) => {
  const { url, ...served } = openMirror()
  served.fault(path, fault)
  await expect(checkMirror(url, OWN_URL)).rejects.toMatchObject({
    code: 'MIRROR_UNUSABLE',
    message: expect.stringContaining(reason),
  })
})
