import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import { loadPipeline } from '#vision/pipeline.ts'
import type { Checks } from './doctor-check.ts'

export const READER_CHECKS: Checks = {
  /** Loads the networks as the server's threads do. */
  async reader({ config }) {
    try {
      const pipeline = await loadPipeline()
      pipeline.close()
      if (config.identifyWorkers > 0) return ok(`the networks load; backend ${pipeline.backend}`)
      return warning('IDENTIFY_WORKERS is 0: photo identification is off', 'Set it to 1 or more.')
    } catch (error) {
      return fault(
        `photos cannot be read: ${errorMessage(error)}`,
        'Restore data/model from the release, and run bun install for sharp and tfjs.',
      )
    }
  },

  sample({ root }) {
    if (existsSync(join(root, 'data/sample/last-updated.txt'))) return ok('data/sample is complete')
    return warning(
      'data/sample is missing or incomplete, so bun run up has nothing to show',
      'Restore the folder from the release. A catalog of your own does not need it.',
    )
  },
}
