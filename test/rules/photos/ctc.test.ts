import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLineScorer, decodeGreedily } from '#rules/photos/ctc.ts'
import type { CtcOutput } from '#rules/photos/text-line.ts'

const ALPHABET = ['', 'a', 'b']

/** Probabilities of the three classes at each step, which need not sum up to 1 as they come. */
function lettersOf(steps: readonly (readonly number[])[], alphabet = ALPHABET): CtcOutput {
  const logs = steps.flatMap((step) => {
    const sum = step.reduce((one, other) => one + other, 0)
    return step.map((share) => Math.log(share / sum))
  })
  return { alphabet, logProbabilities: Float32Array.from(logs) }
}

const share = fc.double({ min: 0.001, max: 1, noNaN: true })
const lines = fc
  .array(fc.tuple(share, share, share), { minLength: 1, maxLength: 6 })
  .map((steps) => lettersOf(steps))

/** Every text of up to this many letters. */
function textsUpTo(length: number): string[] {
  if (length === 0) return ['']
  const shorter = textsUpTo(length - 1)
  const longest = shorter.filter((text) => text.length === length - 1)
  return [...shorter, ...longest.flatMap((text) => [`${text}a`, `${text}b`])]
}

/** The probability of each text, by walking every path there is. */
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
  test('of all texts that fit into a line sums up to 1', () => {
    fc.assert(
      fc.property(lines, (ctcOutput) => {
        const steps = ctcOutput.logProbabilities.length / ALPHABET.length
        const sum = textsUpTo(steps)
          .map((text) => Math.exp(createLineScorer(ctcOutput).logLikelihood(text)))
          .reduce((one, other) => one + other, 0)
        expect(sum).toBeCloseTo(1, 4)
      }),
    )
  })

  test('of every text is what walking all paths comes to', () => {
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
    ['a letter that the recogniser does not know', 'ax'],
    ['more letters than there are steps', 'abab'],
    ['a double letter without room for the blank between', 'aab'],
  ])('of %s is nothing', (_, text) => {
    const even = lettersOf([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ])
    expect(createLineScorer(even).logLikelihood(text)).toBe(Number.NEGATIVE_INFINITY)
  })

  test('of a line without steps is that of nothing being there', () => {
    expect(createLineScorer(lettersOf([])).logLikelihood('')).toBe(0)
    expect(createLineScorer(lettersOf([])).logLikelihood('a')).toBe(Number.NEGATIVE_INFINITY)
  })

  test('stays a number far below what a plain product can hold, and for texts of any length', () => {
    const steps = Array.from({ length: 400 }, () => [1, 1e-9, 1e-9])
    const log = createLineScorer(lettersOf(steps)).logLikelihood('ab'.repeat(90))
    expect(log).toBeGreaterThan(-4_000)
    expect(log).toBeLessThan(-3_000)
  })
})

const SIGNS = ['', ...'0123456789/ SVIEN']

/** A line on which each character stands on a step of its own, sure by its share. */
function reading(text: string, sure = 0.9): CtcOutput {
  return lettersOf(
    [...text].flatMap((letter) => [
      SIGNS.map((one) => (one === letter ? sure : (1 - sure) / SIGNS.length)),
      SIGNS.map((one) => (one === '' ? sure : (1 - sure) / SIGNS.length)),
    ]),
    SIGNS,
  )
}

describe('the fit', () => {
  test('of what is read freely is 1, and of any other text less', () => {
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

  test('orders the numbers of a catalog by how nearly they are what is printed', () => {
    const line = reading('045/102', 0.8)
    const fits = ['045/102', '046/102', '046/103', '12/25', 'TG12'].map((text) =>
      createLineScorer(line).lineFit(text),
    )
    expect(fits).toEqual(fits.toSorted((one, other) => other - one))
    expect(fits.at(-1)).toBe(0)
  })

  test('is between 0 and 1', () => {
    fc.assert(
      fc.property(lines, fc.stringMatching(/^[ab]{0,7}$/), (ctcOutput, text) => {
        const fit = createLineScorer(ctcOutput).lineFit(text)
        expect(fit).toBeGreaterThanOrEqual(0)
        expect(fit).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the likeliest text', () => {
  const of = (...steps: string[]) =>
    decodeGreedily(
      lettersOf(
        steps.map((letter) => SIGNS.map((one) => (one === letter ? 0.9 : 0.001))),
        SIGNS,
      ),
    )

  test('has a letter once where it repeats, and twice where a blank stands between', () => {
    expect(of('1', '1', '2')).toBe('12')
    expect(of('1', '', '1', '')).toBe('11')
    expect([of('', ''), of()]).toEqual(['', ''])
  })
})

describe('the fit within a line', () => {
  const line = reading('SVI EN 012/198')

  test('is 1 for its words, and for several of them', () => {
    for (const text of ['SVI', 'EN', '012/198', 'EN 012/198', 'SVI EN 012/198']) {
      expect(createLineScorer(line).substringFit(text)).toBeCloseTo(1, 5)
    }
  })

  test('is low for a part of a word, and for other words', () => {
    for (const text of ['12/198', 'N 012/198', '012/19', '013/198', 'VS', '5']) {
      expect(createLineScorer(line).substringFit(text)).toBeLessThan(0.6)
    }
  })

  test('is highest for the number that is nearly there', () => {
    const fits = ['012/198', '012/196', '017/196', '777/777'].map((text) =>
      createLineScorer(line).substringFit(text),
    )
    expect(fits).toEqual(fits.toSorted((one, other) => other - one))
  })

  test('is none for nothing, for letters that are not known, and in a line without steps', () => {
    expect(createLineScorer(line).substringFit('')).toBe(0)
    expect(createLineScorer(line).substringFit('é')).toBe(0)
    expect(createLineScorer(lettersOf([])).substringFit('a')).toBe(0)
  })

  test('is between 0 and 1 in any line', () => {
    fc.assert(
      fc.property(lines, fc.stringMatching(/^[ab]{1,4}$/), (ctcOutput, text) => {
        const fit = createLineScorer(ctcOutput).substringFit(text)
        expect(fit >= 0 && fit <= 1).toBe(true)
      }),
    )
  })
})
