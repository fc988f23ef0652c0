import type { TSchema } from '@sinclair/typebox'
import * as bulk from '../../../src/http/schemas/bulk.ts'
import * as shapes from '../../../src/http/schemas/catalog.ts'
import * as scan from '../../../src/http/schemas/identify.ts'
import * as operator from '../../../src/http/schemas/operator.ts'
import * as webhook from '../../../src/http/schemas/webhooks.ts'

const { card: CardSummary } =
  bulk.ResolvedNames.properties.results.items.properties.match.properties

/** What the shapes of the API document are called in the client. A shape without a name is written out. */
export const NAMES: Readonly<Record<string, TSchema>> = {
  Game: shapes.Game,
  CardSet: shapes.CardSet,
  Card: shapes.Card,
  Price: shapes.Price,
  PricedCard: shapes.CardWithPrices,
  SearchResult: shapes.SearchItem,
  MarketplaceCard: shapes.MarketplaceCard,
  SetPrice: shapes.SetPrice,
  HistoryPoint: shapes.SimplePoint,
  PrintingPoint: shapes.PrintingPoint,
  DetailedPoint: shapes.DetailedPoint,
  HistoryMeta: shapes.HistoryMeta,
  Mover: shapes.Mover,
  Meta: shapes.Paged,
  RateLimit: shapes.RateLimit,
  Freshness: shapes.Freshness,
  Account: shapes.AccountShape,
  Me: shapes.MeShape,
  ApiKey: shapes.KeyShape,
  NewApiKey: shapes.NewKeyShape,
  Usage: shapes.UsageShape,
  UsageDay: shapes.UsageShape.properties.days.items,
  PaymentLink: shapes.WayShape,
  Offers: shapes.OffersShape,
  PlanOffer: shapes.PlanShape,
  PackOffer: shapes.PackShape,
  SimplePrice: bulk.SimplePrice,
  BulkMeta: bulk.BulkMeta,
  BulkFile: bulk.BulkFileShape,
  BulkDataMeta: bulk.BulkDataMeta,
  CardSummary,
  ResolvedIds: bulk.ResolvedIds,
  ResolvedNames: bulk.ResolvedNames,
  PricedCollection: bulk.CollectionRows,
  Identification: scan.IdentificationShape,
  ReviewedIdentification: scan.ReviewedShape,
  Reading: scan.IdentificationShape.properties.read,
  Candidate: scan.IdentificationShape.properties.candidates.items,
  ScanMeta: scan.ScanMeta,
  ScanUsage: scan.ScanUsageShape,
  PaymentInfo: scan.PaymentInfo,
  OperatorStatus: operator.StatusShape,
  Watch: webhook.WatchShape,
  NewWatch: webhook.NewWatchShape,
  ChangedWatch: webhook.ChangedWatchShape,
  Delivery: webhook.DeliveryShape,
  Attempt: webhook.DeliveryShape.properties.attempts.items,
}
