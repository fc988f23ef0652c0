// Accept-Encoding as clients, proxies and attackers send it.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  acceptedForms,
  type Form,
  findHeldTag,
  formOf,
  tagOfForm,
} from '#http/endpoint/content-coding.ts'
import { expectProperty } from '../../support/properties.ts'

describe('the forms that a client accepts', () => {
  test.each<[string | null, Form[]]>([
    [null, ['identity']],
    ['', ['identity']],
    ['gzip', ['gzip', 'identity']],
    ['gzip, deflate, br, zstd', ['zstd', 'gzip', 'identity']],
    ['gzip, deflate, br', ['gzip', 'identity']],
    ['br, deflate', ['identity']],
    ['*', ['zstd', 'gzip', 'identity']],
    ['  GZIP  ;  Q=0.5 ,\tZstd;q=0.4', ['gzip', 'zstd', 'identity']],
    ['x-gzip', ['gzip', 'identity']],
    ['gzip;q=0', ['identity']],
    ['gzip;q=0.000, *', ['zstd', 'identity']],
    ['*;q=0, gzip', ['gzip']],
    ['identity;q=0, gzip', ['gzip']],
    ['identity, gzip;q=0.5', ['identity', 'gzip']],
    ['gzip;q=0.001', ['gzip', 'identity']],
    // None of the supported codings: the header may be ignored (RFC 9110, 12.5.3).
    ['identity;q=0', ['identity']],
    ['*;q=0', ['identity']],
    ['gzip;q=abc', ['identity']],
    [',,;;=', ['identity']],
    ['zstd gzip', ['identity']],
  ])('of %p are %p', (header, forms) => {
    expect(acceptedForms(header)).toEqual(forms)
  })

  test('begin with the one that it weighs highest; zstd precedes gzip among equals', async () => {
    const weight = fc.constantFrom('', ';q=0', ';q=0.3', '; q=0.7', ' ;Q=1', ';q=1.000')
    const header = fc.record(
      { gzip: weight, zstd: weight, identity: weight, '*': weight, br: weight },
      { requiredKeys: [] },
    )
    const property = fc.asyncProperty(header, fc.boolean(), async (weights, isUpper) => {
      const text = Object.entries(weights)
        .map(([name, q]) => (isUpper ? name.toUpperCase() : name) + q)
        .join(' , ')
      const forms = acceptedForms(text)
      const any = weightOf(weights['*'])
      const weighed = { gzip: any ?? 0, zstd: any ?? 0 }
      for (const name of ['gzip', 'zstd'] as const) {
        const own = weightOf(weights[name]) ?? weighed[name]
        if (forms.includes(name) !== own > 0) throw new Error(`${text}: ${forms}`)
        weighed[name] = own
      }
      const preferred = weighed.zstd >= weighed.gzip ? 'zstd' : 'gzip'
      const coded = forms.filter((form) => form !== 'identity')
      if (coded.length > 0 && coded[0] !== preferred) throw new Error(`${text}: ${forms}`)
    })
    await expectProperty(property, { numRuns: 500 })
  })

  test('are some for any header at all', async () => {
    const property = fc.asyncProperty(fc.string({ maxLength: 300 }), async (header) => {
      const forms = acceptedForms(header)
      if (forms.length === 0) throw new Error('no form')
    })
    await expectProperty(property, { numRuns: 500 })
  })
})

/** Returns the weight in a parameter; undefined if its coding is not named. */
function weightOf(parameter: string | undefined): number | undefined {
  if (parameter === undefined) return undefined
  return Number(/[\d.]+/.exec(parameter)?.[0] ?? 1)
}

test('a body of up to 1 KB is sent uncompressed, unless the client refuses that', () => {
  const forms = acceptedForms('gzip')
  expect([formOf(forms, 1_024), formOf(forms, 1_025)]).toEqual(['identity', 'gzip'])
  expect(formOf(acceptedForms('gzip, identity;q=0'), 1)).toBe('gzip')
  expect(formOf(acceptedForms('identity, gzip;q=0.9'), 5_000)).toBe('identity')
})

describe('the form that a client has', () => {
  const TAG = '"v7-pro"'

  test.each<[accepts: string | null, has: string, held: string | undefined]>([
    [null, '"v7-pro"', '"v7-pro"'],
    [null, '"v7-pro-gzip"', undefined],
    ['gzip', '"v7-pro-gzip"', '"v7-pro-gzip"'],
    ['gzip', 'W/"v7-pro-gzip"', '"v7-pro-gzip"'],
    ['gzip', '"v7-pro"', '"v7-pro"'],
    ['gzip', '"v7-pro-zstd"', undefined],
    ['gzip', '"v6-pro-gzip", "v7-pro-gzip"', '"v7-pro-gzip"'],
    ['gzip, zstd', '"v7-pro-gzip"', '"v7-pro-gzip"'],
    ['gzip, identity;q=0', '"v7-pro"', undefined],
    ['gzip', '"v6-pro-gzip"', undefined],
  ])('if it accepts %p and has %p is %p', (accepts, has, held) => {
    const headers = new Headers({ 'if-none-match': has })
    if (accepts !== null) headers.set('accept-encoding', accepts)
    expect(findHeldTag(new Request('http://localhost/', { headers }), TAG)).toBe(held)
  })

  test('has its own entity tag', () => {
    const tags = (['identity', 'gzip', 'zstd'] as const).map((form) => tagOfForm(TAG, form))
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  })
})
