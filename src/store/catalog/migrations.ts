import type { Migration } from '../migrate.ts'
import catalog from './migrations/0001-catalog.sql' with { type: 'text' }
import search from './migrations/0002-search.sql' with { type: 'text' }
import pictures from './migrations/0003-pictures.sql' with { type: 'text' }
import print from './migrations/0004-print.sql' with { type: 'text' }
import numberShapes from './migrations/0005-number-shapes.sql' with { type: 'text' }
import updatedAt from './migrations/0006-updated-at.sql' with { type: 'text' }
import names from './migrations/0007-names.sql' with { type: 'text' }
import alerts from './migrations/0008-alerts.sql' with { type: 'text' }
import installation from './migrations/0009-installation.sql' with { type: 'text' }
import lostGames from './migrations/0010-lost-games.sql' with { type: 'text' }
import basePrinting from './migrations/0011-base-printing.sql' with { type: 'text' }
import entities from './migrations/0012-entities.sql' with { type: 'text' }
import searchContexts from './migrations/0013-search-contexts.sql' with { type: 'text' }
import setKeys from './migrations/0014-set-keys.sql' with { type: 'text' }
import namePrices from './migrations/0015-name-prices.sql' with { type: 'text' }
import priceChanges from './migrations/0016-price-changes.sql' with { type: 'text' }
import searchByCard from './migrations/0017-search-by-card.sql' with { type: 'text' }
import syncReads from './migrations/0018-sync-reads.sql' with { type: 'text' }
import closedHistory from './migrations/0019-closed-history.sql' with { type: 'text' }
import priceSources from './migrations/0020-price-sources.sql' with { type: 'text' }
import exchangeRates from './migrations/0021-exchange-rates.sql' with { type: 'text' }
import sourceProducts from './migrations/0022-source-products.sql' with { type: 'text' }
import cardIds from './migrations/0023-card-ids.sql' with { type: 'text' }
import priceConfidence from './migrations/0024-price-confidence.sql' with { type: 'text' }
import sourceMovers from './migrations/0025-source-movers.sql' with { type: 'text' }

/** Schema of `catalog.db`, oldest step first. The statements of a released step never change. */
export const CATALOG_MIGRATIONS: readonly Migration[] = [
  { name: '0001-catalog', sql: catalog },
  { name: '0002-search', sql: search },
  { name: '0003-pictures', sql: pictures },
  { name: '0004-print', sql: print },
  { name: '0005-number-shapes', sql: numberShapes },
  { name: '0006-updated-at', sql: updatedAt },
  { name: '0007-names', sql: names },
  { name: '0008-alerts', sql: alerts },
  { name: '0009-installation', sql: installation },
  { name: '0010-lost-games', sql: lostGames },
  { name: '0011-base-printing', sql: basePrinting },
  { name: '0012-entities', sql: entities },
  { name: '0013-search-contexts', sql: searchContexts },
  { name: '0014-set-keys', sql: setKeys },
  { name: '0015-name-prices', sql: namePrices },
  { name: '0016-price-changes', sql: priceChanges },
  { name: '0017-search-by-card', sql: searchByCard },
  { name: '0018-sync-reads', sql: syncReads },
  { name: '0019-closed-history', sql: closedHistory },
  { name: '0020-price-sources', sql: priceSources },
  { name: '0021-exchange-rates', sql: exchangeRates },
  { name: '0022-source-products', sql: sourceProducts },
  { name: '0023-card-ids', sql: cardIds },
  { name: '0024-price-confidence', sql: priceConfidence },
  { name: '0025-source-movers', sql: sourceMovers },
]
