import { describe, expect, test } from 'bun:test'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'

const occasion = {
  card_id: 900401,
  card_name: 'Flabébé "Æther" 🂡',
  condition: 'above' as const,
  threshold: 1_050,
  price: 1_999,
}

describe('an alert', () => {
  test('has exactly the seven fields of the specification, in dollars', () => {
    expect(JSON.parse(formatAlertBody(occasion, new Date('2026-08-05T20:05:50.123Z')))).toEqual({
      event: 'price_alert',
      card_id: 900401,
      card_name: 'Flabébé "Æther" 🂡',
      condition: 'above',
      threshold: 10.5,
      current_price: 19.99,
      timestamp: '2026-08-05T20:05:50.123Z',
    })
  })

  test('names the origin of its price after them, if the webhook has chosen one', () => {
    const origin = {
      source: 'tcgplayer',
      currency: 'EUR',
      converted: true,
      rate: 0.9,
      rate_date: '2026-11-13',
    }
    const at = new Date('2026-08-05T20:05:50.123Z')
    const plain = formatAlertBody(occasion, at)
    expect(formatAlertBody({ ...occasion, origin }, at)).toBe(
      `${plain.slice(0, -1)},${JSON.stringify(origin).slice(1)}`,
    )
  })

  test('has the same bytes for the same facts', () => {
    const at = new Date('2026-08-05T20:05:50.123Z')
    expect(formatAlertBody({ ...occasion }, at)).toBe(formatAlertBody(occasion, new Date(at)))
  })

  test.each([
    [0, 0],
    [1, 0.01],
    [29, 0.29],
    [100_001, 1_000.01],
  ])('%i cents are %p dollars', (price, expected) => {
    const body = JSON.parse(formatAlertBody({ ...occasion, price, threshold: price }, new Date(0)))
    expect(body).toMatchObject({ current_price: expected, threshold: expected })
  })
})

describe('the id of a message', () => {
  test('has a prefix, and is valid in a header and a URL', () => {
    expect(messageId(Bun.randomUUIDv7())).toMatch(/^msg_[0-9a-f]{32}$/)
  })

  test('sorts after earlier ids', () => {
    const ids = Array.from({ length: 1_000 }, () => messageId(Bun.randomUUIDv7()))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(1_000)
  })
})
