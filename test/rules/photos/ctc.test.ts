import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLineScorer, decodeGreedily } from '#rules/photos/ctc.ts'
import type { CtcOutput } from '#rules/photos/text-line.ts'

const ALPHABET = ['', 'a', 'b']

/** Creates an output from class weights per step; normalizes them. */
function ctcOf(steps: readonly (readonly number[])[], alphabet = ALPHABET): CtcOutput {
  const logs = steps.flatMap((step) => {
    const sum = step.reduce((one, other) => one + other, 0)
    return step.map((share) => Math.log(share / sum))
  })
  return { alphabet, logProbabilities: Float32Array.from(logs) }
}

const share = fc.double({ min: 0.001, max: 1, noNaN: true })
const lines = fc
  .array(fc.tuple(share, share, share), { minLength: 1, maxLength: 6 })
  .map((steps) => ctcOf(steps))

/** Returns every text of up to `length` letters. */
function textsUpTo(length: number): string[] {
  if (length === 0) return ['']
  const shorter = textsUpTo(length - 1)
  const longest = shorter.filter((text) => text.length === length - 1)
  return [...shorter, ...longest.flatMap((text) => [`${text}a`, `${text}b`])]
}

/** Computes the probability of each text by walking every path. */
function byAllPaths({ alphabet, logProbabilities }: CtcOutput): Map<string, number> {
  const steps = logProbabilities.length / alphabet.length
  const found = new Map<string, number>()
  const walk = (step: number, before: number, text: string, log: number): void => {
    if (step === steps) {
      found.set(text, (found.get(text) ?? 0) + Math.exp(log))
      return
    }
    for (const [one, letter] of alphabet.entries()) {
      const next = one === before ? text : text + letter
      walk(step + 1, one, next, log + (logProbabilities[step * alphabet.length + one] ?? 0))
    }
  }
  walk(0, 0, '', 0)
  return found
}

describe('the likelihood', () => {
  test('of all possible texts sums up to 1', () => {
    fc.assert(
      fc.property(lines, (ctc) => {
        const steps = ctc.logProbabilities.length / ALPHABET.length
        const sum = textsUpTo(steps)
          .map((text) => Math.exp(createLineScorer(ctc).logLikelihood(text)))
          .reduce((one, other) => one + other, 0)
        expect(sum).toBeCloseTo(1, 4)
      }),
    )
  })

  test('equals the sum over all paths', () => {
    fc.assert(
      fc.property(lines, (output) => {
        const paths = byAllPaths(output)
        for (const text of textsUpTo(output.logProbabilities.length / ALPHABET.length)) {
          expect(Math.exp(createLineScorer(output).logLikelihood(text))).toBeCloseTo(
            paths.get(text) ?? 0,
            4,
          )
        }
      }),
    )
  })

  test.each([
    ['an unknown letter', 'ax'],
    ['more letters than steps', 'abab'],
    ['a double letter without a step for the blank', 'aab'],
  ])('of %s is -Infinity', (_, text) => {
    const even = ctcOf([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ])
    expect(createLineScorer(even).logLikelihood(text)).toBe(Number.NEGATIVE_INFINITY)
  })

  test('of a line without steps is 0 for an empty text only', () => {
    expect(createLineScorer(ctcOf([])).logLikelihood('')).toBe(0)
    expect(createLineScorer(ctcOf([])).logLikelihood('a')).toBe(Number.NEGATIVE_INFINITY)
  })

  test('does not underflow for long texts', () => {
    const steps = Array.from({ length: 400 }, () => [1, 1e-9, 1e-9])
    const log = createLineScorer(ctcOf(steps)).logLikelihood('ab'.repeat(90))
    expect(log).toBeGreaterThan(-4_000)
    expect(log).toBeLessThan(-3_000)
  })
})

const SIGNS = ['', ...'0123456789/ SVIEN']

