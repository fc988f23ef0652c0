import { expect, test } from 'bun:test'
import { generateApiKey } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { redact } from '#rules/primitives/redact.ts'
import { measureCpuMs } from '../../support/event-loop-turns.ts'

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

test.each([
  ['groups: the mirror responded with 503; gave up after 5 attempts.', undefined],
  ['https://mirror.example/tcgplayer/3/groups cannot be reached', undefined],
  ['tcgplayer/3/groups: the file is not valid UTF-8.', undefined],
  ['no account ann.lee+tcg@shop.example here', 'no account … here'],
  ['https://reader:secret@mirror.example/a/b is gone', 'https://…/a/b is gone'],
  ['unable to open /srv/cards/data/catalog.db', 'unable to open catalog.db'],
  ["ENOENT: no such file, open '/home/ann/mirror/x.json'", "ENOENT: no such file, open 'x.json'"],
  ['file:///srv/mirror/tcgplayer cannot be read', 'file:tcgplayer cannot be read'],
  ['whsec_c2VjcmV0 does not fit', '… does not fit'],
  ['no account has the customer cus_NffrFeUfNV2Hib', 'no account has the customer …'],
  ['live subscriptions sub_1Mow, sub_2Nxy', 'live subscriptions …, …'],
  ['it failed\n    at deed (/srv/app/src/deed.ts:3:1)', 'it failed'],
])('%p is redacted of secrets, addresses and folders', (text, expected) => {
  expect(redact(text)).toBe(expected ?? text)
})

test('no API key and no session token remains', () => {
  const dashed = `-${'a'.repeat(42)}`
  const secrets = [generateApiKey(random), generateSessionToken(random), 'a'.repeat(64), dashed]
  for (const secret of secrets) {
    expect(redact(`it was (${secret}).`)).toBe('it was (…).')
  }
})

test('a long message is truncated, and a very long one is fast', () => {
  expect(redact('a b '.repeat(1_000))).toHaveLength(300)
  const ms = measureCpuMs(() => {
    for (const text of ['a', 'a@', '/', '/a', '@', 'file:///']) redact(text.repeat(1_000_000))
  })
  expect(ms).toBeLessThan(1_000)
})
