// Commands about the data folder.
import { CARDS_MIN } from '../tools/seed/catalog-plan.ts'
import { defineCommand, JSON_OPTION } from './definition.ts'

export const BACKUP = defineCommand({
  name: 'backup',
  summary: 'Copies the data folder while the server runs, and checks the copy',
  details:
    'Copies both database files and the secret of DATA_DIR to DIR/cardstock-TIME. Creates DIR if it does not exist; use another disk. A ledger on PostgreSQL (LEDGER_URL) is not copied: its own tools back it up.',
  arguments: {
    dir: { kind: 'folder', about: 'folder of the backups', isRequired: true },
  },
  options: JSON_OPTION,
  examples: ['backup /mnt/backups'],
})

export const RESTORE = defineCommand({
  name: 'restore',
  summary: 'Restores a backup, or the catalog from the bucket, into DATA_DIR',
  details:
    'Checks the backup first. Stop every program that uses DATA_DIR before you run it. If DIR holds several backups, restores the newest.',
  arguments: {
    dir: { kind: 'folder', about: 'a backup, or a folder of backups' },
  },
  options: {
    snapshot: {
      kind: 'flag',
      about: 'restore the catalog alone, from the bucket of SNAPSHOTS_URL or CATALOG_FROM',
    },
    version: {
      kind: 'number',
      about: 'a version that the bucket still has; by default the newest',
    },
    force: { kind: 'flag', about: 'replace existing files' },
    ...JSON_OPTION,
  },
  exactlyOne: ['dir', 'snapshot'],
  examples: ['restore /mnt/backups', 'restore --snapshot --force'],
})

export const SEED = defineCommand({
  name: 'seed',
  summary: 'Fills DATA_DIR with a generated catalog of any size, for trials and measurements',
  details: 'Equal options give equal catalogs.',
  options: {
    cards: {
      kind: 'number',
      min: CARDS_MIN,
      default: 2000,
      about: `number of cards, at least ${CARDS_MIN}`,
    },
    days: { kind: 'number', default: 40, about: 'days of price history' },
    seed: { kind: 'number', default: 1, about: 'number that selects one of the possible catalogs' },
    until: { kind: 'day', about: 'last day of prices; yesterday without this option' },
    force: { kind: 'flag', about: 'replace the existing catalog; stop the server first' },
    ...JSON_OPTION,
  },
  examples: ['seed', 'seed --cards 500000 --days 365'],
})
