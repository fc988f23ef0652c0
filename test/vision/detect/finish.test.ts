import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { finishOf } from '#rules/photos/finish.ts'
import { readSurface, surfaceOf } from '#vision/detect/finish.ts'
import { type Eye, openEye } from '#vision/pipeline.ts'
import type { Network } from '#vision/runtime/model.ts'

const FOLDER = resolve(import.meta.dir, '../../../data/sample/photos')
// Each card of the sample is printed plainly: nothing shines, and nothing is stamped on it.
const FILES: string[] = JSON.parse(readFileSync(join(FOLDER, 'labels.json'), 'utf8')).map(
  ({ file }: { file: string }) => file,
)

let eye: Eye
beforeAll(async () => {
  eye = await openEye()
})
afterAll(() => eye.close())

describe('a photo of the sample', () => {
  test.each(FILES)(
    '%s shows no foil',
    async (file) => {
      const surface = surfaceOf(await eye.look(await Bun.file(join(FOLDER, file)).bytes()), [])
      for (const chance of Object.values(surface ?? {})) {
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chance).toBeLessThanOrEqual(1)
      }
      expect(finishOf({ surface })).toBe('')
    },
    30_000,
  )
})

describe('the surface', () => {
  const network = (...marks: number[]): Network => ({
    name: 'surface',
    input: [1, 1, 3],
    setting: () => undefined,
    run: () => ({ marks: Float32Array.from(marks) }),
    close() {},
  })

  test('is told in chances', () => {
    const { foil, stamped } = readSurface(network(0, 3), new Uint8Array(3))
    expect([foil, stamped]).toEqual([0.5, 1 / (1 + Math.exp(-3))])
  })

  test('is never that of a network with other marks', () => {
    expect(() => readSurface(network(0), new Uint8Array(3))).toThrow('two marks')
  })

  /** Tells which way up it was seen by its foil. */
  const surface = (way: number) => ({ foil: way, stamped: 0 })

  test('is seen the way up in which the card was found', () => {
    expect(surfaceOf({ kind: 'raw', surface }, [])?.foil).toBe(0)
    const found = [{ card_id: 1, cosine: 0.9, asked: 1 }]
    expect(surfaceOf({ kind: 'graded slab', surface }, found)?.foil).toBe(1)
  })

  test.each(['back', 'sealed', undefined] as const)('is that of no %p', (kind) => {
    expect(surfaceOf({ kind, surface }, [])).toBeUndefined()
  })
})
