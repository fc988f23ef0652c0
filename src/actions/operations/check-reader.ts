import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { createFindings, type Finding } from '#rules/operations/doctor-finding.ts'
import { loadPipeline } from '#vision/pipeline.ts'

/** Loads all that photos are read with, as the server's threads do, and looks for the sample. */
export async function checkReader({ identifyWorkers }: Config, root: string): Promise<Finding[]> {
  return [await readerFinding(identifyWorkers), sampleFinding(root)]
}

async function readerFinding(workers: number): Promise<Finding> {
  const { ok, warning, fault } = createFindings('reader')
  try {
    const eye = await loadPipeline()
    const { backend } = eye
    eye.close()
    if (workers > 0) return ok(`its networks load, and ${backend} computes them`)
    return warning('IDENTIFY_WORKERS is 0: no photo is read', 'Set it to 1 or more.')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fault(
      `photos cannot be read: ${why}`,
      'data/model has the networks, sharp and tfjs come with bun install; get them anew.',
    )
  }
}

function sampleFinding(root: string): Finding {
  const { ok, warning } = createFindings('sample')
  if (existsSync(join(root, 'data/sample/last-updated.txt')))
    return ok('the sample catalog is there')
  return warning(
    'data/sample is missing or not whole: bun run up has nothing to show',
    'Get the folder anew from the release; a catalog of your own does not need it.',
  )
}
