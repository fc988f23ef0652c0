// The service as src/main.ts starts it, with a photo reader that follows the script in each photo, for tests that
// kill it. PHOTO_LOG is the path of the log of reads.
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createScriptedReader } from './fake-reader.ts'

const config = readConfig()
const deps = {
  ...(await openDeps(config)),
  reader: createScriptedReader(process.env.PHOTO_LOG ?? ''),
}
const { app } = createApp(deps)
app.listen({ hostname: config.host, port: config.port, idleTimeout: 30 })
startJobs(deps)
process.on('unhandledRejection', (error) => deps.log.error('unhandled rejection', { error }))
