import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPipeline } from '#vision/pipeline.ts'
import { drawCard, encodePng } from '../support/photos/drawn-pictures.ts'
import { writeRandomModel } from './random-network.ts'

test('the pipeline returns the same in a worker thread', async () => {
  const folder = writeRandomModel()
  const photo = await encodePng(drawCard(480, 670, 1))
    .jpeg()
    .toBuffer()
  const pipeline = await loadPipeline(folder)
  const { vector } = await pipeline.fingerprint(photo)
  const entry = join(folder, 'worker.ts')
  const source = join(import.meta.dir, '../../src/vision/pipeline.ts')
  writeFileSync(
    entry,
    `import { loadPipeline } from ${JSON.stringify(source)}
    self.onmessage = async ({ data: { folder, photo } }) => {
      const pipeline = await loadPipeline(folder)
      const { vector } = await pipeline.fingerprint(photo)
      self.postMessage({ backend: pipeline.backend, vector })
    }`,
  )
  const worker = new Worker(entry)
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  worker.postMessage({ folder, photo })
  expect(await answer).toEqual({ backend: pipeline.backend, vector })
  worker.terminate()
  pipeline.close()
  rmSync(folder, { recursive: true })
})
