import { expect, test } from 'bun:test'
import { quantizeVector, VECTOR_SCALE } from '#vision/retrieval/embed.ts'
import { seededRandom } from '../../support/photos/drawn-pictures.ts'

const drawn = (seed: number) => {
  const next = seededRandom(seed)
  return Float32Array.from({ length: 128 }, () => next() + next() + next() - 1.5)
}
const cosine = (one: ArrayLike<number>, other: ArrayLike<number>) => {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

test('a quantized vector keeps its cosine with others', () => {
  for (let seed = 1; seed < 50; seed++) {
    const [one, other] = [drawn(seed), drawn(seed + 100)]
    expect(cosine(quantizeVector(one), quantizeVector(other))).toBeCloseTo(cosine(one, other), 1)
    expect(
      Math.abs(cosine(quantizeVector(one), quantizeVector(other)) - cosine(one, other)),
    ).toBeLessThan(0.01)
  }
})

test('the length of a vector does not matter', () => {
  const vector = drawn(3)
  expect(quantizeVector(vector.map((value) => value * 40))).toEqual(quantizeVector(vector))
  const norm = Math.hypot(...quantizeVector(vector)) / VECTOR_SCALE
  expect(norm).toBeCloseTo(1, 1)
})

test('values beyond the scale are clamped, and zero stays zero', () => {
  expect([...quantizeVector(new Float32Array([3, -4]))]).toEqual([127, -127])
  expect([...quantizeVector(new Float32Array(4))]).toEqual([0, 0, 0, 0])
})
