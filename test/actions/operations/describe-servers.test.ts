// Servers that share a ledger, as shown to their operator.
import { describe, expect, test } from 'bun:test'
import {
  describeServer,
  describeServers,
  isServerRunning,
  mergeErrors,
  mergeJobs,
  type ServerDescription,
  type ServerState,
  SILENT_MS,
} from '#actions/operations/describe-servers.ts'
import { getStatus } from '#actions/operations/get-status.ts'
import type { Deps } from '#deps.ts'
import type { AgedServerReport } from '#store/ledger/fleet/postgres-server-reports.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { LONE_SERVER } from '../../support/ledger/lone-server.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

const closers = closeAfterEach()

async function openServer(reports: readonly AgedServerReport[] = []): Promise<Deps> {
  const serverReports = { ...LONE_SERVER.serverReports, list: async () => [...reports] }
  const { deps, close } = await createTestApp({ shared: { ...LONE_SERVER, serverReports } })
  closers.push(close)
  return deps
}

type Job = ServerState['jobs'][number]

const jobOf = (job: Partial<Job>): Job => ({
  name: 'sync',
  is_running: false,
  runs: 0,
  failures: 0,
  last_started_at: null,
  last_ended_at: null,
  last_outcome: null,
  next_at: null,
  ...job,
})

const serverOf = (
  name: string,
  jobs: Partial<Job>[],
  { ageMs = 0, errors = [] }: { ageMs?: number; errors?: ServerState['errors'] } = {},
): ServerDescription => ({
  name,
  version: '1.0.0',
  startedAt: new Date(FROZEN_TIME),
  ageMs,
  state: { reader: 'ready', jobs: jobs.map(jobOf), errors },
})

describe('jobs of several servers', () => {
  test('are added up, with the outcome of the last run and the server that ran it', () => {
    const [job, ...rest] = mergeJobs([
      serverOf('one', [
        {
          runs: 3,
          failures: 2,
          last_outcome: 'failed',
          next_at: '2026-01-03T01:00:00.000Z',
          last_started_at: '2026-01-01T00:00:00.000Z',
          last_ended_at: '2026-01-01T00:01:00.000Z',
        },
      ]),
      serverOf('two', [
        {
          runs: 2,
          failures: 0,
          last_outcome: 'done',
          next_at: '2026-01-03T00:00:00.000Z',
          last_started_at: '2026-01-02T00:00:00.000Z',
          last_ended_at: '2026-01-02T00:01:00.000Z',
        },
      ]),
      serverOf('three', [{}]),
    ])
    expect(rest).toEqual([])
    expect(job).toEqual({
      name: 'sync',
      is_running: false,
      runs: 5,
      failures: 2,
      last_outcome: 'done',
      last_started_at: '2026-01-02T00:00:00.000Z',
      last_ended_at: '2026-01-02T00:01:00.000Z',
      next_at: '2026-01-03T00:00:00.000Z',
      server: 'two',
    })
  })

  test('run on one of them, but not on one that was killed', () => {
    const started = { last_started_at: '2026-01-02T00:00:00.000Z', is_running: true }
    const idle = serverOf('two', [{}])
    const isRunning = (ageMs: number) =>
      mergeJobs([idle, serverOf('one', [started], { ageMs })])[0]?.is_running
    expect([isRunning(SILENT_MS), isRunning(SILENT_MS + 1)]).toEqual([true, false])
  })
})

test('errors of several servers are the newest 50 of all', () => {
  const errorAt = (second: number) => ({
    at: new Date(1_800_000_000_000 + second * 1_000).toISOString(),
    event: 'e',
    message: '',
    request_id: null,
  })
  const servers = [0, 1].map((first) =>
    serverOf(`s${first}`, [], {
      errors: Array.from({ length: 50 }, (_, index) => errorAt(first + 2 * (49 - index))),
    }),
  )
  const merged = mergeErrors(servers)
  expect(merged).toHaveLength(50)
  expect(merged.slice(0, 3).map(({ at, server }) => [at, server])).toEqual([
    [errorAt(99).at, 's1'],
    [errorAt(98).at, 's0'],
    [errorAt(97).at, 's1'],
  ])
})

describe('the status of servers that share a ledger', () => {
  test('has the current state of this server first, and then the reports of the others', async () => {
    const alone = await openServer()
    const { state, version } = describeServer(alone)
    const report = { started_at: 0, state: JSON.stringify(state) }
    const deps = await openServer([
      { ...report, version, name: 'other:1', age_ms: 1_000 },
      { ...report, version, name: alone.serverName, age_ms: 4_000 },
      { ...report, version: '0.9.0', name: 'older:1', state: '{"jobs":7}', age_ms: SILENT_MS + 1 },
    ])
    deps.errors.add(deps.now(), 'it failed')
    const servers = await describeServers(deps)
    expect(servers.map(({ name, ageMs }) => [name, ageMs])).toEqual([
      [alone.serverName, 0],
      ['other:1', 1_000],
      ['older:1', SILENT_MS + 1],
    ])
    const status = await getStatus(deps)
    expect(status.servers?.map(({ name, is_silent, reader }) => [name, is_silent, reader])).toEqual(
      [
        [alone.serverName, false, 'ready'],
        ['other:1', false, 'ready'],
        ['older:1', true, null],
      ],
    )
    expect(status.servers?.[1]?.seen_at).toBe(new Date(deps.now().getTime() - 1_000).toISOString())
    expect(status.errors).toMatchObject([{ event: 'it failed', server: alone.serverName }])
  })

  test('has no servers without a shared ledger', async () => {
    const { deps, close } = await createTestApp()
    closers.push(close)
    deps.errors.add(deps.now(), 'it failed')
    const { servers, errors } = await getStatus(deps)
    expect(servers).toBeNull()
    expect(errors).toMatchObject([{ event: 'it failed', server: null }])
  })
})

test.each([
  [false, []],
  [true, [SILENT_MS]],
  [false, [SILENT_MS + 1]],
  [true, [SILENT_MS + 1, 0]],
])('a server is running: %p, if the reports have the ages %p', async (isRunning, ages) => {
  const server = { version: '1.0.0', started_at: 0, state: '{}' }
  const reports = ages.map((age_ms, index) => ({ ...server, name: `one:${index}`, age_ms }))
  expect(await isServerRunning(await openServer(reports))).toBe(isRunning)
})
