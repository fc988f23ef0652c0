import { createHash } from 'node:crypto'

// Until the first release the baseline of a database is amended in place, so a number of steps alone would not tell two
// schemas apart. A version therefore states the baseline, too: 1,000 times its fingerprint, plus the number of steps.

/** Steps that a version can count, the baseline included. */
const STEPS_MAX = 1_000

/** Fits into the 32 bits that SQLite has for a version, signed. */
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

/** Returns the version of a schema with a baseline and a number of steps, the baseline included. */
export function schemaVersionOf(baseline: string, steps: number): number {
  return fingerprintBaseline(baseline) * STEPS_MAX + steps
}

/** Returns how many steps a version has, which is what people see of it. */
export function countSchemaSteps(version: number): number {
  return version % STEPS_MAX
}

/** Order of a schema relative to another one; `unreleased`: they do not have the same baseline. */
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
