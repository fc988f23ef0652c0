import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { findFreePort } from '../free-port.ts'
import { createServerProcess, prepareSample, QUIET } from '../server-process.ts'
import { type Chain, NETWORK } from '../x402/chain.ts'
import { readPhotoLog } from './fake-reader.ts'

/** The service with a reader that follows the script in each photo; PHOTO_LOG is the path of the log of reads. */
export const PHOTO_SERVER = 'test/support/photos/photo-server.ts'

export type PhotoProcess = Awaited<ReturnType<typeof createPhotoProcess>>

/** Settings of photo payments. */
type PaymentSettings = {
  chain: Chain
  facilitatorUrl: string
  payTo: Address
  /** RPC URL of the service, if different from that of the chain. */
  rpcUrl?: string
}

/**
 * Prepares the service with scripted photos.
 *
 * @param given payments for photos, or a complete data folder with further settings
 */
export async function createPhotoProcess(
  given: PaymentSettings | { dataDir: string; env?: Record<string, string> },
) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-photos-'))
  const dataDir = 'dataDir' in given ? given.dataDir : join(folder, 'data')
  if (!('dataDir' in given)) await prepareSample(dataDir)
  const port = await findFreePort()
  const photoLog = join(folder, 'read')
  const env = {
    ...QUIET,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PHOTO_LOG: photoLog,
    LOG_LEVEL: 'warn',
    ...('dataDir' in given ? given.env : paymentEnv(given)),
  }
  const logFile = join(folder, 'log')
  const server = createServerProcess({ dataDir, port, env, script: PHOTO_SERVER, logFile })
  return {
    ...server,
    /** Returns the reads of all processes, in order. */
    readings: () => readPhotoLog(photoLog),
    async close(): Promise<void> {
      await server.kill()
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
