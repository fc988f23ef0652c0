import { describe, expect, test } from 'bun:test'
import { FIGURE_NAMES, figureOf, type Round } from '../../bench/guard/figures.ts'
import { judgeAgainst, judgeByRecord, recordOf } from '../../bench/guard/judge.ts'
import { readAllRatios } from '../../bench/guard/ratios.ts'
import { createSeededRandom } from '../../scripts/tools/seed/random.ts'
import { SEED } from '../support/random.ts'

const random = createSeededRandom(SEED)

/** Returns rounds in which everything varies with a standard deviation of `noise`, on a machine whose speed changes. */
function createRounds({
  cost,
  noise,
  others = cost,
}: {
  cost: number
  noise: number
  others?: number
}): Round[] {
  return Array.from({ length: 5 }, () => {
    const speed = 0.5 + random.unit()
    const vary = (value: number) => value * speed * (1 + noise * random.bell())
    return { limit: { card: vary(4) }, trees: [{ card: vary(cost) }, { card: vary(others) }] }
  })
}

const KNOWN = { card: { ratio: 4, noise: 0.02 } }

describe('the guard', () => {
  test.each([0, 0.005, 0.01])('finds nothing in an unchanged tree with a noise of %p', (noise) => {
    for (let run = 0; run < 100; run++) {
      const rounds = createRounds({ cost: 16, noise })
      expect([...judgeByRecord(rounds, KNOWN), ...judgeAgainst(rounds)]).toMatchObject([
        { value: 'card', isLoss: false },
        { value: 'card', isLoss: false },
      ])
    }
  })

  test.each([0, 0.005, 0.01])('finds a loss of 15 %% with a noise of %p', (noise) => {
    for (let run = 0; run < 100; run++) {
      const rounds = createRounds({ cost: 16 * 1.15, noise, others: 16 })
      expect(judgeByRecord(rounds, KNOWN)).toMatchObject([{ isLoss: true }])
      expect(judgeAgainst(rounds)).toMatchObject([{ isLoss: true }])
    }
  })

  test('reports a gain as a negative change, and not as a loss', () => {
    const rounds = createRounds({ cost: 8, noise: 0, others: 16 })
    for (const [verdict] of [judgeByRecord(rounds, KNOWN), judgeAgainst(rounds)]) {
      expect(verdict?.change).toBeCloseTo(-0.5)
      expect(verdict?.isLoss).toBeFalse()
    }
  })

  test('widens its margin with the recorded noise, but still finds a loss of 15 %', () => {
    const rounds = createRounds({ cost: 16, noise: 0 })
    const marginWith = (noise: number) =>
      judgeByRecord(rounds, { card: { ratio: 4, noise } })[0]?.margin
    expect([0, 0.04, 0.2].map(marginWith)).toEqual([0.05, 0.08, 0.1])
  })

  test('records the median of whole runs, and how far one differs from it', () => {
    const runs = [16, 17, 20].map((cost) => createRounds({ cost, noise: 0 }))
    expect(recordOf(runs)).toEqual({ card: { ratio: 4.25, noise: 0.1765 } })
  })

  test('does not let a value pass that was not measured', () => {
    const rounds = createRounds({ cost: Number.NaN, noise: 0, others: 16 })
    expect(judgeByRecord(rounds, KNOWN)).toMatchObject([{ isLoss: true }])
    expect(judgeAgainst(rounds)).toMatchObject([{ isLoss: true }])
  })

  test('uses only the rounds that have measured a value', () => {
    const [first, ...others] = createRounds({ cost: 16, noise: 0 })
    const rounds = [first, ...others.map(() => ({ limit: {}, trees: [{}, {}] }))] as Round[]
    expect(judgeByRecord(rounds, KNOWN)[0]?.change).toBeCloseTo(0)
  })
})

describe('the recorded ratios', () => {
  test.each(Object.entries(readAllRatios()))(
    'of %s have all figures, each with a reason',
    (_, { values }) => {
      expect(new Set(Object.keys(values).map(figureOf))).toEqual(new Set(FIGURE_NAMES))
      for (const { ratio, noise, commit, reason } of Object.values(values)) {
        expect(ratio).toBeGreaterThan(0)
        expect(noise).toBeGreaterThanOrEqual(0)
        expect(commit).toMatch(/^[0-9a-f]{8}$/)
        expect(reason).toMatch(/\w/)
      }
    },
  )
})
