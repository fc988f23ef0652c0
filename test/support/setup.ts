// Runs before the tests of each process (bunfig.toml): properties without a seed of their own use the run's.
import fc from 'fast-check'
import { SEED } from './random.ts'

fc.configureGlobal({ seed: SEED })
