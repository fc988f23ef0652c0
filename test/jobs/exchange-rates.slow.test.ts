// The job that fetches reference rates: when it runs, and that an invalid file changes nothing.
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scheduledJobs } from 'croner'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { drawRates, toRatesXml } from '../support/pricing/rate-files.ts'
import { SEED } from '../support/random.ts'
import { createTestApp } from '../support/test-app.ts'

const DAYS = drawRates(SEED, { until: '2025-11-21', days: 5 })
const NAME = 'fetch exchange rates'
const job = () => scheduledJobs.find(({ name }) => name === NAME)

/** Starts a server with a file of rates. Its clock is stopped on a Saturday, after Friday's rates. */
async function openServer() {
  const file = join(createTempFolder('cardstock-rates-'), 'eurofxref-hist-90d.xml')
  const put = (text: string) => writeFileSync(file, text)
  put(toRatesXml(DAYS))
  const env = { EXCHANGE_RATES_URL: pathToFileURL(file).href }
  const { deps, setClock } = await createTestApp({ onDisk: true, env })
  setClock('2025-11-22T12:00:00Z')
  const workers = createWorkers(deps)
  const start = () => {
    const jobs = startJobs(deps, workers)
    closeAfterUse(() => jobs.close())
    return ended()
  }
  const ended = async () => {
    while (workers.rates.isRunning()) await Bun.sleep(5)
  }
  const newest = () => deps.catalog.sources.rates.getNewestDay()
  const status = () => deps.jobs.list().find(({ name }) => name === NAME)
  return { deps, put, setClock, start, newest, status }
}

test('rates are fetched at the start, and then in the evening of Berlin until they are there', async () => {
  const { put, setClock, start, newest, status } = await openServer()
  await start()
  expect(newest()).toBe(parseDate('2025-11-21'))
  expect(status()).toMatchObject({ runs: 1, failures: 0 })
  const runs = job()?.nextRuns(16, new Date('2025-11-22T12:00:00Z')) ?? []
  const hours = runs.map((run) =>
    run.toLocaleTimeString('en-GB', { hour: '2-digit', timeZone: 'Europe/Berlin' }),
  )
  expect(hours.slice(0, 8)).toEqual(['16', '17', '18', '19', '20', '21', '22', '23'])
  expect(hours.slice(8)).toEqual(hours.slice(0, 8))

  // Nothing is due, so an invalid file is not even read.
  put('<html>')
  await job()?.trigger()
  expect(status()).toMatchObject({ runs: 2, failures: 0 })

  setClock('2025-11-24T16:30:00Z')
  await job()?.trigger()
  expect(status()).toMatchObject({ runs: 3, failures: 1 })
  put(toRatesXml(drawRates(SEED, { until: '2025-11-24', days: 1 })))
  await job()?.trigger()
  expect(newest()).toBe(parseDate('2025-11-24'))
  expect(status()).toMatchObject({ runs: 4, failures: 1 })
})

test('a wrong file is an error on the operator’s page, and leaves all rates unchanged', async () => {
  const { deps, put, setClock, start, newest } = await openServer()
  await start()
  setClock('2025-11-24T16:30:00Z')
  put(toRatesXml(DAYS).replace(/rate="1\./, 'rate="9.'))
  await job()?.trigger()
  expect(newest()).toBe(parseDate('2025-11-21'))
  const [error] = deps.errors.list()
  expect(error).toMatchObject({ event: 'exchange rates task failed' })
  expect(JSON.stringify(error)).toContain('Nothing was imported')
})

test('without a rate file there is no such job', async () => {
  const { deps } = await createTestApp()
  const jobs = startJobs(deps)
  closeAfterUse(() => jobs.close())
  expect(job()).toBeUndefined()
})
