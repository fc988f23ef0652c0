import { beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, PASSWORD, type TestApp } from '../../support/test-app.ts'

const RLO = '\u202e'

describe('an e-mail address', () => {
  let testApp: TestApp
  const register = async (email: string): Promise<unknown[]> => {
    const { status, body } = await testApp.client.post('/v1/auth/register', {
      email,
      password: PASSWORD,
    })
    return [status, body.error?.code]
  }

  beforeEach(async () => {
    testApp = await createTestApp()
  })

  test('cannot be registered if a similar-looking address exists', async () => {
    expect(await register('kim@mail.example')).toEqual([201, undefined])
    for (const email of [
      '\u212aim@mail.example',
      'k\u0456m@mail.example',
      'kim@m\u0430il.example',
    ]) {
      expect(await register(email)).toEqual([409, 'EMAIL_TAKEN'])
    }
    expect(await register('j\u00fcrgen@mail.example')).toEqual([201, undefined])
    expect(await register('ju\u0308rgen@mail.example')).toEqual([409, 'EMAIL_TAKEN'])
    expect(await register('J\u00dcRGEN@mail.example')).toEqual([409, 'EMAIL_TAKEN'])
    // An ASCII address is also refused beside a similar-looking one.
    expect(await register('\u0430da@mail.example')).toEqual([201, undefined])
    expect(await register('ada@mail.example')).toEqual([409, 'EMAIL_TAKEN'])
  })

  test('in ASCII can be registered although any other ASCII address exists', async () => {
    for (const local of ['modern', 'rnodern', 'al', 'a1', 'aI2', 'al2', 'bo', 'b0', 'jurgen']) {
      expect(await register(`${local}@mail.example`)).toEqual([201, undefined])
    }
  })

  test('with an invisible character is invalid', async () => {
    for (const email of ['a\u034fda@x.example', 'ada\u3164@x.example', `ada${RLO}@x.example`]) {
      expect(await register(email)).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('a name or URL that people read', () => {
  test('is refused with a bidirectional mark or a control character', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    for (const mark of [RLO, '\u2066', '\u200f', '\u061c', '\u200b', '\u2028', '\0', '\u0085']) {
      const key = await testApp.client.post('/v1/keys', { name: `Shop${mark}` }, { session })
      expect([key.status, key.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
      const url = `https://shop.example/${mark}alerts`
      const webhook = { url, card_id: 1, condition: 'above', threshold: 1 }
      const hook = await testApp.client.post('/v1/webhooks', webhook, { session })
      expect([hook.status, hook.body.error?.code]).toEqual([400, 'INVALID_WEBHOOK_URL'])
    }
    const emoji = '\u05d7\u05e0\u05d5\u05ea \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    const made = await testApp.client.post('/v1/keys', { name: emoji }, { session })
    expect([made.status, made.body.data.name]).toEqual([201, emoji])
  })
})
