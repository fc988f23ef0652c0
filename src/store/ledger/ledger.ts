import type { DailyCounts } from '../memory/daily-counts.ts'
import { type AccountStore, openAccountStore } from './accounts.ts'
import { type ChannelStore, openChannelStore } from './alerts/channels.ts'
import { type MessageStore, openMessageStore } from './alerts/messages.ts'
import { type NotificationStore, openNotificationStore } from './alerts/notifications.ts'
import type { PriceAlertStore, WebhookStore } from './alerts/price-rules.ts'
import { openRelayedAlertStore, type RelayedAlertStore } from './alerts/relayed-alerts.ts'
import { openPriceAlertStore, openWebhookStore } from './alerts/rule-kinds.ts'
import { type AttemptStore, openAttemptStore } from './attempts.ts'
import { type AuditStore, openAuditStore } from './audit.ts'
import { type BillingStore, openBillingStore } from './billing.ts'
import { type BillingReportStore, openBillingReportStore } from './billing-report.ts'
import { type CardReferenceStore, openCardReferenceStore } from './card-references.ts'
import { type CheckoutStore, openCheckoutStore } from './checkouts.ts'
import {
  type CollectionImportStore,
  openCollectionImportStore,
} from './collections/collection-imports.ts'
import {
  type CollectionShareStore,
  openCollectionShareStore,
} from './collections/collection-shares.ts'
import {
  type CollectionValuationStore,
  openCollectionValuationStore,
} from './collections/collection-valuations.ts'
import { type ImportDraftStore, openImportDraftStore } from './collections/import-drafts.ts'
import { type ImportRecordStore, openImportRecordStore } from './collections/import-records.ts'
import { type ItemBatchStore, openItemBatchStore } from './collections/item-batches.ts'
import { type ListItemStore, openListItemStore } from './collections/list-items.ts'
import { type ListStore, openListStore } from './collections/lists.ts'
import { type OwnedCopyStore, openOwnedCopyStore } from './collections/owned-copies.ts'
import { openScanItemStore, type ScanItemStore } from './collections/scan-items.ts'
import { openScanPhotoStore, type ScanPhotoStore } from './collections/scan-photos.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { CatalogVersionStore } from './fleet/postgres-catalog-versions.ts'
import type { ImportTurnStore } from './fleet/postgres-import-turns.ts'
import type { ServerReportStore } from './fleet/postgres-server-reports.ts'
import type { SyncRequestStore } from './fleet/postgres-sync-requests.ts'
import { type IdentificationStore, openIdentificationStore } from './identifications.ts'
import { type InvitationStore, openInvitationStore } from './invitations.ts'
import { type JobLeaseStore, openJobLeaseStore } from './job-leases.ts'
import { type AccessVersion, type KeyStore, openKeyStore } from './keys.ts'
import { type LoginPlaceStore, openLoginPlaceStore } from './login-places.ts'
import { type AccountAccessStore, openAccountAccessStore } from './logins/account-access.ts'
import { type IdentityStore, openIdentityStore } from './logins/identities.ts'
import { type MailedTokenStore, openMailedTokenStore } from './logins/mailed-tokens.ts'
import { openSetupTokenStore, type SetupTokenStore } from './logins/setup-tokens.ts'
import { openPaymentStore, type PaymentStore } from './payments.ts'
import {
  type AccountDeletionStore,
  openAccountDeletionStore,
} from './personal/account-deletions.ts'
import { openPersonalDataStore, type PersonalDataStore } from './personal/personal-data.ts'
import { openPhotoPaymentStore, type PhotoPaymentStore } from './photo-payments.ts'
import { openScanStore, type ScanStore } from './scans.ts'
import { openSessionStore, type SessionStore } from './sessions.ts'
import { openSettingStore, type SettingStore } from './settings.ts'
import { openSubscriptionStore, type SubscriptionStore } from './subscriptions.ts'
import { openUsageStore, type UsageStore } from './usage.ts'

