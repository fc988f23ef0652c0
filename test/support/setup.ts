// Runs before the tests of each process (bunfig.toml): properties without a seed of their own use the run's.
import { afterAll } from 'bun:test'
import fc from 'fast-check'
import { endTests } from './end-of-tests.ts'
import { SEED } from './random.ts'

fc.configureGlobal({ seed: SEED })
afterAll(endTests)
