import type { Migration } from '../migrate.ts'
import accounts from './migrations/0001-accounts.sql' with { type: 'text' }
import accessVersion from './migrations/0002-access-version.sql' with { type: 'text' }
import sessions from './migrations/0003-sessions.sql' with { type: 'text' }
import scans from './migrations/0004-scans.sql' with { type: 'text' }
import billing from './migrations/0005-billing.sql' with { type: 'text' }
import photoPayments from './migrations/0006-photo-payments.sql' with { type: 'text' }
import webhooks from './migrations/0007-webhooks.sql' with { type: 'text' }
import operators from './migrations/0008-operators.sql' with { type: 'text' }
import loginPlaces from './migrations/0009-login-places.sql' with { type: 'text' }
import deliveryIndexes from './migrations/0010-delivery-indexes.sql' with { type: 'text' }
import installation from './migrations/0011-installation.sql' with { type: 'text' }
import subscriptionAnchor from './migrations/0012-subscription-anchor.sql' with { type: 'text' }
import emailSkeletons from './migrations/0013-email-skeletons.sql' with { type: 'text' }
import invitations from './migrations/0014-invitations.sql' with { type: 'text' }
import purgeIndexes from './migrations/0015-purge-indexes.sql' with { type: 'text' }
import usageGranted from './migrations/0016-usage-granted.sql' with { type: 'text' }
import jobLeases from './migrations/0017-job-leases.sql' with { type: 'text' }
import serviceSettings from './migrations/0018-service-settings.sql' with { type: 'text' }
import webhookConfidence from './migrations/0019-webhook-confidence.sql' with { type: 'text' }
import collections from './migrations/0020-collections.sql' with { type: 'text' }
import webhookCurrency from './migrations/0021-webhook-currency.sql' with { type: 'text' }
import priceAlerts from './migrations/0022-price-alerts.sql' with { type: 'text' }
import alertChannels from './migrations/0023-alert-channels.sql' with { type: 'text' }
import sessionOrigins from './migrations/0024-session-origins.sql' with { type: 'text' }
import deletedAccounts from './migrations/0025-deleted-accounts.sql' with { type: 'text' }
import logins from './migrations/0026-logins.sql' with { type: 'text' }
import scanSessions from './migrations/0027-scan-sessions.sql' with { type: 'text' }

/** Schema of `ledger.db`, oldest step first. The statements of a released step never change. */
export const LEDGER_MIGRATIONS: readonly Migration[] = [
  { name: '0001-accounts', sql: accounts },
  { name: '0002-access-version', sql: accessVersion },
  { name: '0003-sessions', sql: sessions },
  { name: '0004-scans', sql: scans },
  { name: '0005-billing', sql: billing },
  { name: '0006-photo-payments', sql: photoPayments },
  { name: '0007-webhooks', sql: webhooks },
  { name: '0008-operators', sql: operators },
  { name: '0009-login-places', sql: loginPlaces },
  { name: '0010-delivery-indexes', sql: deliveryIndexes },
  { name: '0011-installation', sql: installation },
  { name: '0012-subscription-anchor', sql: subscriptionAnchor },
  { name: '0013-email-skeletons', sql: emailSkeletons },
  { name: '0014-invitations', sql: invitations },
  { name: '0015-purge-indexes', sql: purgeIndexes },
  { name: '0016-usage-granted', sql: usageGranted },
  { name: '0017-job-leases', sql: jobLeases },
  { name: '0018-service-settings', sql: serviceSettings },
  { name: '0019-webhook-confidence', sql: webhookConfidence },
  { name: '0020-collections', sql: collections },
  { name: '0021-webhook-currency', sql: webhookCurrency },
  { name: '0022-price-alerts', sql: priceAlerts },
  { name: '0023-alert-channels', sql: alertChannels },
  { name: '0024-session-origins', sql: sessionOrigins },
  { name: '0025-deleted-accounts', sql: deletedAccounts },
  { name: '0026-logins', sql: logins },
  { name: '0027-scan-sessions', sql: scanSessions },
]
