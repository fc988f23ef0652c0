// Runs before the tests of each process (bunfig.toml): properties without their own seed use that of the run.
import { afterAll, afterEach, beforeEach } from 'bun:test'
import fc from 'fast-check'
import { beginTest, endFile, endTest, endTests } from './end-of-tests.ts'
import { guardFastTests, reportRefused } from './operations/fast-tests.ts'
import { SEED } from './random.ts'

fc.configureGlobal({ seed: SEED })
// Elysia has the garbage of the whole process collected whenever an app gets its first request.
const { gc } = Bun
Object.assign(Bun, { gc: (force?: boolean) => (force ? gc(true) : 0) })
guardFastTests()
beforeEach(beginTest)
afterEach(endTest)
afterEach(reportRefused)
// In parallel runs these happen after each file of a process; `bun run check` removes everything left.
afterAll(endFile)
if (process.env.BUN_TEST_WORKER_ID === undefined) afterAll(endTests)
