import type { Migration } from '../migrate.ts'
import baseline from './baseline.sql' with { type: 'text' }

/** Schema of `catalog.db`: the baseline, then the steps of later releases. Released steps never change. */
export const CATALOG_MIGRATIONS: readonly Migration[] = [{ name: '0001-baseline', sql: baseline }]
