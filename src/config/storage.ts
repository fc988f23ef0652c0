import { join, resolve } from 'node:path'
import { DEFAULT_RETENTION, type RetentionOptions } from '#rules/operations/backup-retention.ts'
import { type Environment, HTTP, type SettingReader } from './setting-reader.ts'

/** Folder of the backups, and how long they are kept. */
export type BackupSettings = { dir: string; retention: RetentionOptions }

/** PostgreSQL: its URL, and a server's maximum number of connections, not counting the one that listens. */
export type LedgerSettings = { url: string; connections: number }

/** A folder in an S3 bucket, and the rights to use it. */
export type BucketSettings = {
  bucket: string
  /** Start of all names in the bucket: empty, or with a slash at the end. */
  prefix: string
  /** Address of the S3 server; undefined for AWS. */
  endpoint: string | undefined
  /** Address of the S3 server for clients; undefined if they cannot reach it. */
  publicEndpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** Returns the absolute path of the data folder, for commands that need no other setting. */
export function resolveDataDir(env: Environment): string {
  return resolve(env.DATA_DIR || './data/run')
}

/** Reads the settings of backups; undefined if backups are off. */
export function readBackups(
  env: Environment,
  retention: RetentionOptions,
): BackupSettings | undefined {
  // A fleet has its catalog backups in the bucket, and its ledger backups in the database's own tools.
  const isInBucket = Boolean(env.LEDGER_URL && env.SNAPSHOTS_URL)
  const dir = env.BACKUP_DIR || (isInBucket ? 'off' : join(resolveDataDir(env), 'backups'))
  return dir === 'off' ? undefined : { dir: resolve(dir), retention }
}

/** Reads the retention of backups. */
export function readRetention(read: SettingReader): RetentionOptions {
  const hours = read.integer('BACKUP_KEEP_HOURS', DEFAULT_RETENTION.hours, 1, 8_784)
  const days = read.integer('BACKUP_KEEP_DAYS', DEFAULT_RETENTION.days, 0, 3_660)
  return { hours, days }
}

/** Reads the database of the ledger; undefined if it is a file. */
export function readLedgerDatabase(
  env: Environment,
  read: SettingReader,
): LedgerSettings | undefined {
  const url = env.LEDGER_URL || undefined
  const connections = read.integer('LEDGER_CONNECTIONS', 10, 1, 1_000)
  if (url === undefined) return undefined
  if (!/^postgres(ql)?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    // The URL may contain a password.
    read.fault('LEDGER_URL is not a PostgreSQL URL. Use postgres://user:password@host/database.')
  }
  if (!env.APP_SECRET) {
    read.fault('LEDGER_URL requires APP_SECRET. Set the same one on every server.')
  }
  return { url, connections }
}

/** Reads the bucket of a setting; undefined if it is not set. */
export function readBucket(
  name: string,
  env: Environment,
  read: SettingReader,
): BucketSettings | undefined {
  const endpoint = read.url('AWS_ENDPOINT_URL', HTTP)
  const url = env[name] || undefined
  if (url === undefined) return undefined
  const [, bucket, folder = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/([\w./-]*))?$/.exec(url) ?? []
  if (bucket === undefined)
    read.fault(`${name} is "${url}". Use s3://bucket or s3://bucket/folder.`)
  const accessKeyId = env.AWS_ACCESS_KEY_ID ?? ''
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY ?? ''
  if (accessKeyId === '' || secretAccessKey === '') {
    read.fault(`${name} requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  }
  const path = folder.replace(/^\/+|\/+$/g, '')
  return {
    bucket: bucket ?? '',
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    publicEndpoint: read.url('BUCKET_PUBLIC_URL', HTTP),
    region: env.AWS_REGION || 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  }
}
