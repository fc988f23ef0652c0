import { createHash } from 'node:crypto'

// Until the first release, the baseline of a database is amended in place, so a number of steps does not identify a
// schema. A version therefore also contains the baseline: 1,000 times its fingerprint, plus the number of steps.

/** Maximum number of steps in a version, including the baseline. */
const STEPS_MAX = 1_000

/** Fits into SQLite's signed 32-bit version. */
const FINGERPRINTS = 2 ** 21

/** Returns a fingerprint of the statements of a baseline. Comments and white space do not change it. */
export function fingerprintBaseline(sql: string): number {
  const statements = sql
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const hash = createHash('sha256').update(statements).digest()
  return 1 + (hash.readUInt32BE() % (FINGERPRINTS - 1))
}

/** Returns the version of a schema with a baseline and a number of steps, including the baseline. */
export function schemaVersionOf(baseline: string, steps: number): number {
  return fingerprintBaseline(baseline) * STEPS_MAX + steps
}

/** Returns the number of steps of a version, which is what people see. */
export function countSchemaSteps(version: number): number {
  return version % STEPS_MAX
}

/** Order of a schema relative to another one; `unreleased` if their baselines differ. */
export type SchemaOrder = 'same' | 'older' | 'newer' | 'unreleased'

/** Compares the version of a schema with another one. */
export function compareSchemas(version: number, other: number): SchemaOrder {
  if (version - countSchemaSteps(version) !== other - countSchemaSteps(other)) return 'unreleased'
  if (version === other) return 'same'
  return version < other ? 'older' : 'newer'
}

/** Problem of a database or backup with another baseline, after its name. */
export const UNRELEASED_SCHEMA =
  'was written by an unreleased version of Cardstock, which this one cannot open'
