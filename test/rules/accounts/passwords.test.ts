import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findPasswordProblem } from '#rules/accounts/credentials.ts'

describe('a password', () => {
  test.each(['eight ch', 'éééééééé', '🂡🂢🂣🂤🂥🂦🂧🂨', '        ', '\0'.repeat(8), 'a'.repeat(1_024)])(
    'may be %p',
    (password) => {
      expect(findPasswordProblem(password)).toBeUndefined()
    },
  )

  test('of fewer than eight characters is too short', () => {
    for (const one of ['a', 'é', '🂡', '\0']) {
      for (let length = 0; length < 8; length++) {
        expect(findPasswordProblem(one.repeat(length))).toContain('at least 8 characters')
      }
    }
  })

  test('may have 1,024 bytes and no more', () => {
    for (const one of ['a', 'é', '漢', '🂡']) {
      const most = Math.floor(1_024 / Buffer.byteLength(one))
      expect(findPasswordProblem(one.repeat(most))).toBeUndefined()
      expect(findPasswordProblem(one.repeat(most + 1))).toContain('at most 1024 bytes')
    }
  })

  test.each(['\ud83c', '\udca1', 'a\udca1\ud83c'])(
    'that contains an invalid character (%p) is refused',
    (half) => {
      expect(findPasswordProblem(`eight or more ${half}`)).toContain('invalid character')
    },
  )

  test('that is rejected is never repeated in the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 3 }), (password) => {
        const fault = findPasswordProblem(password)
        if (fault !== undefined && password.trim().length > 3) expect(fault).not.toContain(password)
      }),
    )
  })
})
