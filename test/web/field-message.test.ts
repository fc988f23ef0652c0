// Messages of forms: visible labels instead of API names.
import { expect, test } from 'bun:test'
import { fieldMessage } from '../../src/web/field-message.ts'
import { createTestApp } from '../support/test-app.ts'

const testApp = await createTestApp()

const WEBHOOK = { url: 'https://shop.example/', card_id: 900003, condition: 'below', threshold: 1 }

test.each([
  ['E-mail', '/v1/auth/register', { email: 'a', password: 'eight characters' }],
  ['Password', '/v1/auth/register', { email: 'a@b.example', password: 'seven77' }],
  ['Password', '/v1/auth/register', { email: 'a@b.example', password: 'x'.repeat(1_025) }],
  ['Password', '/v1/auth/register', { email: 'a@b.example', password: 'eight \ud800 chars' }],
  [
    'New password',
    '/v1/auth/password',
    { current_password: 'eight characters', new_password: 'a' },
  ],
  ['Name', '/v1/keys', { name: 'x'.repeat(101) }],
  ['Name', '/v1/keys', { name: 'a\u202eb' }],
  ['Price', '/v1/webhooks', { ...WEBHOOK, threshold: 0 }],
  ['Price', '/v1/webhooks', { ...WEBHOOK, threshold: 1.234 }],
  ['Price', '/v1/webhooks', { ...WEBHOOK, threshold: 1e12 }],
  ['Printing', '/v1/webhooks', { ...WEBHOOK, printing: 'None' }],
  ['Webhook URL', '/v1/webhooks', { ...WEBHOOK, url: '' }],
])('begins with the label %s for %s with %j', async (label, path, body) => {
  const session = await testApp.createSession('pro')
  const { status, body: answer } = await testApp.client.post(path, body, { session })
  expect(status).toBe(400)
  const message = fieldMessage(answer.error, label)
  expect(message).toStartWith(`${label} `)
  expect(message).not.toMatch(/"|_|\b(?:email|threshold|url)\b/)
})

test.each([
  'The URL must be absolute, such as https://example.com/alerts.',
  'Wrong e-mail or password.',
])('keeps a message that names no field: %s', (message) => {
  expect(fieldMessage({ message }, 'Name')).toBe(message)
})
