import type { Config } from '#config.ts'
import { checkPort, probeLocal } from '#outbound/probes.ts'
import { describePortProblem, PORT_SHARE_PATH } from '#rules/operations/port-problem.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { folderFingerprint } from '#store/files/data-folder.ts'

type PortConfig = Pick<Config, 'host' | 'port' | 'sharePort' | 'dataDir'>

/**
 * Returns why a server with these settings may not listen, in one sentence; undefined if it may. A port can
 * be shared with `SHARE_PORT`, but only by servers with the same data folder.
 */
export async function findPortProblem(config: PortConfig): Promise<string | undefined> {
  const { host, port, sharePort, dataDir } = config
  if (port === 0) return undefined
  const code = await checkPort(host, port)
  if (code === undefined) return undefined
  if (code !== 'EADDRINUSE' || !sharePort) return describePortProblem(code, config)
  // The kernel chooses a server for each connection, so several are asked.
  let silent = 0
  for (let ask = 0; ask < ASKED; ask++) {
    const answer = await probeLocal(localHost(host), port, PORT_SHARE_PATH)
    // A server that is stopping closes its port between two questions.
    if (answer.kind === 'none' && silent++ < SILENT_MAX) {
      if ((await checkPort(host, port)) === undefined) return undefined
      continue
    }
    const { salt, folder } =
      answer.kind === 'response' && isRecord(answer.value) ? answer.value : { salt: '', folder: '' }
    if (typeof salt !== 'string' || folder !== folderFingerprint(dataDir, salt))
      return describePortProblem('EADDRINUSE', config)
  }
  return undefined
}

/** Two servers that answer in turn go unnoticed in one of 65,536 cases. */
const ASKED = 16

const SILENT_MAX = 3

/** @throws ServiceError UNAVAILABLE if a server with these settings may not listen */
export async function claimPort(config: PortConfig): Promise<void> {
  const problem = await findPortProblem(config)
  if (problem !== undefined) throw new ServiceError('UNAVAILABLE', problem)
}

/** Returns the address at which this machine reaches a server that listens on all addresses. */
export function localHost(host: string): string {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
}
