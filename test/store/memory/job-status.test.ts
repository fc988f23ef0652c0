import { expect, test } from 'bun:test'
import { createJobRegistry } from '#store/memory/job-status.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 21, minute))

test('a job is listed before its first run', () => {
  const jobs = createJobRegistry()
  jobs.register('sync')
  expect(jobs.list()).toMatchObject([{ name: 'sync', runs: 0, failures: 0 }])
})

test('runs and failures are counted, with the time of the last of each', () => {
  const jobs = createJobRegistry()
  jobs.started('sync', at(0))
  expect(jobs.list()[0]).toMatchObject({ running_since: at(0), runs: 0 })
  jobs.finished('sync', at(1), 'done')
  jobs.started('sync', at(2))
  jobs.finished('sync', at(3), 'failed')
  expect(jobs.list()).toEqual([
    {
      name: 'sync',
      runs: 2,
      failures: 1,
      running_since: undefined,
      last_started_at: at(2),
      last_success_at: at(1),
      last_failure_at: at(3),
      next_at: undefined,
    },
  ])
})

test('the next run of a job is computed for each list', () => {
  const jobs = createJobRegistry()
  let next = at(5)
  jobs.register('sync', () => next)
  expect(jobs.list()[0]?.next_at).toEqual(at(5))
  next = at(6)
  expect(jobs.list()[0]?.next_at).toEqual(at(6))
})
