import type { TSchema } from '@sinclair/typebox'
import * as bulk from '../../../src/http/schemas/bulk.ts'
import * as shapes from '../../../src/http/schemas/catalog.ts'
import * as scan from '../../../src/http/schemas/identify.ts'
import * as operator from '../../../src/http/schemas/operator.ts'
import * as webhook from '../../../src/http/schemas/webhooks.ts'

const { card: NamedCard, prices } = bulk.ResolvedIdsSchema.properties.resolved.items.properties
const { card: CardSummary } =
  bulk.ResolvedNamesSchema.properties.results.items.properties.match.properties

/** Type names of API schemas in the client. A schema without a name is written out where it is used. */
export const TYPE_NAMES: Readonly<Record<string, TSchema>> = {
  Game: shapes.GameSchema,
  CardSet: shapes.CardSetSchema,
  Card: shapes.CardSchema,
  Price: shapes.PriceSchema,
  PricedCard: shapes.CardWithPricesSchema,
  SearchResult: shapes.SearchItemSchema,
  MarketplaceCard: shapes.MarketplaceCardSchema,
  SetPrice: shapes.SetPriceSchema,
  HistoryPoint: shapes.SimplePointSchema,
  PrintingPoint: shapes.PrintingPointSchema,
  DetailedPoint: shapes.DetailedPointSchema,
  HistoryMeta: shapes.HistoryMetaSchema,
  Mover: shapes.MoverSchema,
  Meta: shapes.PagingSchema,
  RateLimit: shapes.RateLimitSchema,
  Freshness: shapes.FreshnessSchema,
  Account: shapes.AccountSchema,
  Me: shapes.MeSchema,
  ApiKey: shapes.KeySchema,
  NewApiKey: shapes.NewKeySchema,
  Usage: shapes.UsageSchema,
  UsageDay: shapes.UsageSchema.properties.days.items,
  PaymentLink: shapes.PaymentLinkSchema,
  Offers: shapes.OffersSchema,
  PlanOffer: shapes.PlanSchema,
  PackOffer: shapes.PackSchema,
  SimplePrice: bulk.SimplePriceSchema,
  BulkMeta: bulk.BulkMetaSchema,
  BulkFile: bulk.BulkFileSchema,
  BulkDataMeta: bulk.BulkDataMetaSchema,
  NamedCard,
  CardSummary,
  PrintingPrice: prices.items,
  ResolvedIds: bulk.ResolvedIdsSchema,
  ResolvedNames: bulk.ResolvedNamesSchema,
  PricedCollection: bulk.CollectionRowsSchema,
  Identification: scan.IdentificationSchema,
  ReviewedIdentification: scan.ReviewedSchema,
  Reading: scan.IdentificationSchema.properties.read,
  Candidate: scan.IdentificationSchema.properties.candidates.items,
  ScanMeta: scan.ScanMetaSchema,
  ScanUsage: scan.ScanUsageSchema,
  PaymentInfo: scan.PaymentInfoSchema,
  OperatorStatus: operator.StatusSchema,
  Webhook: webhook.WebhookSchema,
  CreatedWebhook: webhook.NewWebhookSchema,
  UpdatedWebhook: webhook.UpdatedWebhookSchema,
  Delivery: webhook.DeliverySchema,
  DeliveryAttempt: webhook.DeliverySchema.properties.attempts.items,
}
