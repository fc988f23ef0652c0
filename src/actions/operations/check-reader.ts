import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { type CheckResult, fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { loadPipeline } from '#vision/pipeline.ts'
import type { Checks } from './doctor-check.ts'

export const READER_CHECKS: Checks = {
  /** Loads the networks like the server's threads, or asks the photo workers. */
  async reader({ config }) {
    if (config.photoWorkers !== undefined) return checkWorkers(config.photoWorkers)
    try {
      const pipeline = await loadPipeline()
      pipeline.close()
      if (config.identifyWorkers > 0) return ok(`the networks load (backend ${pipeline.backend})`)
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

async function checkWorkers({
  urls,
  secret,
}: NonNullable<Config['photoWorkers']>): Promise<CheckResult> {
  const answers = await Promise.all(
    urls.map(async (url) => ({ url, ...(await openPhotoWorker(url, secret).getState()) })),
  )
  const problems = answers.flatMap((answer) => {
    if (answer.kind === 'failed') return [`${answer.url}: ${answer.why}`]
    return answer.reply.state.ready ? [] : [`${answer.url}: it is starting or stopping`]
  })
  if (problems.length === 0) return ok(`photo workers are ready: ${urls.join(', ')}`)
  const remedies = answers.flatMap((answer) =>
    answer.kind === 'failed' ? [answer.remedy ?? START_WORKER] : [],
  )
  const report = problems.length === urls.length ? fault : warning
  const remedy = [...new Set(remedies)].join(' ') || 'Wait for it.'
  return report(`photo workers are not ready: ${problems.join('; ')}`, remedy)
}

const START_WORKER = 'Start it with "bun run read", and let this machine reach it.'
