import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { loadSample } from '#actions/sync/sample-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { findFreePort } from '../free-port.ts'
import { createTestLog, SAMPLE } from '../test-app.ts'
import { type Chain, NETWORK } from '../x402/chain.ts'
import { readPhotoLog } from './fake-reader.ts'

const ENTRY = join(import.meta.dir, 'photo-server.ts')

export type PhotoProcess = Awaited<ReturnType<typeof createPhotoProcess>>

/** Settings of photo payments. */
type PaymentSettings = {
  chain: Chain
  facilitatorUrl: string
  payTo: Address
  /** RPC URL of the service, if not that of the chain. */
  rpcUrl?: string
}

/**
 * Runs the service in a process that can be killed and restarted on the same folder and port.
 *
 * @param given payments for photos, or a data folder that is complete
 */
export async function createPhotoProcess(given: PaymentSettings | { dataDir: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-photos-'))
  const data = 'dataDir' in given ? given.dataDir : join(folder, 'data')
  const files = { data, read: join(folder, 'read'), log: join(folder, 'log') }
  if (!('dataDir' in given)) await prepare(files.data)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: files.data,
    PHOTO_LOG: files.read,
    LOG_LEVEL: 'warn',
    IDENTIFY_WORKERS: '0',
    INDEX_PICTURES: 'off',
    BULK_FILES: 'off',
    ...('dataDir' in given ? {} : paymentEnv(given)),
  }
  const log = openSync(files.log, 'a')
  let child: Bun.Subprocess | undefined

  async function start(): Promise<void> {
    const started = Bun.spawn([process.execPath, '--no-env-file', ENTRY], {
      cwd: tmpdir(),
      env,
      stdio: ['ignore', log, log],
    })
    child = started
    while (!(await answers(`${url}/healthz`))) {
      if (started.exitCode !== null)
        throw new Error(`the process exited: ${readFileSync(files.log, 'utf8')}`)
      await Bun.sleep(5)
    }
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL')
    await child?.exited
  }

  return {
    url,
    start,
    kill,
    /** Returns the reads of all processes, in order. */
    readings: () => readPhotoLog(files.read),
    /** Returns the log of all processes. */
    log: () => readFileSync(files.log, 'utf8'),
    async close(): Promise<void> {
      await kill()
      closeSync(log)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function paymentEnv({ chain, facilitatorUrl, payTo, rpcUrl = chain.rpcUrl }: PaymentSettings) {
  return {
    X402_PAY_TO: payTo,
    X402_FACILITATOR_URL: facilitatorUrl,
    X402_RPC_URL: rpcUrl,
    X402_NETWORK: NETWORK,
    X402_ASSET: chain.asset,
    X402_ASSET_NAME: 'USDC',
    X402_ASSET_VERSION: '2',
  }
}

/** Creates a data folder with the sample catalog. */
async function prepare(dataDir: string): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const intake = await openCatalogWriterDeps(config, createTestLog([]))
  const { outcome } = await loadSample(intake, SAMPLE)
  intake.close()
  if (outcome !== 'complete') throw new Error(`failed to load the sample: ${outcome}`)
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
