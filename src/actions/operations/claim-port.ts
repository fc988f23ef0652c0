import type { Config } from '#config.ts'
import { checkPort, probeLocal } from '#outbound/probes.ts'
import { describePortProblem, PORT_OWNER_PATH } from '#rules/operations/port-problem.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { folderFingerprint } from '#store/files/data-folder.ts'

type PortConfig = Pick<Config, 'host' | 'port' | 'sharePort' | 'dataDir'>

/**
 * Returns why a server with these settings may not listen, in one sentence; undefined if it may. A port can
 * be shared with `SHARE_PORT`, but only by servers with the same data folder.
 */
export async function findPortProblem(config: PortConfig): Promise<string | undefined> {
  const { host, port, sharePort } = config
  if (port === 0) return undefined
  const code = await checkPort(host, port)
  if (code === undefined) return undefined
  if (code !== 'EADDRINUSE' || !sharePort) return describePortProblem(code, config)
  // The kernel chooses a server for each connection, so several connections are tried.
  let silent = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const owner = await findPortOwner(config)
    // A server that is stopping closes its port between two attempts.
    if (owner === undefined && silent++ < SILENT_MAX) {
      if ((await checkPort(host, port)) === undefined) return undefined
      continue
    }
    if (owner === undefined || !owner.hasSameFolder || !owner.isShared)
      return describePortProblem('EADDRINUSE', config)
  }
  return undefined
}

/** Two servers that answer alternately go unnoticed in one of 65,536 cases. */
const ATTEMPTS = 16

const SILENT_MAX = 3

/** @throws ServiceError UNAVAILABLE if a server with these settings may not listen */
export async function claimPort(config: PortConfig): Promise<void> {
  const problem = await findPortProblem(config)
  if (problem !== undefined) throw new ServiceError('UNAVAILABLE', problem)
}

/** A server that answers on the port of these settings. */
export type PortOwner = {
  /** True if its data folder is the one in these settings. */
  hasSameFolder: boolean
  /** True if it allows other servers with its data folder on its port. */
  isShared: boolean
}

/** Returns the server that answers on a port; undefined if none does, or another program. */
export async function findPortOwner({
  host,
  port,
  dataDir,
}: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<PortOwner | undefined> {
  const answer = await probeLocal(localHost(host), port, PORT_OWNER_PATH)
  if (answer.kind === 'none' || !isRecord(answer.value)) return undefined
  // Releases that do not send the last member have this path only if they share their port.
  const { salt, folder, is_shared = true } = answer.value
  if (typeof salt !== 'string') return undefined
  const hasSameFolder = typeof folder === 'string' && folder === folderFingerprint(dataDir, salt)
  return { hasSameFolder, isShared: is_shared === true }
}

/** Returns the address at which this machine reaches a server that listens on all addresses. */
export function localHost(host: string): string {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
}