/** Creates an output with one step per character, followed by a blank. */
function reading(text: string, probability = 0.9): CtcOutput {
  return ctcOf(
    [...text].flatMap((letter) => [
      SIGNS.map((one) => (one === letter ? probability : (1 - probability) / SIGNS.length)),
      SIGNS.map((one) => (one === '' ? probability : (1 - probability) / SIGNS.length)),
    ]),
    SIGNS,
  )
}

describe('the fit', () => {
  test('of the greedy reading is 1, and lower for any other text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9/]{1,7}$/),
        fc.stringMatching(/^[0-9/]{1,7}$/),
        (one, other) => {
          expect(createLineScorer(reading(one)).lineFit(one)).toBe(1)
          if (one !== other) expect(createLineScorer(reading(one)).lineFit(other)).toBeLessThan(0.7)
        },
      ),
    )
  })

  test('orders numbers by similarity to the printed one', () => {
    const line = reading('045/102', 0.8)
    const fits = ['045/102', '046/102', '046/103', '12/25', 'TG12'].map((text) =>
      createLineScorer(line).lineFit(text),
    )
    expect(fits).toEqual(fits.toSorted((one, other) => other - one))
    expect(fits.at(-1)).toBe(0)
  })

  test('is between 0 and 1', () => {
    fc.assert(
      fc.property(lines, fc.stringMatching(/^[ab]{0,7}$/), (ctc, text) => {
        const fit = createLineScorer(ctc).lineFit(text)
        expect(fit).toBeGreaterThanOrEqual(0)
        expect(fit).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the greedy reading', () => {
  const of = (...steps: string[]) =>
    decodeGreedily(
      ctcOf(
        steps.map((letter) => SIGNS.map((one) => (one === letter ? 0.9 : 0.001))),
        SIGNS,
      ),
    )

  test('merges repeats, except across a blank', () => {
    expect(of('1', '1', '2')).toBe('12')
    expect(of('1', '', '1', '')).toBe('11')
    expect([of('', ''), of()]).toEqual(['', ''])
  })
})

describe('the substring fit', () => {
  const line = reading('SVI EN 012/198')

  test('is 1 for one or more words', () => {
    for (const text of ['SVI', 'EN', '012/198', 'EN 012/198', 'SVI EN 012/198']) {
      expect(createLineScorer(line).substringFit(text)).toBeCloseTo(1, 5)
    }
  })

  test('is 1 for a number behind a single letter, and low behind a code', () => {
    expect(createLineScorer(reading('M0194')).substringFit('0194')).toBeCloseTo(1, 5)
    for (const text of ['194', 'M019', '94']) {
      expect(createLineScorer(reading('M0194')).substringFit(text)).toBeLessThan(0.6)
    }
    expect(createLineScorer(reading('SVP044')).substringFit('044')).toBeLessThan(0.6)
  })

  test('is low for parts of words, and for other words', () => {
    for (const text of ['12/198', 'N 012/198', '012/19', '013/198', 'VS', '5']) {
      expect(createLineScorer(line).substringFit(text)).toBeLessThan(0.6)
    }
  })

  test('is highest for the most similar number', () => {
    const fits = ['012/198', '012/196', '017/196', '777/777'].map((text) =>
      createLineScorer(line).substringFit(text),
    )
    expect(fits).toEqual(fits.toSorted((one, other) => other - one))
  })

  test('is 0 for an empty text, unknown letters, and a line without steps', () => {
    expect(createLineScorer(line).substringFit('')).toBe(0)
    expect(createLineScorer(line).substringFit('é')).toBe(0)
    expect(createLineScorer(ctcOf([])).substringFit('a')).toBe(0)
  })

  test('is always between 0 and 1', () => {
    fc.assert(
      fc.property(lines, fc.stringMatching(/^[ab]{1,4}$/), (ctc, text) => {
        const fit = createLineScorer(ctc).substringFit(text)
        expect(fit >= 0 && fit <= 1).toBe(true)
      }),
    )
  })
})
