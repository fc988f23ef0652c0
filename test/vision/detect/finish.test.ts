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

  test('is returned as a probability', () => {
    expect(estimateFinish(network(3, 9), new Uint8Array(3))).toEqual({
      foilProbability: 1 / (1 + Math.exp(-3)),
    })
  })

  test('requires a network with an output', () => {
    expect(() => estimateFinish(network(), new Uint8Array(3))).toThrow('the output "marks"')
  })

  const card = {
    kind: 'raw',
    estimateFinish: (orientation: number) => ({ foilProbability: 0.2 + orientation / 2 }),
  } as const

  test('is estimated in the orientation of the best hit, else in the likelier one', () => {
    const hits = [{ card_id: 1, cosine: 0.9, queryIndex: 1 }]
    for (const kind of ['raw', 'graded slab'] as const)
      expect(observeFinish({ ...card, kind }, hits)?.foilProbability).toBe(0.7)
    expect(observeFinish(card, [])?.foilProbability).toBe(0.2)
  })

  test.each(['back', 'sealed', undefined] as const)('is undefined for %p', (kind) => {
    expect(observeFinish({ ...card, kind }, [])).toBeUndefined()
  })
})
