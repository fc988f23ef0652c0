import { get } from 'node:http'
import { createServer } from 'node:net'
import { isRecord } from '#rules/primitives/json-record.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import { describeNetworkError, readBody } from './net/http-client.ts'
import { parseJson, postJson } from './net/json-post.ts'

/** Response to a read-only request. */
export type ProbeResult =
  | { kind: 'response'; status: number; value: unknown }
  | { kind: 'none'; why: string }

/** Fetches JSON; the value is undefined if the response is not JSON. */
export async function probeHttp(url: string, server: string, headers = {}): Promise<ProbeResult> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // A redirect would send the API key to a host that nobody configured.
      redirect: 'manual',
    })
    const bytes = await readBody(response, BYTES_MAX)
    return { kind: 'response', status: response.status, value: parseJson(bytes) }
  } catch (cause) {
    return { kind: 'none', why: describeNetworkError(cause, server, TIMEOUT_MS) }
  }
}

/**
 * Fetches JSON from a server on this machine, bypassing any proxy of the environment. Each call opens a new
 * connection, because several servers may share the port.
 */
export function probeLocal(host: string, port: number, path: string): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const none = (cause: unknown) =>
      resolve({ kind: 'none', why: describeNetworkError(cause, 'the server', TIMEOUT_MS) })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const request = get({ host, port, path, signal, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', none)
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        resolve({ kind: 'response', status, value: parseJson(Buffer.concat(chunks)) })
      })
    })
    request.on('error', none)
  })
}

/** Returns the chain id of a node; undefined if it does not report one. */
export async function fetchChainId(rpcUrl: string): Promise<number | undefined> {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const limits = { server: 'the node', timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }
  const posted = await postJson(rpcUrl, request, limits)
  const result = posted.kind === 'response' && isRecord(posted.value) ? posted.value.result : null
  return typeof result === 'string' && /^0x[0-9a-f]{1,12}$/i.test(result)
    ? Number(result)
    : undefined
}

/**
 * Checks that a server can listen on a port, by listening briefly.
 *
 * @returns undefined if it can; otherwise the system's error code, such as EADDRINUSE, or ENOTFOUND for a name
 * without an address
 */
export function checkPort(host: string, port: number): Promise<string | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error) => resolve(errorCode(error) || 'ENOTFOUND'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

const TIMEOUT_MS = 5_000
const BYTES_MAX = 1024 * 1024
