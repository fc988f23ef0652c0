// The tables of catalog.db, by capability. Property = column = JSON field. The row types of hand-written statements
// derive from these tables, and tests compare both the migrations and the statements with them.

export * from './schema/alerts.ts'
export * from './schema/catalog.ts'
export * from './schema/matching.ts'
export * from './schema/movers.ts'
export * from './schema/photos.ts'
export * from './schema/pricing.ts'
export * from './schema/search.ts'
export * from './schema/sync.ts'
