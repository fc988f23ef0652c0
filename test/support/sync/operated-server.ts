// A server with its jobs and an operator, in the process of the test.
import { pathToFileURL } from 'node:url'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import type { Environment } from '#config/setting-reader.ts'
import { readConfig } from '#config.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { createTempFolder } from '../closers.ts'
import { createCountingWorker } from '../counting-worker.ts'
import { closeAfterUse } from '../end-of-tests.ts'
import { smallUpstream, writeMirror } from './upstream-fixture.ts'

export const OPERATOR = { email: 'operator@cards.example', password: 'long enough' }

/**
 * Opens a server whose first sync of the small upstream has ended. It does not listen, and makes neither files nor
 * pictures.
 *
 * @param publishedAt time of the prices of its mirror
 */
export async function openOperatedServer(publishedAt: string, settings: Environment = {}) {
  const mirror = createTempFolder('cardstock-mirror-')
  writeMirror(smallUpstream(publishedAt).files, mirror)
  const dataDir = createTempFolder('cardstock-operated-')
  const deps = await openDeps(
    readConfig({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      IDENTIFY_WORKERS: '0',
      BACKUP_DIR: 'off',
      UPSTREAM_URL: pathToFileURL(mirror).href,
      ...settings,
    }),
  )
  closeAfterUse(() => closeDeps(deps))
  const account = { ...OPERATOR, tier: 'free', address: undefined } as const
  await registerAccount(deps, createPasswordHasher(), account)
  await setOperator(deps, { email: OPERATOR.email, is_operator: true })
  const { app, close } = createApp(deps)
  closeAfterUse(close)
  const bulk = createCountingWorker<BulkReport>(undefined)
  const pictures = createCountingWorker<IndexReport>(undefined)
  const workers = { ...createWorkers(deps), pictures: pictures.thread, bulk: bulk.thread }
  const jobs = startJobs(deps, workers)
  closeAfterUse(() => jobs.close())
  while (workers.sync.isRunning()) await Bun.sleep(5)
  /** `bulkRuns` counts the builds of the files that were requested. */
  return { app, deps, dataDir, bulkRuns: () => bulk.notes.runs }
}
