import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  emailSkeleton,
  isEmailAddress,
  isInternational,
  mailboxOf,
} from '#rules/accounts/email-address.ts'

const at = (local: string) => `${local}@mail.example`

describe('addresses that look alike', () => {
  test.each([
    ['the Kelvin sign', 'Kim', '\u212aim'],
    ['full width', 'ada', '\uff41\uff44\uff41'],
    ['a Cyrillic letter', 'ada', '\u0430da'],
    ['a Cyrillic capital', 'Baker', '\u0412aker'],
    ['a Greek capital', 'Ian', '\u0399an'],
    ['a dotless i', 'ali', 'al\u0131'],
    ['a dotted capital I', 'ali', 'AL\u0130'],
    ['mathematical letters', 'ada', '\u{1d41a}\u{1d41d}\u{1d41a}'],
    ['another order of the marks', 'a\u0323\u0302', 'a\u0302\u0323'],
    ['a composed letter', '\u00fcnal', 'u\u0308nal'],
    ['a Cyrillic letter with a mark', 'na\u00efve', 'na\u0457ve'],
    ['an overlaid stroke', 'j\u00f8rgen', 'jo\u0338rgen'],
    ['a Greek beta', 'stra\u00dfe', 'stra\u03b2e'],
    ['another case', '\u00fcnal', '\u00dcNAL'],
    ['an invisible joiner', 'ada', 'a\u034fda'],
    ['a variation selector', 'ada', 'ada\ufe0f'],
    ['a Hangul filler', 'ada', 'ada\u3164'],
    ['another hyphen', 'ada-l', 'ada\u2010l'],
    ['a Cherokee letter', 'Adam', '\u13aadam'],
    ['a ligature', 'office', 'of\ufb01ce'],
    ['two Latin letters as one', 'kjaer', 'kj\u00e6r'],
  ])('by %s have one skeleton', (_by, one, other) => {
    expect(emailSkeleton(at(other))).toBe(emailSkeleton(at(one)))
    expect(isInternational(at(one)) || isInternational(at(other))).toBe(true)
  })

  test('by the encoding of the domain have one skeleton', () => {
    const one = emailSkeleton('ada@b\u00fccher.example')
    for (const domain of [
      'xn--bcher-kva.example',
      'B\u00dcCHER.example',
      'b\u00fccher\u3002example',
    ]) {
      expect(emailSkeleton(`ada@${domain}`)).toBe(one)
    }
    expect(isInternational('ada@XN--bcher-kva.example')).toBe(true)
  })
})

describe('other addresses', () => {
  test.each([
    ['muller', 'm\u00fcller'],
    ['zak', '\u017cak'],
    ['m\u00fcller1', 'm\u00fcller2'],
    ['\u0438\u0432\u0430\u043d', '\u0438\u0432\u043e\u043d'],
    ['\u5f20\u4f1f', '\u738b\u4f1f'],
  ])('%p and %p have two skeletons', (one, other) => {
    expect(emailSkeleton(at(one))).not.toBe(emailSkeleton(at(other)))
  })

  test('in ASCII are not international', () => {
    expect(isInternational('Ada.Lovelace+cards@mail-1.example')).toBe(false)
  })
})

test('every text has a skeleton', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(typeof emailSkeleton(text)).toBe('string')
    }),
  )
  for (const text of ['\ud800@x', '@', '', 'a@[::1]', 'a@xn--', `a@${'\u0430'.repeat(300)}`]) {
    expect(typeof emailSkeleton(text)).toBe('string')
  }
})

describe('an address', () => {
  test.each(['ada@x', '\u0430da@x.example', '\u0645\u062d\u0645\u062f@x.example', 'a+b@x'])(
    '%p is valid',
    (email) => expect(isEmailAddress(email)).toBe(true),
  )

  test.each([
    'a\u200bda@x',
    'ada\u202e@x',
    'a\u034fda@x',
    'ada\u3164@x',
    'ada\u2800@x',
    'ada\ufe0f@x',
  ])('%p with an invisible character is invalid', (email) =>
    expect(isEmailAddress(email)).toBe(false),
  )

  test.each([
    '<ada@x>',
    'ada@x>',
    'ada@x>>',
    '(c)ada@x',
    'ada@[127.0.0.1]',
    'grp:ada@x;',
    'ada;bob@x',
    'ada,bob@x',
    '"ada"@x',
    'ada\\b@x',
    'ada\u0001@x',
    'ada@x\u007f',
    'ada@x\r\n',
    'ada@x/y',
    'ada@x?y',
    'ada@x#y',
    'ada@%78',
    'ada@x y',
    'ada@x:25',
  ])('%p is invalid, because a mail client would remove or interpret a part of it', (email) =>
    expect(isEmailAddress(email)).toBe(false),
  )

  test("may have other signs, such as the apostrophe of o'neill@x", () => {
    for (const email of ["o'neill@x", 'a/b!#$%&*=?^_`{|}~-@x', 'a@xn--bcher-kva.example']) {
      expect(isEmailAddress(email)).toBe(true)
    }
  })

  test('has one mailbox in all spellings', () => {
    const spellings = [
      'ada@bücher.example',
      'Ada@BÜCHER.example',
      'ada+cards@bücher.example',
      'ada+a+b@xn--bcher-kva.example',
      'ada+@xn--BCHER-kva.Example.',
    ]
    for (const email of spellings) expect(mailboxOf(email)).toBe('ada@xn--bcher-kva.example')
    expect(mailboxOf('bob@bücher.example')).toBe('bob@xn--bcher-kva.example')
  })
})
