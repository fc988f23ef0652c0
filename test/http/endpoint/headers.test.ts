import { describe, expect, test } from 'bun:test'
import { createResponseHeaders, type HeaderInput } from '#http/endpoint/headers.ts'

const { shared } = createResponseHeaders('http://localhost')
const quota = {
  daily_limit: 100,
  daily_remaining: 7,
  daily_reset: '2026-11-28T00:00:00.000Z',
}
const nowMs = Date.parse('2026-11-27T23:59:00Z')

/** Creates a response with shared headers. */
function respond(response: Partial<HeaderInput> = {}): Headers {
  const input = { request_id: 'one', quota, nowMs, tag: '"v1"', ...response }
  return new Response(null, { headers: shared('keyed', input) }).headers
}

describe('headers that responses share', () => {
  test('do not change in an earlier response', () => {
    const earlier = respond()
    const before = [...earlier]
    const other = { ...quota, daily_remaining: 6 }
    const later = respond({ request_id: 'two', quota: other, nowMs: nowMs + 2000, tag: '"v2"' })
    expect([...earlier]).toEqual(before)
    expect(earlier.get('ratelimit')).toBe('"daily";r=7;t=60')
    expect(later.get('ratelimit')).toBe('"daily";r=6;t=58')
    expect(later.get('x-ratelimit-remaining')).toBe('6')
    expect(later.get('x-request-id')).toBe('two')
    expect(later.get('etag')).toBe('"v2"')
  })

  test('keep nothing that a response adds to its own', () => {
    respond().set('access-control-allow-origin', '*')
    expect(respond().has('access-control-allow-origin')).toBe(false)
  })

  test('have no tag of an earlier response, even if a tag was refused', () => {
    expect(respond({ tag: '"v3"' }).get('etag')).toBe('"v3"')
    expect(respond({ tag: undefined }).has('etag')).toBe(false)
    expect(respond({ tag: '"v3"' }).get('etag')).toBe('"v3"')
    for (let sent = 0; sent < 2; sent++) expect(() => respond({ tag: '"\n"' })).toThrow()
  })

  test('have the limit of each quota, and none without one', () => {
    const larger = { ...quota, daily_limit: 5000 }
    expect(respond({ quota: larger }).get('x-ratelimit-limit')).toBe('5000')
    expect(respond().get('x-ratelimit-limit')).toBe('100')
    const names = [...respond({ quota: undefined }).keys()]
    expect(names.filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  test('have the reset of the next day after midnight', () => {
    const next = { ...quota, daily_reset: '2026-11-29T00:00:00.000Z' }
    expect(respond().get('x-ratelimit-reset')).toBe(quota.daily_reset)
    expect(respond({ quota: next }).get('x-ratelimit-reset')).toBe(next.daily_reset)
  })
})
