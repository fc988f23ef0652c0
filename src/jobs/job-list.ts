import { reconcileBilling, settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { refundOverdueScans } from '#actions/photos/maintain-scans.ts'
import { type PaymentSettler, recoverPendingPayments } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import { RATES_HOUR, RATES_TIMEZONE } from '#rules/pricing/rate-schedule.ts'
import { CARDMARKET_TIMEZONE } from '#rules/sync/cardmarket/import-schedule.ts'
import { type Job, runJob } from './job.ts'
import { hasBulkFilesToBuild, type Tasks } from './start-tasks.ts'

/** Lists the jobs that the settings turn on. */
export function listJobs(deps: Deps, settler: PaymentSettler, tasks: Tasks): Job[] {
  const { indexPictures, upstreamUrl, syncOnStart, backups, snapshots } = deps.config
  const { cardmarketUrl, exchangeRatesUrl } = deps.config
  const refund = () => refundOverdueScans(deps)
  const always: Job[] = [
    // Every hour: a server that is always off at one hour of the day would never purge.
    { name: 'purge the ledger', cron: '30 * * * *', run: () => tasks.maintain('purge') },
    {
      name: 'check scan balances',
      cron: '45 4 * * *',
      run: () => tasks.maintain('check balances'),
    },
    {
      name: 'check billing records',
      cron: '50 4 * * *',
      run: () => tasks.maintain('check billing'),
    },
    { name: 'refund overdue scans', cron: '*/5 * * * * *', run: refund, catchUp: refund },
    { name: 'settle subscriptions', cron: '* * * * *', run: () => settleSubscriptions(deps) },
  ]
  const reconcile = () => reconcileBilling(deps)
  const recover = () => recoverPendingPayments(deps, settler)
  const syncDue = () => tasks.sync({ due: true })
  const syncAtStart = () =>
    runJob(deps, { name: SYNC_DUE, run: () => tasks.sync(syncOnStart ? {} : { due: true }) })
  const optional: [isOn: boolean, Job][] = [
    [deps.stripe !== undefined, { name: 'reconcile billing', cron: '25 * * * *', run: reconcile }],
    [
      deps.x402 !== undefined,
      { name: 'recover photo payments', cron: '* * * * *', run: recover, catchUp: recover },
    ],
    // At once after an earlier run that was interrupted, a sample that was just loaded, or other networks.
    [
      indexPictures,
      {
        ...{ name: 'index pictures', cron: '15 * * * *', scope: 'leader' },
        ...{ run: tasks.index, catchUp: tasks.index },
      },
    ],
    [
      hasBulkFilesToBuild(deps.config),
      {
        ...{ name: 'build bulk files', cron: '40 * * * *', scope: 'leader' },
        ...{ run: tasks.build, catchUp: tasks.build },
      },
    ],
    [
      snapshots !== undefined,
      {
        ...{ name: 'publish snapshots', cron: '55 * * * *', scope: 'leader' },
        ...{ run: tasks.publish, catchUp: tasks.publish },
      },
    ],
    // At once also for a server that never runs for an hour.
    [
      backups !== undefined,
      {
        ...{ name: 'back up', cron: '7 * * * *', scope: 'leader' },
        ...{ run: tasks.backUp, catchUp: tasks.backUp },
      },
    ],
    // A game that is due stays due, so each hour also retries what failed or could not run.
    [
      upstreamUrl !== undefined,
      { name: SYNC_DUE, cron: '0 * * * *', scope: 'leader', run: syncDue, catchUp: syncAtStart },
    ],
    // Due once a day. Each hour also retries what failed; the minute spreads the requests of installations.
    [
      cardmarketUrl !== undefined,
      {
        ...{ name: 'import Cardmarket prices', cron: `${randomMinute()} * * * *`, scope: 'leader' },
        ...{ timezone: CARDMARKET_TIMEZONE },
        ...{ run: tasks.importCardmarket, catchUp: tasks.importCardmarket },
      },
    ],
  ]
  const fetchRates = () => runJob(deps, { name: FETCH_RATES, run: tasks.fetchRates })
  if (exchangeRatesUrl !== undefined) {
    // Hourly, also at the weekend: each hour retries what failed or was not published yet.
    const cron = `${RATES_MINUTE} ${RATES_HOUR}-23 * * *`
    always.push({
      ...{ name: FETCH_RATES, cron, timezone: RATES_TIMEZONE, scope: 'leader' },
      ...{ run: tasks.fetchRates, catchUp: fetchRates },
    })
  }
  return [...always, ...optional.flatMap(([isOn, job]) => (isOn ? [job] : []))]
}

function randomMinute(): number {
  return Math.floor(Math.random() * 60)
}

export const SYNC_DUE = 'sync games that are due'

const FETCH_RATES = 'fetch exchange rates'

/** A minute of this process alone, so that many servers do not request the file at the same moment. */
const RATES_MINUTE = 5 + Math.floor(Math.random() * 50)
