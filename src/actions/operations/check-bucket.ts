import type { Config } from '#config.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { type CheckResult, fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import { SNAPSHOT_FOLDER } from '#rules/operations/snapshot-list.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import { readSnapshots } from './read-snapshots.ts'

/**
 * Checks the bucket of SNAPSHOTS_URL or CATALOG_FROM.
 *
 * @param writes also writes a small object and deletes it, as a publishing server must be able to
 */
export async function checkBucket(
  { snapshots, catalogSource }: Config,
  writes: boolean,
): Promise<CheckResult> {
  const settings = snapshots ?? catalogSource
  if (settings === undefined)
    return ok('SNAPSHOTS_URL is not set: the catalog is on this disk only')
  const bucket = openBucket(settings)
  try {
    const [newest] = (await readSnapshots(bucket)).snapshots
    const problem = snapshots !== undefined && writes ? await findWriteProblem(bucket) : undefined
    if (problem !== undefined) {
      return fault(problem, 'Use a bucket that supports If-None-Match and If-Match, as S3 does.')
    }
    if (newest === undefined) {
      return warning(
        'the bucket has no snapshot yet',
        'The next sync of the publishing server adds one.',
      )
    }
    return ok(`the newest snapshot is version ${newest.version} of ${newest.changed_at}`)
  } catch (error) {
    return fault(
      errorMessage(error).split('. ')[0] ?? '',
      'Check SNAPSHOTS_URL or CATALOG_FROM, AWS_ENDPOINT_URL, AWS_REGION, and the rights of the key.',
    )
  }
}

/** Tells which condition the bucket ignores: two servers could publish over each other. */
async function findWriteProblem(bucket: Bucket): Promise<string | undefined> {
  const name = `${SNAPSHOT_FOLDER}doctor-${crypto.randomUUID()}`
  try {
    await bucket.replace(name, 'first', undefined)
    if (await bucket.replace(name, 'second', undefined)) return 'the bucket overwrites new objects'
    const stale = '"00000000000000000000000000000000"'
    if (await bucket.replace(name, 'third', stale)) return 'the bucket overwrites changed objects'
    return undefined
  } finally {
    await bucket.delete(name)
  }
}
