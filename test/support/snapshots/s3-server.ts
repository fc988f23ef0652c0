// An S3 server for a test file, in a temporary folder: versitygw, if Go has installed it; otherwise, tests that need
// it are skipped with a message.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BucketSettings } from '#config/storage.ts'
import { atEnd } from '../end-of-tests.ts'
import { findFreePort } from '../free-port.ts'
import { findProgram } from '../operations/find-program.ts'
import { startCommand, type TestProcess, waitUntilAnswering } from '../process.ts'

const PROGRAM = findProgram('versitygw')

export const HAS_S3 = PROGRAM !== undefined
if (!HAS_S3) {
  console.warn(
    'No S3 server: its tests are skipped. "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0" adds one.',
  )
}

export type S3Server = {
  /** Settings for a folder in its only bucket. */
  settings(folder: string): BucketSettings
  /** Address and key as environment variables. */
  env: Record<string, string>
  /** Returns the path of an object's file, through which a test can damage it. */
  path(name: string): string
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-s3-'))
  const objects = join(folder, 'objects')
  mkdirSync(join(objects, BUCKET), { recursive: true })
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  let server: TestProcess | undefined

  async function start(): Promise<void> {
    const command = [PROGRAM ?? '', '--port', `127.0.0.1:${port}`, 'posix', objects]
    const env = { ROOT_ACCESS_KEY: KEY_ID, ROOT_SECRET_KEY: KEY }
    server = startCommand(command, { cwd: folder, env })
    await waitUntilAnswering(server, endpoint)
  }
  const stop = async (): Promise<void> => void (await server?.kill())
  async function close(): Promise<void> {
    forget()
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }

  const forget = atEnd(close)
  await start()
  return {
    settings: (name) => ({
      bucket: BUCKET,
      prefix: `${name}/`,
      endpoint,
      region: 'us-east-1',
      accessKeyId: KEY_ID,
      secretAccessKey: KEY,
      sessionToken: undefined,
      publicEndpoint: undefined,
    }),
    env: { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: KEY },
    path: (name) => join(objects, BUCKET, name),
    start,
    stop,
    close,
  }
}

const BUCKET = 'cards'
const KEY_ID = 'test'
const KEY = 'secret-of-the-tests'
