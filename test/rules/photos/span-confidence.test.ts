import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { spanConfidence } from '#rules/photos/span-confidence.ts'
import { recognizedText } from '../../support/photos/candidate-fixtures.ts'

const words = fc.array(fc.stringMatching(/^[A-Z0-9/-]{1,6}$/), { minLength: 1, maxLength: 4 })
const probability = fc.double({ min: 0.5, max: 0.999, noNaN: true })

test('the confidence of a word is between that of its line and 1', () => {
  fc.assert(
    fc.property(words, probability, (all, each) => {
      const line = all.join(' ')
      const ctc = recognizedText(line, each)
      const whole = spanConfidence(ctc, line)
      for (const word of all) {
        const own = spanConfidence(ctc, word)
        expect(own).toBeGreaterThanOrEqual(whole - 1e-6)
        expect(own).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test('the confidence of a part is that of the whole word', () => {
  const ctc = recognizedText('XY 012/198', 0.9)
  expect(spanConfidence(ctc, '12/198')).toBe(spanConfidence(ctc, '012/198'))
})

test('a text that was not read has no confidence', () => {
  expect(spanConfidence(recognizedText('012/198', 0.9), '013/198')).toBe(0)
  expect(spanConfidence(recognizedText('012/198', 0.9), '')).toBe(0)
})
