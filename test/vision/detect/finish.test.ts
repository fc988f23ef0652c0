import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { detectFinish } from '#rules/photos/finish.ts'
import { estimateFinish, observeFinish } from '#vision/detect/finish.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import type { Network } from '#vision/runtime/model.ts'

const FOLDER = resolve(import.meta.dir, '../../../data/sample/photos')
// The cards of the sample have neither foil nor stamps.
const FILES: string[] = JSON.parse(readFileSync(join(FOLDER, 'labels.json'), 'utf8')).map(
  ({ file }: { file: string }) => file,
)

let pipeline: VisionPipeline
beforeAll(async () => {
  pipeline = await loadPipeline()
})
afterAll(() => pipeline.close())

describe('a photo of the sample', () => {
  test.each(FILES)(
    '%s has no foil',
    async (file) => {
      const surface = observeFinish(
        await pipeline.run(await Bun.file(join(FOLDER, file)).bytes()),
        [],
      )
      for (const chance of Object.values(surface ?? {})) {
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chance).toBeLessThanOrEqual(1)
      }
      expect(detectFinish({ finish: surface })).toBe('')
    },
    30_000,
  )
})

describe('the finish', () => {
  const network = (...marks: number[]): Network => ({
    name: 'surface',
    input: [1, 1, 3],
    setting: () => undefined,
    run: () => ({ marks: Float32Array.from(marks) }),
    close() {},
  })

  test('is returned as probabilities', () => {
    const { foilProbability, stampProbability } = estimateFinish(network(0, 3), new Uint8Array(3))
    expect([foilProbability, stampProbability]).toEqual([0.5, 1 / (1 + Math.exp(-3))])
  })

  test('requires a network with two outputs', () => {
    expect(() => estimateFinish(network(0), new Uint8Array(3))).toThrow('"marks" with two values')
  })

  /** Returns the orientation as the probability of foil. */
  const surface = (orientation: number) => ({ foilProbability: orientation, stampProbability: 0 })

  test('is estimated in the orientation of the best hit', () => {
    expect(observeFinish({ kind: 'raw', estimateFinish: surface }, [])?.foilProbability).toBe(0)
    const found = [{ card_id: 1, cosine: 0.9, queryIndex: 1 }]
    expect(
      observeFinish({ kind: 'graded slab', estimateFinish: surface }, found)?.foilProbability,
    ).toBe(1)
  })

  test.each(['back', 'sealed', undefined] as const)('is undefined for %p', (kind) => {
    expect(observeFinish({ kind, estimateFinish: surface }, [])).toBeUndefined()
  })
})