/** The stores of the ledger. */
export type LedgerStores = {
  accounts: AccountStore
  accountAccess: AccountAccessStore
  accountDeletions: AccountDeletionStore
  identities: IdentityStore
  mailedTokens: MailedTokenStore
  personalData: PersonalDataStore
  keys: KeyStore
  invitations: InvitationStore
  sessions: SessionStore
  usage: UsageStore
  scans: ScanStore
  scanItems: ScanItemStore
  scanPhotos: ScanPhotoStore
  identifications: IdentificationStore
  cardReferences: CardReferenceStore
  photoPayments: PhotoPaymentStore
  attempts: AttemptStore
  loginPlaces: LoginPlaceStore
  audit: AuditStore
  billing: BillingStore
  billingReport: BillingReportStore
  payments: PaymentStore
  checkouts: CheckoutStore
  subscriptions: SubscriptionStore
  webhooks: WebhookStore
  priceAlerts: PriceAlertStore
  channels: ChannelStore
  relayedAlerts: RelayedAlertStore
  messages: MessageStore
  notifications: NotificationStore
  lists: ListStore
  listItems: ListItemStore
  itemBatches: ItemBatchStore
  ownedCopies: OwnedCopyStore
  collectionImports: CollectionImportStore
  importDrafts: ImportDraftStore
  importRecords: ImportRecordStore
  collectionShares: CollectionShareStore
  collectionValuations: CollectionValuationStore
  settings: SettingStore
  setupTokens: SetupTokenStore
  /** Used if servers share the ledger. */
  jobLeases: JobLeaseStore
  /** Deletes at most `limit` old operation ids of the database's engine. @returns their number */
  forgetOperations(limit: number): Promise<number>
}

/** Parts that exist only in the database of several servers. */
export type SharedLedger = {
  serverReports: ServerReportStore
  catalogVersions: CatalogVersionStore
  syncRequests: SyncRequestStore
  importTurns: ImportTurnStore
  /** Describes this server's connections, and its transactions since the start. */
  describeConnection(): LedgerConnection
}

export type LedgerConnection = {
  /** Milliseconds since the database last answered; Infinity if it never has. */
  silentMs: number
  /** Number of open connections, excluding the one that listens. */
  open: number
  /** Number of operations that wait for a connection. */
  waiting: number
  /** Number of transactions repeated because of conflicts. */
  repeated: number
}

/** All queries and writes on the ledger. */
export type Ledger = LedgerStores & {
  /** Undefined if the ledger is a file in the data folder. */
  shared: SharedLedger | undefined
  /** In the memory of this server, or shared like the ledger. */
  dailyCounts: DailyCounts
  /** Rejects if the ledger cannot be read; for a database of several servers, if it was silent for seconds. */
  probe(): Promise<void>
  /** Rejects if either a row or a file in the data folder cannot be written. Writes both. */
  probeWrite(): Promise<void>
  /** Closes the file or the connections. */
  close(): void | Promise<void>
}

/**
 * Opens the stores of the ledger on either database.
 *
 * @param access version of keys and tiers
 */
export function openLedgerStores(engine: LedgerEngine, access: AccessVersion): LedgerStores {
  return {
    accounts: openAccountStore(engine),
    accountAccess: openAccountAccessStore(engine, access),
    accountDeletions: openAccountDeletionStore(engine, access),
    identities: openIdentityStore(engine),
    mailedTokens: openMailedTokenStore(engine),
    personalData: openPersonalDataStore(engine),
    keys: openKeyStore(engine, access),
    invitations: openInvitationStore(engine),
    sessions: openSessionStore(engine),
    usage: openUsageStore(engine),
    scans: openScanStore(engine),
    scanItems: openScanItemStore(engine),
    scanPhotos: openScanPhotoStore(engine),
    identifications: openIdentificationStore(engine),
    cardReferences: openCardReferenceStore(engine),
    photoPayments: openPhotoPaymentStore(engine),
    attempts: openAttemptStore(engine),
    loginPlaces: openLoginPlaceStore(engine),
    audit: openAuditStore(engine),
    billing: openBillingStore(engine),
    billingReport: openBillingReportStore(engine),
    payments: openPaymentStore(engine),
    checkouts: openCheckoutStore(engine),
    subscriptions: openSubscriptionStore(engine),
    webhooks: openWebhookStore(engine),
    priceAlerts: openPriceAlertStore(engine),
    channels: openChannelStore(engine),
    relayedAlerts: openRelayedAlertStore(engine),
    messages: openMessageStore(engine),
    notifications: openNotificationStore(engine),
    lists: openListStore(engine),
    listItems: openListItemStore(engine),
    itemBatches: openItemBatchStore(engine),
    ownedCopies: openOwnedCopyStore(engine),
    collectionImports: openCollectionImportStore(engine),
    importDrafts: openImportDraftStore(engine),
    importRecords: openImportRecordStore(engine),
    collectionShares: openCollectionShareStore(engine),
    collectionValuations: openCollectionValuationStore(engine),
    settings: openSettingStore(engine),
    setupTokens: openSetupTokenStore(engine),
    jobLeases: openJobLeaseStore(engine),
    forgetOperations: engine.forgetOperations,
  }
}
