// The tables of ledger.db, by capability; see catalog/schema.ts.

export * from './schema/accounts.ts'
export * from './schema/alerts.ts'
export * from './schema/billing.ts'
export * from './schema/collections.ts'
export * from './schema/operations.ts'
export * from './schema/photos.ts'
export * from './schema/x402.ts'
