// Generated from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change src/http/schemas and generate it again.

/** Input and response of each endpoint. An input that is missing here is not accepted. */
export type Endpoints = {
  /** List games. */
  'GET /v1/games': {
    query: { page?: number; per_page?: number; fields?: string }
    response: ListGamesResponse
  }
  /** Get a game. */
  'GET /v1/games/{slug}': {
    path: { slug: string }
    response: GetGameResponse
  }
  /** List the sets of a game, newest first. */
  'GET /v1/games/{slug}/sets': {
    path: { slug: string }
    query: { updated_after?: string; page?: number; per_page?: number; fields?: string }
    response: ListGameSetsResponse
  }
  /** List sets, newest first. */
  'GET /v1/sets': {
    query: {
      q?: string
      code?: string
      game?: string
      updated_after?: string
      page?: number
      per_page?: number
      fields?: string
    }
    response: ListSetsResponse
  }
  /** Get a set. */
  'GET /v1/sets/{id}': {
    path: { id: number }
    response: GetSetResponse
  }
  /** List the cards of a set with their prices, by collector number. */
  'GET /v1/sets/{id}/cards': {
    path: { id: number }
    query: {
      type?: 'Cards' | 'Sealed Products'
      rarity?: string
      printing?: string
      sort?: 'number' | 'name' | 'price_asc' | 'price_desc' | 'change_asc' | 'change_desc'
      updated_after?: string
      page?: number
      per_page?: number
      currency?: string
      source?: string
      include?: string
      fields?: string
    }
    response: ListSetCardsResponse
  }
  /** Get the value of a set, with its rarities and printings. */
  'GET /v1/sets/{id}/summary': {
    path: { id: number }
    query: { currency?: string; source?: string }
    response: GetSetSummaryResponse
  }
  /** Get the value of a set by day. */
  'GET /v1/sets/{id}/history': {
    path: { id: number }
    query: { range?: 'month' | 'quarter' | 'year' | 'all'; currency?: string; source?: string }
    response: GetSetHistoryResponse
  }
  /** List all prices of a set, one per printing. */
  'GET /v1/sets/{id}/prices': {
    path: { id: number }
    query: {
      type?: 'Cards' | 'Sealed Products'
      updated_after?: string
      currency?: string
      source?: string
      include?: string
      fields?: string
    }
    response: ListSetPricesResponse
  }
  /** Get a card. */
  'GET /v1/cards/{id}': {
    path: { id: number }
    query: { currency?: string; source?: string; include?: string }
    response: GetCardResponse
  }
  /** Get a card by its marketplace product ID. */
  'GET /v1/cards/marketplace/{marketplace_id}': {
    path: { marketplace_id: number }
    query: { currency?: string; source?: string; include?: string }
    response: GetCardByMarketplaceIdResponse
  }
  /** List the cards of the same name in other sets, newest first. */
  'GET /v1/cards/{id}/reprints': {
    path: { id: number }
    query: { page?: number; per_page?: number; currency?: string; source?: string; fields?: string }
    response: ListCardReprintsResponse
  }
  /** Get a card by its ID in another system. */
  'GET /v1/cards/by-id/{system}/{id}': {
    path: { system: string; id: string }
    query: { currency?: string; source?: string; include?: string }
    response: GetCardByExternalIdResponse
  }
  /** Get the current prices of a card. */
  'GET /v1/cards/{id}/prices': {
    path: { id: number }
    query: {
      printing?: string
      all?: 'true' | 'false'
      currency?: string
      source?: string
      include?: string
    }
    response: GetCardPricesResponse
  }
  /** Get the price history of a card. */
  'GET /v1/cards/{id}/history': {
    path: { id: number }
    query: {
      range?: 'month' | 'quarter' | 'year' | 'all'
      printing?: string
      currency?: string
      source?: string
    }
    response: GetCardHistoryResponse
  }
  /** Get the full price history of a card, per printing, with sales. */
  'GET /v1/cards/{id}/history/detailed': {
    path: { id: number }
    query: { printing?: string; currency?: string; source?: string }
    response: GetDetailedCardHistoryResponse
  }
  /** Search cards and sealed products. */
  'GET /v1/search': {
    query: {
      q: string
      game?: string
      set_id?: number
      rarity?: string
      printing?: string
      min_price?: number
      max_price?: number
      sort?:
        | 'relevance'
        | 'price_asc'
        | 'price_desc'
        | 'name'
        | 'change_desc'
        | 'change_asc'
        | 'newest'
      type?: 'Cards' | 'Sealed Products'
      page?: number
      per_page?: number
      currency?: string
      source?: string
      include?: string
      fields?: string
    }
    response: SearchCardsResponse
  }
  /** List the printings whose price rose or fell most. */
  'GET /v1/prices/top-movers': {
    query: {
      game?: string
      direction?: 'up' | 'down'
      period?: '24h' | '7d' | '30d'
      printing?: string
      type?: 'Cards' | 'Sealed Products'
      min_confidence?: 'high' | 'medium' | 'low'
      limit?: number
      currency?: string
      source?: string
      include?: string
      fields?: string
    }
    response: ListTopMoversResponse
  }
  /** List cards that were removed, restored, moved or merged, newest first. */
  'GET /v1/migrations': {
    query: {
      since?: string
      kind?: 'removed' | 'restored' | 'moved' | 'merged'
      page?: number
      per_page?: number
      fields?: string
    }
    response: ListMigrationsResponse
  }
  /** Get the current prices of up to 500 cards. */
  'GET /v1/bulk/prices': {
    query: { ids: string; currency?: string; source?: string; include?: string; fields?: string }
    response: GetBulkPricesResponse
  }
  /** Get up to 100 cards with their prices. */
  'GET /v1/bulk/cards': {
    query: { ids: string; currency?: string; source?: string; include?: string; fields?: string }
    response: GetBulkCardsResponse
  }
  /** Get the price history of up to 50 cards. */
  'GET /v1/bulk/history': {
    query: { ids: string; range?: 'month' | 'quarter' | 'year'; currency?: string; source?: string }
    response: GetBulkHistoryResponse
  }
  /** Download all cards and prices of a set. */
  'GET /v1/export/set/{id}': {
    path: { id: number }
    query: { format?: 'json' | 'csv'; currency?: string; source?: string; include?: string }
    response: Blob
  }
  /** Match marketplace product IDs to cards with their prices. */
  'POST /v1/bulk/resolve/marketplace': {
    query: { currency?: string; source?: string; include?: string }
    body: ResolveMarketplaceIdsRequest
    response: ResolveMarketplaceIdsResponse
  }
  /** Match card names to cards with their prices. */
  'POST /v1/bulk/resolve/name': {
    query: { currency?: string; source?: string; include?: string }
    body: ResolveNamesRequest
    response: ResolveNamesResponse
  }
  /** Match the CSV export of a collection app to cards, with prices and its total value. */
  'POST /v1/bulk/resolve/csv': {
    query: {
      game?: string
      format?: 'json' | 'csv'
      currency?: string
      source?: string
      include?: string
    }
    body: Blob | FormData
    response: Blob | ResolveCsvResponse
  }
  /** Match a pasted deck list or plain list to cards, with prices and its total value. */
  'POST /v1/bulk/resolve/list': {
    query: {
      game?: string
      format?: 'json' | 'csv'
      currency?: string
      source?: string
      include?: string
    }
    body: string | ResolveListRequest | FormData
    response: Blob | ResolveListResponse
  }
  /** List the files of the whole catalog. */
  'GET /v1/bulk-data': {
    response: ListBulkFilesResponse
  }
  /** Download a file of all games. */
  'GET /v1/bulk-data/{version}/all/{name}': {
    path: { version: number; name: string }
    response: Blob
  }
  /** Download a file of a game's cards or prices. */
  'GET /v1/bulk-data/{version}/{game}/{name}': {
    path: { version: number; game: string; name: string }
    response: Blob
  }
  /** Get the version and freshness of the data. */
  'GET /v1/meta': {
    response: GetFreshnessResponse
  }
  /** Get the terms of paying for one photo without an account. */
  'GET /v1/x402/info': {
    response: GetPaymentInfoResponse
  }
  /** Create an account. */
  'POST /v1/auth/register': {
    body: RegisterAccountRequest
    response: RegisterAccountResponse
  }
  /** Create the operator’s account of a new server. */
  'POST /v1/auth/setup': {
    body: SetUpOperatorRequest
    response: SetUpOperatorResponse
  }
  /** Log in. */
  'POST /v1/auth/login': {
    body: LogInRequest
    response: LogInResponse
  }
  /** Log out. */
  'POST /v1/auth/logout': {
    query: { all?: 'true' | 'false' }
    response: LogOutResponse
  }
  /** Get the account and its sessions. */
  'GET /v1/auth/me': {
    response: GetAccountResponse
  }
  /** Change the password. */
  'POST /v1/auth/password': {
    body: ChangePasswordRequest
    response: ChangePasswordResponse
  }
  /** End all other sessions. */
  'DELETE /v1/auth/sessions': {
    response: EndOtherSessionsResponse
  }
  /** End a session. */
  'DELETE /v1/auth/sessions/{session_id}': {
    path: { session_id: string }
    response: EndSessionResponse
  }
  /** Export everything that the account has. */
  'GET /v1/auth/export': {
    response: Blob
  }
  /** Delete the account and all of its data. */
  'POST /v1/auth/delete': {
    body: DeleteAccountRequest
    response: DeleteAccountResponse
  }
  /** Request a mail to set a new password. */
  'POST /v1/auth/reset': {
    body: RequestPasswordResetRequest
    response: RequestPasswordResetResponse
  }
  /** Set a new password with the token of a mail. */
  'POST /v1/auth/reset/password': {
    body: ResetPasswordRequest
    response: ResetPasswordResponse
  }
  /** Request a mail to confirm an e-mail address. */
  'POST /v1/auth/confirmation': {
    body: RequestEmailConfirmationRequest
    response: RequestEmailConfirmationResponse
  }
  /** Confirm an e-mail address with the token of a mail. */
  'POST /v1/auth/confirm': {
    body: ConfirmEmailRequest
    response: ConfirmEmailResponse
  }
  /** Begin a login with the login provider. */
  'POST /v1/auth/provider': {
    body: BeginProviderLoginRequest | undefined
    response: BeginProviderLoginResponse
  }
  /** End the link to the login provider. */
  'DELETE /v1/auth/provider': {
    response: UnlinkProviderResponse
  }
  /** List API keys. */
  'GET /v1/keys': {
    response: ListApiKeysResponse
  }
  /** Create an API key. */
  'POST /v1/keys': {
    body: CreateApiKeyRequest | undefined
    response: CreateApiKeyResponse
  }
  /** Deactivate an API key. */
  'DELETE /v1/keys/{id}': {
    path: { id: string }
    response: DeactivateApiKeyResponse
  }
  /** Get the usage of the last 30 days. */
  'GET /v1/usage': {
    response: GetUsageResponse
  }
  /** List plans and packs of scans with their prices. */
  'GET /v1/plans': {
    response: ListPlansResponse
  }
  /** Create a checkout for a plan or a pack of scans. */
  'POST /v1/payments/create-checkout': {
    body: CreateCheckoutRequest
    response: CreateCheckoutResponse
  }
  /** Get a link to manage the subscription. */
  'POST /v1/payments/portal': {
    response: CreatePortalLinkResponse
  }
  /** Create a collection or a wish list. */
  'POST /v1/collections': {
    body: CreateCollectionRequest
    response: CreateCollectionResponse
  }
  /** List collections and wish lists, oldest first. */
  'GET /v1/collections': {
    query: { currency?: string }
    response: ListCollectionsResponse
  }
  /** Get a collection. */
  'GET /v1/collections/{id}': {
    path: { id: string }
    query: { currency?: string }
    response: GetCollectionResponse
  }
  /** Rename a collection. */
  'PATCH /v1/collections/{id}': {
    path: { id: string }
    body: UpdateCollectionRequest
    response: UpdateCollectionResponse
  }
  /** Delete a collection with its items and its link. */
  'DELETE /v1/collections/{id}': {
    path: { id: string }
    response: DeleteCollectionResponse
  }
  /** Create the link of a collection. */
  'POST /v1/collections/{id}/share': {
    path: { id: string }
    response: ShareCollectionResponse
  }
  /** End the link of a collection. */
  'DELETE /v1/collections/{id}/share': {
    path: { id: string }
    response: UnshareCollectionResponse
  }
  /** Get a collection by its link. */
  'GET /v1/shared/{token}': {
    path: { token: string }
    query: {
      sort?: 'added_desc' | 'added_asc' | 'name' | 'value_desc' | 'value_asc'
      page?: number
      per_page?: number
      currency?: string
    }
    response: GetSharedCollectionResponse
  }
  /** List the items of a collection. */
  'GET /v1/collections/{id}/items': {
    path: { id: string }
    query: {
      game?: string
      set_id?: number
      sort?: 'added_desc' | 'added_asc' | 'name' | 'value_desc' | 'value_asc'
      page?: number
      per_page?: number
      currency?: string
    }
    response: ListCollectionItemsResponse
  }
  /** Add up to 100 items. */
  'POST /v1/collections/{id}/items': {
    path: { id: string }
    body: AddCollectionItemsRequest
    response: AddCollectionItemsResponse
  }
  /** Change an item. */
  'PATCH /v1/collections/{id}/items/{item_id}': {
    path: { id: string; item_id: string }
    body: UpdateCollectionItemRequest
    response: UpdateCollectionItemResponse
  }
  /** Delete an item. */
  'DELETE /v1/collections/{id}/items/{item_id}': {
    path: { id: string; item_id: string }
    query: { revision?: number }
    response: DeleteCollectionItemResponse
  }
  /** Import the export of a collection app, or a list. */
  'POST /v1/collections/{id}/import': {
    path: { id: string }
    query: { game?: string; again?: 'true' | 'false' }
    body: Blob | FormData
    response: ImportCollectionResponse
  }
  /** Download a collection as a file. */
  'GET /v1/collections/{id}/export': {
    path: { id: string }
    query: {
      format?:
        | 'full'
        | 'tcgplayer'
        | 'moxfield'
        | 'manabox'
        | 'archidekt'
        | 'deckbox'
        | 'dragon_shield'
    }
    response: Blob
  }
  /** Download all collections and wish lists as one file. */
  'GET /v1/collections/export': {
    response: Blob
  }
  /** Get the value of a collection. */
  'GET /v1/collections/{id}/summary': {
    path: { id: string }
    query: { currency?: string }
    response: GetCollectionSummaryResponse
  }
  /** Get the value of a collection over time. */
  'GET /v1/collections/{id}/history': {
    path: { id: string }
    query: { range?: 'month' | 'quarter' | 'year' | 'all'; currency?: string }
    response: GetCollectionHistoryResponse
  }
  /** Get how complete the sets of a collection are. */
  'GET /v1/collections/{id}/completion': {
    path: { id: string }
    query: { page?: number; per_page?: number; currency?: string }
    response: GetCollectionCompletionResponse
  }
  /** Create a price alert. */
  'POST /v1/alerts': {
    body: CreateAlertRequest
    response: CreateAlertResponse
  }
  /** List price alerts, oldest first. */
  'GET /v1/alerts': {
    query: { card_id?: number }
    response: ListAlertsResponse
  }
  /** Get a price alert. */
  'GET /v1/alerts/{id}': {
    path: { id: string }
    response: GetAlertResponse
  }
  /** Update a price alert. */
  'PATCH /v1/alerts/{id}': {
    path: { id: string }
    body: UpdateAlertRequest
    response: UpdateAlertResponse
  }
  /** Delete a price alert. */
  'DELETE /v1/alerts/{id}': {
    path: { id: string }
    response: DeleteAlertResponse
  }
  /** List notifications of the last 30 days, newest first. */
  'GET /v1/notifications': {
    query: { page?: number; per_page?: number }
    response: ListNotificationsResponse
  }
  /** Mark notifications as read. */
  'POST /v1/notifications/read': {
    body: ReadNotificationsRequest | undefined
    response: ReadNotificationsResponse
  }
  /** Add a channel for alerts. */
  'POST /v1/channels': {
    body: CreateChannelRequest
    response: CreateChannelResponse
  }
  /** List channels for alerts, oldest first. */
  'GET /v1/channels': {
    response: ListChannelsResponse
  }
  /** Pause or resume a channel. */
  'PATCH /v1/channels/{id}': {
    path: { id: string }
    body: UpdateChannelRequest
    response: UpdateChannelResponse
  }
  /** Delete a channel with its messages. */
  'DELETE /v1/channels/{id}': {
    path: { id: string }
    response: DeleteChannelResponse
  }
  /** Send a test to a channel. */
  'POST /v1/channels/{id}/test': {
    path: { id: string }
    response: TestChannelResponse
  }
  /** Send the mail that confirms an address again. */
  'POST /v1/channels/{id}/confirmation': {
    path: { id: string }
    response: RequestChannelConfirmationResponse
  }
  /** Get the hour of the daily digest. */
  'GET /v1/alert-preferences': {
    response: GetAlertPreferencesResponse
  }
  /** Choose a daily digest, or single messages. */
  'PATCH /v1/alert-preferences': {
    body: UpdateAlertPreferencesRequest
    response: UpdateAlertPreferencesResponse
  }
  /** Unsubscribe by the link of a message. */
  'POST /v1/unsubscribe/{unsubscribe_token}': {
    path: { unsubscribe_token: string }
    response: UnsubscribeChannelResponse
  }
  /** Confirm a mail address by the link that it got. */
  'POST /v1/confirm/{confirm_token}': {
    path: { confirm_token: string }
    response: ConfirmChannelResponse
  }
  /** Create a webhook for a price alert. */
  'POST /v1/webhooks': {
    body: CreateWebhookRequest
    response: CreateWebhookResponse
  }
  /** List webhooks. */
  'GET /v1/webhooks': {
    response: ListWebhooksResponse
  }
  /** Get a webhook. */
  'GET /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    response: GetWebhookResponse
  }
  /** Update a webhook. */
  'PATCH /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    body: UpdateWebhookRequest
    response: UpdateWebhookResponse
  }
  /** Delete a webhook. */
  'DELETE /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    response: DeleteWebhookResponse
  }
  /** List the deliveries of a webhook, newest first. */
  'GET /v1/webhooks/{webhook_id}/deliveries': {
    path: { webhook_id: string }
    query: { page?: number; per_page?: number }
    response: ListWebhookDeliveriesResponse
  }
  /** Send a test delivery. */
  'POST /v1/webhooks/{webhook_id}/test': {
    path: { webhook_id: string }
    response: SendTestDeliveryResponse
  }
  /** Redeliver a delivery. */
  'POST /v1/webhooks/{webhook_id}/redeliver/{delivery_id}': {
    path: { webhook_id: string; delivery_id: string }
    response: RedeliverWebhookResponse
  }
  /** Get the status of the service. */
  'GET /v1/operator/status': {
    response: GetOperatorStatusResponse
  }
  /** Start a sync. */
  'POST /v1/operator/sync': {
    body: StartSyncRequest | undefined
    response: StartSyncResponse
  }
  /** Get the settings of the service. */
  'GET /v1/operator/settings': {
    response: GetSettingsResponse
  }
  /** Change settings of the service. */
  'POST /v1/operator/settings': {
    body: ChangeSettingsRequest | undefined
    response: ChangeSettingsResponse
  }
  /** Identify a card from one photo. */
  'POST /v1/identify': {
    query: {
      game?: string
      include?: 'prices' | 'confidence' | 'prices,confidence'
      currency?: string
      source?: string
    }
    body: FormData | IdentifyCardRequest | Blob
    response: IdentifyCardResponse
  }
  /** Identify the cards of one photo. */
  'POST /v1/identify/page': {
    query: {
      game?: string
      include?: 'prices' | 'confidence' | 'prices,confidence'
      currency?: string
      source?: string
      max_scans?: number
    }
    body: FormData | IdentifyPageRequest | Blob
    response: IdentifyPageResponse
  }
  /** Get the scan balance and usage. */
  'GET /v1/identify/usage': {
    response: GetScanUsageResponse
  }
  /** Get an identification. */
  'GET /v1/identify/{id}': {
    path: { id: string }
    response: GetIdentificationResponse
  }
  /** Report the correct card. */
  'POST /v1/identify/{id}/feedback': {
    path: { id: string }
    body: SendIdentificationFeedbackRequest
    response: SendIdentificationFeedbackResponse
  }
  /** Create a scan session. */
  'POST /v1/scan-sessions': {
    body: CreateScanSessionRequest | undefined
    response: CreateScanSessionResponse
  }
  /** List scan sessions, last changed first. */
  'GET /v1/scan-sessions': {
    query: { page?: number; per_page?: number }
    response: ListScanSessionsResponse
  }
  /** Get a scan session with its totals. */
  'GET /v1/scan-sessions/{id}': {
    path: { id: string }
    query: { currency?: string }
    response: GetScanSessionResponse
  }
  /** Rename a scan session. */
  'PATCH /v1/scan-sessions/{id}': {
    path: { id: string }
    body: UpdateScanSessionRequest
    response: UpdateScanSessionResponse
  }
  /** Delete a scan session with its items. */
  'DELETE /v1/scan-sessions/{id}': {
    path: { id: string }
    response: DeleteScanSessionResponse
  }
  /** Identify a photo and add its cards to a scan session. */
  'POST /v1/scan-sessions/{id}/photos/{photo}': {
    path: { id: string; photo: string }
    query: { page?: 'true' | 'false'; game?: string; max_scans?: number; currency?: string }
    body: FormData | AddScanSessionPhotoRequest | Blob
    response: AddScanSessionPhotoResponse
  }
  /** List the items of a scan session. */
  'GET /v1/scan-sessions/{id}/items': {
    path: { id: string }
    query: { review?: 'open' | 'done'; page?: number; per_page?: number; currency?: string }
    response: ListScanSessionItemsResponse
  }
  /** Correct or confirm an item. */
  'PATCH /v1/scan-sessions/{id}/items/{item}': {
    path: { id: string; item: string }
    body: UpdateScanSessionItemRequest
    response: UpdateScanSessionItemResponse
  }
  /** Delete an item. */
  'DELETE /v1/scan-sessions/{id}/items/{item}': {
    path: { id: string; item: string }
    query: { revision?: number }
    response: DeleteScanSessionItemResponse
  }
  /** Add a duplicate of an item. */
  'POST /v1/scan-sessions/{id}/items/{item}/duplicate': {
    path: { id: string; item: string }
    body: DuplicateScanSessionItemRequest | undefined
    response: DuplicateScanSessionItemResponse
  }
  /** Download the reviewed items of a scan session as a file. */
  'GET /v1/scan-sessions/{id}/export': {
    path: { id: string }
    query: {
      format?:
        | 'full'
        | 'tcgplayer'
        | 'moxfield'
        | 'manabox'
        | 'archidekt'
        | 'deckbox'
        | 'dragon_shield'
    }
    response: Blob
  }
  /** Add the reviewed items of a scan session to a collection. */
  'POST /v1/scan-sessions/{id}/collect': {
    path: { id: string }
    body: CollectScanSessionRequest
    response: CollectScanSessionResponse
  }
}

export type PriceAlert = {
  event: 'price_alert'
  card_id: number
  card_name: string
  condition: 'above' | 'below'
  /** In `currency`; US dollars without it. */
  threshold: number
  /** In `currency`; US dollars without it. */
  current_price: number
  timestamp: string
  /** Whose price it is. Null: none is known. */
  source?: string | null
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
}

export type ErrorResponse = { error: ErrorDetails; meta?: ErrorMeta; rate_limit?: RateLimit }

export type ErrorDetails = {
  code: ErrorCode
  /** The problem and its remedy, for people. */
  message: string
  /** Only for `REVISION_CONFLICT`: the collection or item as it is now. */
  current?: Record<string, unknown>
}

/**
 * Cause of an error, for programs, with its status and remedy:
 * - `API_KEY_REQUIRED` (401): Send the key in the header `X-API-Key` or as `Authorization:
 * Bearer`, not in the URL.
 * - `BILLING_UNAVAILABLE` (503): Retry after `Retry-After`.
 * - `BODY_TOO_LARGE` (413): Send less, or split the request.
 * - `CHANNEL_UNAVAILABLE` (409): Open the link in the mail, or ask the operator to set
 * `SMTP_URL`.
 * - `COLLECTION_FULL` (409): Delete some, or upgrade.
 * - `CROSS_ORIGIN_REJECTED` (403): Use an API key, or ask the operator to add the origin to
 * `CORS_ORIGINS`.
 * - `EMAIL_TAKEN` (409): Log in, or use another address.
 * - `EMAIL_UNCONFIRMED` (403): Open the link in the mail, or request another one.
 * - `IDENTIFY_REGION_UNAVAILABLE` (403): Retrying does not help.
 * - `IDENTIFY_UNAVAILABLE` (503): Retry after `Retry-After`.
 * - `IDENTITY_TAKEN` (409): End the other link first.
 * - `INTERNAL_ERROR` (500): Report `X-Request-Id` to the operator.
 * - `INVALID_API_KEY` (401): Create a new key; retrying does not help.
 * - `INVALID_CREDENTIALS` (401): Check both. The operator can reset the password.
 * - `INVALID_GAME` (400): Use a slug from `GET /v1/games`.
 * - `INVALID_IMAGE` (400): Send another photo of at most 8 MB.
 * - `INVALID_SIGNATURE` (400): Operators: check `STRIPE_WEBHOOK_SECRET` and the clock.
 * - `INVALID_WEBHOOK_URL` (400): Use a public `https://` URL.
 * - `INVITATION_REQUIRED` (403): Ask the operator for an invitation.
 * - `LINK_INVALID` (404): Request another mail.
 * - `LOGIN_FAILED` (400): Start again.
 * - `LOGIN_PROVIDER_UNAVAILABLE` (503): Log in with a password, or retry after
 * `Retry-After`.
 * - `METHOD_NOT_ALLOWED` (405): Use a method from the `Allow` header.
 * - `MIRROR_UNUSABLE` (409): Check the address; the message has the reason.
 * - `NOT_FOUND` (404): Check the id; the message names where to look.
 * - `OPERATOR_REQUIRED` (403): Run `bun run admin account operator --email E` on the server.
 * - `PASSWORD_REQUIRED` (409): Set a password first.
 * - `PAYMENT_INVALID` (400): Sign again with a current x402 client.
 * - `PAYMENT_PENDING` (503): Send the same photo with the same signature again; it is
 * charged once.
 * - `PAYMENT_REJECTED` (402): Sign a new payment.
 * - `PAYMENT_REQUIRED` (402): Pay the offer in `PAYMENT-REQUIRED`, or send an API key.
 * - `PAYMENT_UNAVAILABLE` (503): Retry after `Retry-After`; nothing was charged.
 * - `PAYMENT_VERSION_UNSUPPORTED` (400): Use an x402 client for version 2.
 * - `RANGE_NOT_SATISFIABLE` (416): Restart the download.
 * - `RATE_LIMIT_EXCEEDED` (429): Wait for `Retry-After`, until midnight UTC.
 * - `RECENT_LOGIN_REQUIRED` (403): Log out, log in again, and repeat the request within 15
 * minutes.
 * - `REGISTRATION_CLOSED` (403): Ask the operator for an account.
 * - `REVISION_CONFLICT` (409): Compare it with `error.current`, and send the change with its
 * revision.
 * - `SCAN_BALANCE_EMPTY` (402): Buy scans, or pay per photo; for a trial, wait for
 * `Retry-After`.
 * - `SCAN_SESSION_FULL` (409): Create another one, or delete items.
 * - `SESSION_REQUIRED` (401): Log in with `POST /v1/auth/login` and send the cookie.
 * - `SETTING_FIXED` (409): Change it there and restart.
 * - `SETUP_DONE` (409): Log in.
 * - `SETUP_TOKEN_INVALID` (401): Open the address that the server printed when it started.
 * - `SYNC_OFF` (409): Operators: set one in the settings, or `UPSTREAM_URL`.
 * - `SYNC_RUNNING` (409): Wait until it ends; `GET /v1/operator/status` shows it.
 * - `TIER_REQUIRED` (403): Upgrade to the tier in the message.
 * - `TOO_MANY_ALERTS` (409): Delete one, or upgrade.
 * - `TOO_MANY_ATTEMPTS` (429): Wait for `Retry-After`.
 * - `TOO_MANY_CHANNELS` (409): Delete one, or upgrade.
 * - `TOO_MANY_COLLECTIONS` (409): Delete one, or upgrade.
 * - `TOO_MANY_ITEMS` (400): Split it; the message names the limit.
 * - `TOO_MANY_KEYS` (409): Delete one first.
 * - `TOO_MANY_SCAN_SESSIONS` (409): Delete one first.
 * - `TOO_MANY_WEBHOOKS` (409): Delete one first.
 * - `UNAVAILABLE` (503): Retry after `Retry-After`.
 * - `UNSUPPORTED_MEDIA_TYPE` (415): Use the type in the message.
 * - `VALIDATION_ERROR` (400): Fix what the message names.
 * - `WEBHOOK_PAUSED` (409): Resume it with `{"paused":false}` first.
 */
export type ErrorCode =
  | 'API_KEY_REQUIRED'
  | 'BILLING_UNAVAILABLE'
  | 'BODY_TOO_LARGE'
  | 'CHANNEL_UNAVAILABLE'
  | 'COLLECTION_FULL'
  | 'CROSS_ORIGIN_REJECTED'
  | 'EMAIL_TAKEN'
  | 'EMAIL_UNCONFIRMED'
  | 'IDENTIFY_REGION_UNAVAILABLE'
  | 'IDENTIFY_UNAVAILABLE'
  | 'IDENTITY_TAKEN'
  | 'INTERNAL_ERROR'
  | 'INVALID_API_KEY'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_GAME'
  | 'INVALID_IMAGE'
  | 'INVALID_SIGNATURE'
  | 'INVALID_WEBHOOK_URL'
  | 'INVITATION_REQUIRED'
  | 'LINK_INVALID'
  | 'LOGIN_FAILED'
  | 'LOGIN_PROVIDER_UNAVAILABLE'
  | 'METHOD_NOT_ALLOWED'
  | 'MIRROR_UNUSABLE'
  | 'NOT_FOUND'
  | 'OPERATOR_REQUIRED'
  | 'PASSWORD_REQUIRED'
  | 'PAYMENT_INVALID'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_REJECTED'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_UNAVAILABLE'
  | 'PAYMENT_VERSION_UNSUPPORTED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RECENT_LOGIN_REQUIRED'
  | 'REGISTRATION_CLOSED'
  | 'REVISION_CONFLICT'
  | 'SCAN_BALANCE_EMPTY'
  | 'SCAN_SESSION_FULL'
  | 'SESSION_REQUIRED'
  | 'SETTING_FIXED'
  | 'SETUP_DONE'
  | 'SETUP_TOKEN_INVALID'
  | 'SYNC_OFF'
  | 'SYNC_RUNNING'
  | 'TIER_REQUIRED'
  | 'TOO_MANY_ALERTS'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_MANY_CHANNELS'
  | 'TOO_MANY_COLLECTIONS'
  | 'TOO_MANY_ITEMS'
  | 'TOO_MANY_KEYS'
  | 'TOO_MANY_SCAN_SESSIONS'
  | 'TOO_MANY_WEBHOOKS'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_ERROR'
  | 'WEBHOOK_PAUSED'

/** Only if a damaged photo used a scan. */
export type ErrorMeta = { charged: string | null; scans_remaining: number }

export type RateLimit = { daily_limit: number; daily_remaining: number; daily_reset: string }

export type ListGamesResponse = { data: Game[]; meta: PagingMeta; rate_limit?: RateLimit }

export type Game = {
  id: number
  name: string
  slug: string
  marketplace_id: number
  /** 3: synced daily, 2: every 3 days. */
  priority: number
  set_count: number
  card_count: number
  image_url: string | null
  logo_url: string | null
  last_synced_at: string | null
}

export type PagingMeta = {
  total: number
  page: number
  per_page: number
  has_more: boolean
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type GetGameResponse = { data: Game; meta?: NotesMeta; rate_limit?: RateLimit }

export type NotesMeta = {
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ListGameSetsResponse = { data: CardSet[]; meta: PagingMeta; rate_limit?: RateLimit }

export type CardSet = {
  id: number
  game_id: number
  name: string
  slug: string
  marketplace_id: number
  abbreviation: string | null
  release_date: string | null
  card_count: number
  image_url: string | null
  set_icon_url: string | null
  last_synced_at: string
  game_name: string
  game_slug: string
}

export type ListSetsResponse = { data: CardSet[]; meta: PagingMeta; rate_limit: RateLimit }

export type GetSetResponse = { data: CardSet; meta?: NotesMeta; rate_limit: RateLimit }

export type ListSetCardsResponse = { data: PricedCard[]; meta: PagingMeta; rate_limit: RateLimit }

export type PricedCard = Card & {
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Market price of the base printing. */
  market_price: number | null
  /** Whose price it is. Null: none is known. */
  source?: string | null
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
  prices: Price[]
}

export type Card = {
  id: number
  name: string
  clean_name: string
  number: string | null
  rarity: string | null
  image_url: string | null
  marketplace_id: number
  marketplace_url: string | null
  /** `Cards` or `Sealed Products`. */
  product_type: string | null
  /** 1 if the card only exists as foil, else 0. */
  foil_only: number
  total_listings: number
  /** 1 card, 3 box, 4 case. */
  shipping_category_id: number
  /** 1 active, 20 presale. */
  product_status_id: number
  hp?: string
  custom_attributes: Record<string, string | string[]>
  set_id: number
  set_name: string
  set_slug: string
  game_id: number
  game_name: string
  game_slug: string
  /** With `include=ids`: IDs of the card elsewhere. */
  ids?: CardId[]
}

export type CardId = {
  /** `tcgplayer`, another marketplace, or a system of the operator. */
  source: string
  id: string
  /** Printing that it stands for. Null: the card. */
  printing: string | null
}

export type Price = PriceOrigin & {
  card_id: number
  printing: string
  /**
   * With `all`, and for a graded card on a photo: such as `near_mint` or `damaged`. Null: the
   * source has no conditions, or the card is graded.
   */
  condition?: string | null
  /**
   * With `all`, and for a graded card on a photo: such as `PSA 10`, or `Grade 9` for a 9 of
   * any grader. Null: a raw card.
   */
  grade?: string | null
  /** Median of recent sales. */
  market_price: number | null
  /** Lowest verified listing price. */
  low_price: number | null
  /** Median listing price across sellers. */
  median_price: number | null
  /** Lowest listing with shipping. */
  lowest_with_shipping: number | null
  /** Price that stores pay. */
  buylist_price: number | null
  /** With `all`: sales behind the market price; null if unknown. */
  sale_count?: number | null
  /** In percent; null if unknown. */
  price_change_24h: number | null
  /** In percent; null if unknown. */
  price_change_7d: number | null
  /** In percent; null if unknown. */
  price_change_30d: number | null
  last_updated_at: string
  /** With `all`: days since `last_updated_at`. */
  age_days?: number
  /** With `include=confidence`: how reliable `market_price` is. */
  confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  confidence_reasons?: string[]
}

export type PriceOrigin = {
  /** Whose price it is. Null: none is known. */
  source?: string | null
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
}

export type GetSetSummaryResponse = { data: SetSummary; meta?: NotesMeta; rate_limit: RateLimit }

export type SetSummary = {
  cards: number
  /** Cards whose base printing has a known price. */
  priced: number
  /** Sum of those prices, in US dollars if `currency` is not set. */
  value: number
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
  /** The commonest first. */
  rarities: NamedCount[]
  /** The commonest first. */
  printings: NamedCount[]
}

export type NamedCount = { name: string; cards: number }

export type GetSetHistoryResponse = { data: SetValue[]; meta: HistoryMeta; rate_limit: RateLimit }

export type SetValue = {
  date: string
  /** Sum of the market prices of base printings, in US dollars if `currency` is not set. */
  value: number
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
  /** Cards that had a price by then. */
  cards: number
}

export type HistoryMeta = {
  range: string
  from: string | null
  to: string
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ListSetPricesResponse = { data: SetPrice[]; meta?: NotesMeta; rate_limit: RateLimit }

export type SetPrice = Price & {
  name: string
  number: string | null
  rarity: string | null
  marketplace_id: number
  product_type: string | null
  foil_only: number
}

export type GetCardResponse = { data: Card; meta: CardMeta; rate_limit: RateLimit }

export type CardMeta = PriceOrigin & {
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Market price of the base printing. */
  market_price: number | null
  /** With `include=confidence`: how reliable `market_price` is. */
  confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  confidence_reasons?: string[]
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type GetCardByMarketplaceIdResponse = {
  data: PricedCard
  meta?: NotesMeta
  rate_limit: RateLimit
}

export type ListCardReprintsResponse = {
  data: PricedCard[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type GetCardByExternalIdResponse = {
  data: PricedCard
  meta?: NotesMeta
  rate_limit: RateLimit
}

export type GetCardPricesResponse = {
  data: Price[] | Price
  meta?: NotesMeta
  rate_limit: RateLimit
}

export type GetCardHistoryResponse = {
  data: PriceHistoryEntry[] | PrintingHistoryEntry[]
  meta: HistoryMeta
  rate_limit: RateLimit
}

export type PriceHistoryEntry = PriceOrigin & {
  date: string
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Market price of the base printing. */
  market_price: number | null
  /** Lowest price of the base printing. */
  low_price: number | null
  /** Price of the most expensive foil beside the base printing. */
  foil_market_price: number | null
  foil_origin?: PriceOrigin | null
}

export type PrintingHistoryEntry = PriceOrigin & {
  date: string
  printing: string
  /** Median of recent sales. */
  market_price: number | null
  /** Lowest verified listing price. */
  low_price: number | null
}

export type GetDetailedCardHistoryResponse = {
  data: DetailedHistoryEntry[]
  meta?: NotesMeta
  rate_limit: RateLimit
}

export type DetailedHistoryEntry = PrintingHistoryEntry & {
  /** Average sale price of the day. Null: not published by the upstream. */
  avg_sales_price: number | null
  /** Null: not published by the upstream. */
  sales_volume: number | null
}

export type SearchCardsResponse = { data: SearchResult[]; meta: SearchMeta; rate_limit: RateLimit }

export type SearchResult = Card & {
  /**
   * Printing of `market_price`: the one that the query names, else the base printing. Null
   * without prices. Where a query names a printing of more than 2,000 cards, prices sort and
   * filter by the base printing.
   */
  printing: string | null
  /** Whose price it is. Null: none is known. */
  source?: string | null
  /** ISO 4217 code. */
  currency?: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
  /** Price by which results are sorted and filtered: that of `printing`. */
  market_price: number | null
  /** Printing of the card that the words of the query name; null if they name none. */
  matched_printing: string | null
  prices: Price[]
}

export type SearchMeta = PagingMeta & {
  /** Words that were searched instead of words that occur nowhere. */
  corrected_query?: string
  /** Words of `q` that no card has, or none beside the other words. */
  ignored_words: string[]
}

export type ListTopMoversResponse = {
  data: Mover[]
  meta: ListTopMoversMeta
  rate_limit: RateLimit
}

export type Mover = PriceOrigin & {
  card_id: number
  name: string
  set_name: string
  game_name: string
  product_type: string | null
  foil_only: number
  printing: string
  market_price: number
  /** Change over the period, in percent. */
  price_change: number
  image_url: string | null
  /** With `include=confidence`: how reliable `market_price` is. */
  confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  confidence_reasons?: string[]
}

export type ListTopMoversMeta = {
  /** Printings excluded as implausible. */
  excluded: number
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ListMigrationsResponse = {
  data: CardMigration[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type CardMigration = {
  /** Increases with time. */
  id: number
  kind: 'removed' | 'restored' | 'moved' | 'merged'
  card_id: number
  card_name: string
  /** Card that replaces a `merged` one. */
  new_card_id: number | null
  /** Set that a `moved` card left. */
  old_set_id: number | null
  /** Set to which it `moved`. */
  new_set_id: number | null
  created_at: string
}

export type GetBulkPricesResponse = {
  data: SimplifiedPrice[]
  meta: BulkMeta
  rate_limit: RateLimit
}

export type SimplifiedPrice = PriceOrigin & {
  card_id: number
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Market price of the base printing. */
  market_price: number | null
  /** Lowest price of the base printing. */
  low_price: number | null
  /** Price of the most expensive foil beside the base printing. */
  foil_market_price: number | null
  foil_origin?: PriceOrigin | null
  /** In percent; null if unknown. */
  price_change_24h: number | null
  last_updated_at: string
  /** With `include=confidence`: how reliable `market_price` is. */
  confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  confidence_reasons?: string[]
}

export type BulkMeta = {
  /** A repeated ID counts once. */
  total_requested: number
  /** IDs of no card. */
  not_found: number[]
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type GetBulkCardsResponse = { data: PricedCard[]; meta: BulkMeta; rate_limit: RateLimit }

export type GetBulkHistoryResponse = {
  data: Record<string, PriceHistoryEntry[]>
  meta: BulkHistoryMeta
  rate_limit: RateLimit
}

export type BulkHistoryMeta = HistoryMeta & {
  /** A repeated ID counts once. */
  total_requested: number
  /** IDs of no card. */
  not_found: number[]
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ResolveMarketplaceIdsResponse = {
  data: ResolvedIds
  meta: ResolvedIdsMeta
  rate_limit: RateLimit
}

export type ResolvedIds = {
  resolved: ResolvedId[]
  /** IDs of no card. */
  not_found: number[]
}

export type ResolvedId = { marketplace_id: number; card: CardReference; prices: PrintingPrice[] }

export type CardReference = {
  id: number
  name: string
  marketplace_id: number
  game_name: string
  set_name: string
  image_url: string | null
}

export type PrintingPrice = PriceOrigin & {
  printing: string
  /** Median of recent sales. */
  market_price: number | null
  /** Lowest verified listing price. */
  low_price: number | null
  /** With `include=confidence`: how reliable `market_price` is. */
  confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  confidence_reasons?: string[]
}

export type ResolvedIdsMeta = {
  /** A repeated entry counts once. */
  total_requested: number
  total_resolved: number
  /** Price in requests of the daily quota. */
  credits_consumed: number
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ResolveMarketplaceIdsRequest = { ids: number[] }

export type ResolveNamesResponse = {
  data: ResolvedNames
  meta: ResolvedNamesMeta
  rate_limit: RateLimit
}

export type ResolvedNames = { results: ResolvedName[]; unmatched: UnmatchedName[] }

export type ResolvedName = {
  query: NameQuery
  /** Copies that the name mentions, as in `4x Absol`; else 1. */
  quantity: number
  match: NameMatch
  alternatives: CardSummary[]
}

/** The item as it was sent, with your `ref`. */
export type NameQuery = { name: string; [member: string]: unknown }

export type NameMatch = {
  card: CardSummary
  prices: Price[]
  /**
   * `exact`: the name is equal. `high`: the name starts with it. `medium`: the name contains
   * it, or was corrected.
   */
  confidence: string
  /** Corrected spelling that was searched instead. */
  corrected_name?: string
}

export type CardSummary = CardReference & {
  number: string | null
  game_slug: string
  set_slug: string
}

export type UnmatchedName = {
  query: NameQuery
  name: string
  /** `no_match`, `game_not_found`, `set_not_found` or `name_too_short`. */
  reason: string
}

export type ResolvedNamesMeta = {
  /** A repeated entry counts once. */
  total_requested: number
  total_matched: number
  /** Price in requests of the daily quota. */
  credits_consumed: number
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ResolveNamesRequest = { items: NameItem[] }

export type NameItem = {
  /**
   * Name of a card, or a line of a list: `4 Absol ROS 40`, `1 Sol Ring (CMR) 472 *F*`, `SB: 2x
   * Lightning Bolt [M10]`.
   */
  name: string
  /** Slug of a game. */
  game?: string | null
  /** Slug, code or name of a set. */
  set?: string | null
  /** Collector number. It narrows the match. */
  number?: string | null
  /** Printing such as `Foil`. Restricts the match to cards with it, and the prices to it. */
  printing?: string | null
  ref?: string | number | null
}

export type ResolveCsvResponse = {
  data: PricedCollection
  meta: CollectionMeta
  rate_limit: RateLimit
}

export type PricedCollection = {
  rows: CollectionRow[]
  unmatched: UnmatchedRow[]
  /** Value of all rows with a known price. */
  total_value: number | null
  /** Currency of the values; US dollars without it. */
  currency?: string
}

export type CollectionRow = {
  /** Row number; 1 is the first one after the header. In a list: the line number. */
  row: number
  /** Section of a list: `main`, `sideboard`, `commander`, `companion` or `maybeboard`. */
  section?: string
  quantity: number
  query: CollectionQuery
  match: CollectionMatch
  /** Value of all copies. */
  value: number | null
  alternatives: CardSummary[]
  /** Parts of the row that were ignored. */
  notes: string[]
}

export type CollectionQuery = {
  name: string | null
  game: string | null
  set: string | null
  number: string | null
  printing: string | null
  product_id: string | null
}

export type CollectionMatch = PriceOrigin & {
  card: CardSummary
  printing: string | null
  /** Price of one copy. */
  market_price: number | null
  /** Lowest verified listing price. */
  low_price: number | null
  /**
   * `exact`: the name is equal. `high`: the name starts with it. `medium`: the name contains
   * it, or was corrected.
   */
  confidence: string
  /** Corrected spelling that was searched instead. */
  corrected_name?: string
  /** With `include=confidence`: how reliable `market_price` is. */
  price_confidence?: 'high' | 'medium' | 'low'
  /** With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
  price_confidence_reasons?: string[]
}

export type UnmatchedRow = {
  row: number
  /** Section of a list: `main`, `sideboard`, `commander`, `companion` or `maybeboard`. */
  section?: string
  query: CollectionQuery
  name: string | null
  reason: string
}

export type CollectionMeta = {
  total_requested: number
  total_matched: number
  /** Matched rows without a known price. */
  unpriced: number
  /** Price in requests of the daily quota. */
  credits_consumed: number
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type ResolveCsvForm = {
  /** At most 5 MB. */
  file: Blob
}

export type ResolveListResponse = {
  data: PricedCollection
  meta: CollectionMeta
  rate_limit: RateLimit
}

export type ResolveListRequest = {
  /** The list, with line breaks. */
  list: string
  /** Slug of the game; overrides the parameter. */
  game?: string | null
}

export type ResolveListForm = { file: Blob }

export type ListBulkFilesResponse = { data: BulkFile[]; meta: BulkFilesMeta; rate_limit: RateLimit }

export type BulkFile = {
  /** `cards`, `prices`, or `catalog` with both. */
  type: string
  /** Slug of a game, or `all`. */
  game: string
  /** `jsonl.gz`, `csv.gz` or `sqlite.gz`. */
  format: string
  updated_at: string
  /** Bytes of the download. */
  size: number
  /** Hash of the downloaded bytes. */
  sha256: string
  rows: number
  download_url: string
}

export type BulkFilesMeta = {
  /** Catalog version of the files. */
  version: number | null
  built_at: string | null
  /** Parameters that were ignored, and what to use instead. */
  notes?: string[]
}

export type GetFreshnessResponse = { data: Freshness; meta?: NotesMeta; rate_limit?: RateLimit }

export type Freshness = {
  /** Increases with every change of the catalog. */
  version: number
  published_at: string | null
  changed_at: string
  /** True if a game missed its refresh. */
  stale: boolean
  counts: CatalogCounts
  games: GameFreshness[]
  price_source: PriceSource
  last_sync: LastSync | null
  /** Further sources of prices; missing without any. */
  sources?: SourceFreshness[]
  currencies?: Currencies
}

export type CatalogCounts = { games: number; sets: number; cards: number }

export type GameFreshness = {
  id: number
  slug: string
  priority: number
  card_count: number
  last_synced_at: string | null
  published_at: string | null
  stale: boolean
  stale_since: string | null
  /** True if the game and its prices are invented. */
  is_sample: boolean
}

export type PriceSource = {
  /** Marketplace whose prices are published. */
  marketplace: string
  /** Currency of all prices. */
  currency: string
  /** Host that the prices are read from; null for none, or for a folder. */
  mirror: string | null
}

export type LastSync = { started_at: string; finished_at: string | null; outcome: string | null }

export type SourceFreshness = {
  source: string
  /** Slug of the game of the file; null: all games. */
  game: string | null
  published_at: string | null
  /** True if its last import failed. */
  stale: boolean
  /** Reason of the failed import. */
  reason: string | null
}

/** Missing if US dollars are the only one. */
export type Currencies = {
  /** Currencies of `currency`. */
  available: string[]
  /** Day of the newest rates; null: none. */
  rate_date: string | null
}

export type GetPaymentInfoResponse = { data: PaymentInfo; meta?: NotesMeta; rate_limit?: RateLimit }

export type PaymentInfo = {
  enabled: boolean
  x402_version: number | null
  price: PhotoPrice | null
  scheme: string | null
  /** CAIP-2 name of the network. */
  network: string | null
  asset: PaymentAsset | null
  pay_to: string | null
  facilitator_url: string | null
  resource: string | null
  max_timeout_seconds: number | null
  how_to_pay: string | null
}

export type PhotoPrice = {
  dollars: number
  /** Amount in the smallest unit of the token. */
  atomic: string
}

export type PaymentAsset = { address: string; name: string; version: string; decimals: number }

export type RegisterAccountResponse = { data: Account }

export type Account = {
  id: number
  email: string
  /** `free`, `hobby`, `starter`, `pro` or `business`. */
  tier: string
  /** True if it may use `/v1/operator/…`. */
  is_operator: boolean
  created_at: string
}

export type RegisterAccountRequest = {
  email: string
  /** At least 8 characters, at most 1024 bytes. */
  password: string
  /** Code of an invitation, if the operator requires one. */
  invitation?: string
}

export type SetUpOperatorResponse = { data: Account }

export type SetUpOperatorRequest = {
  /** Token of the setup. */
  token: string
  email: string
  /** At least 8 characters, at most 1024 bytes. */
  password: string
}

export type LogInResponse = { data: Account }

export type LogInRequest = { email: string; password: string }

export type LogOutResponse = { data: LogoutResult }

export type LogoutResult = {
  /** True if there was a session. */
  logged_out: boolean
}

export type GetAccountResponse = { data: CurrentAccount; rate_limit: RateLimit }

export type CurrentAccount = Account & {
  /** False if it only logs in with a provider. */
  has_password: boolean
  login_provider: LoginProviderLink | null
  sessions: Session[]
}

export type LoginProviderLink = {
  /** Name of the login provider. */
  label: string
  linked_at: string | null
}

export type Session = {
  id: string
  /** Browser and system in words; empty if unknown. */
  browser: string
  /** Network in which it began, such as `203.0.113.0/24`; empty if unknown. */
  network: string
  created_at: string
  last_seen_at: string
  expires_at: string
  is_current: boolean
}

export type ChangePasswordResponse = { data: Account; rate_limit: RateLimit }

export type ChangePasswordRequest = {
  current_password: string
  /** At least 8 characters, at most 1024 bytes. */
  new_password: string
}

export type EndOtherSessionsResponse = { data: EndedSessions; rate_limit: RateLimit }

export type EndedSessions = {
  /** Number of sessions that have ended. */
  ended: number
}

export type EndSessionResponse = { data: EndedSessions; rate_limit: RateLimit }

export type DeleteAccountResponse = { data: DeletedAccount; rate_limit: RateLimit }

export type DeletedAccount = { id: number }

export type DeleteAccountRequest = {
  /** E-mail address of the account. */
  email: string
  /** Required if the account has one; without, the login must be recent. */
  password?: string
}

export type RequestPasswordResetResponse = { data: MailRequest }

export type MailRequest = {
  /** True, also if no account has the address. */
  is_requested: boolean
}

export type RequestPasswordResetRequest = { email: string }

export type ResetPasswordResponse = { data: MailedLink }

export type MailedLink = {
  /** E-mail address of the account. */
  email: string
}

export type ResetPasswordRequest = {
  /** Token of the link in the mail. */
  token: string
  /** At least 8 characters, at most 1024 bytes. */
  new_password: string
}

export type RequestEmailConfirmationResponse = { data: MailRequest }

export type RequestEmailConfirmationRequest = { email: string }

export type ConfirmEmailResponse = { data: MailedLink }

export type ConfirmEmailRequest = {
  /** Token of the link in the mail. */
  token: string
}

export type BeginProviderLoginResponse = { data: ProviderLogin }

export type ProviderLogin = {
  /** Page of the login provider. */
  url: string
}

export type BeginProviderLoginRequest = {
  /** Links the current account instead of logging in. */
  link?: boolean
}

export type UnlinkProviderResponse = { data: UnlinkedProvider; rate_limit: RateLimit }

export type UnlinkedProvider = { is_linked: boolean }

export type ListApiKeysResponse = { data: ApiKey[]; rate_limit: RateLimit }

export type ApiKey = {
  id: string
  name: string
  key_prefix: string
  last4: string
  is_active: boolean
  created_at: string
  last_used_at: string | null
  requests_today: number
  requests_total: number
}

export type CreateApiKeyResponse = { data: CreatedApiKey; rate_limit: RateLimit }

export type CreatedApiKey = ApiKey & {
  /** The API key. */
  key: string
}

export type CreateApiKeyRequest = {
  /** Name of the key. */
  name?: string
}

export type DeactivateApiKeyResponse = { data: ApiKey; rate_limit: RateLimit }

export type GetUsageResponse = { data: Usage; rate_limit: RateLimit }

export type Usage = {
  account: AccountUsage
  days: UsageDay[]
  keys: ApiKeyUsage[]
  subscription: Subscription
  scans: ScanBalance
}

export type AccountUsage = RateLimit & { tier: string; today_requests: number }

export type UsageDay = {
  date: string
  requests: number
  /** Requests by group of endpoints. */
  groups: Record<string, number>
}

export type ApiKeyUsage = ApiKey & { days: UsageDay[] }

export type Subscription = {
  plan: string
  status: string
  current_period_end: string | null
  /** True if the subscription ends then. */
  cancel_at_period_end: boolean
  /** Plan of the next period. Null: unchanged. */
  next_plan: string | null
}

export type ScanBalance = { balance: number; trial_pending: boolean }

export type ListPlansResponse = { data: Offers }

export type Offers = {
  /** `stripe`, `manual` (paid to the operator) or `off`. */
  provider: 'stripe' | 'manual' | 'off'
  plans: PlanOffer[]
  packs: PackOffer[]
  /** Access to registration: anyone, people with an invitation, or nobody. */
  registration: 'open' | 'invite' | 'closed'
  /** Name of the login provider. Null without one. */
  login_provider: string | null
  /** True if passwords can be reset by mail. */
  has_password_reset: boolean
}

export type PlanOffer = {
  /** Value for `create-checkout`, except `free`. */
  plan: 'free' | 'hobby' | 'starter' | 'pro' | 'business'
  name: string
  /** US cents per month. */
  price_cents: number
  daily_requests: number
  /** Depth of price histories in days. Null: unlimited; 0: no histories. */
  history_days: number | null
  /** Maximum items of one resolve request. Null: not included. */
  resolve_items: number | null
  /** True if the license allows commercial use. */
  commercial_use: boolean
  /** Features of the tier. */
  features: string[]
}

export type PackOffer = {
  /** Value for `create-checkout`. */
  pack: 'scans_1000' | 'scans_5000' | 'scans_25000' | 'scans_100000'
  scans: number
  /** US cents, paid once. */
  price_cents: number
}

export type CreateCheckoutResponse = { data: PaymentLink; rate_limit: RateLimit }

export type PaymentLink = {
  url: string
  /** `checkout`: link to pay. `portal`: link to manage the existing subscription. */
  kind: string
}

export type CreateCheckoutRequest = {
  /** A plan, paid monthly, or a pack of scans. */
  plan:
    | 'hobby'
    | 'starter'
    | 'pro'
    | 'business'
    | 'scans_1000'
    | 'scans_5000'
    | 'scans_25000'
    | 'scans_100000'
}

export type CreatePortalLinkResponse = { data: PaymentLink; rate_limit: RateLimit }

export type CreateCollectionResponse = { data: Collection; rate_limit: RateLimit }

export type Collection = {
  id: string
  /** Owned cards, or a wish list. */
  kind: 'owned' | 'wish'
  name: string
  item_count: number
  /** Value when it was last computed; null before. */
  value: number | null
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  /** When the values were computed. */
  computed_at: string | null
  /** When its link was created; null if not shared. */
  shared_at: string | null
  /** Grows when the name changes. */
  revision: number
  created_at: string
  updated_at: string
}

export type CreateCollectionRequest = {
  /** Name for people. */
  name: string
  /** Default: `owned`. */
  kind?: 'owned' | 'wish'
}

export type ListCollectionsResponse = {
  data: Collection[]
  meta: CollectionLimits
  rate_limit: RateLimit
}

export type CollectionLimits = {
  /** Collections, and as many wish lists; null: no limit. */
  collections_max: number | null
  /** Items of each of them; null: no limit. */
  items_max: number | null
}

export type GetCollectionResponse = { data: Collection; rate_limit: RateLimit }

export type UpdateCollectionResponse = { data: Collection; rate_limit: RateLimit }

export type UpdateCollectionRequest = {
  /** Name for people. */
  name: string
  /** Revision on which the change is based: another one is 409. Default: any. */
  revision?: number
}

export type DeleteCollectionResponse = { data: Collection; rate_limit: RateLimit }

export type ShareCollectionResponse = { data: ShareLink; rate_limit: RateLimit }

export type ShareLink = {
  /** Token of the link. It is shown only here. */
  token: string
  /** Address at which everybody can read the collection. */
  url: string
  shared_at: string
}

export type UnshareCollectionResponse = { data: Collection; rate_limit: RateLimit }

export type GetSharedCollectionResponse = { data: SharedCollection; meta: PagingMeta }

export type SharedCollection = {
  name: string
  kind: 'owned' | 'wish'
  item_count: number
  value: number
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  /** When the values were computed. */
  computed_at: string
  updated_at: string
  /** A page of the items. */
  items: SharedItem[]
}

export type SharedItem = {
  id: string
  card_id: number
  name: string
  number: string | null
  /** Slug of the game. */
  game: string
  set_id: number
  set_name: string
  image_url: string | null
  /** Null if the card had none when it was added. */
  printing: string | null
  condition:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Grader and grade, such as `PSA 10`; null for a raw card. */
  grade: string | null
  /** Code such as `en`; null if unknown. */
  language: string | null
  quantity: number
  /** Price of one copy; null if unknown. */
  market_price: number | null
  /** Value of all copies. */
  value: number | null
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  notes: string[]
}

export type ListCollectionItemsResponse = {
  data: CollectionItem[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type CollectionItem = {
  id: string
  card_id: number
  name: string
  number: string | null
  /** Slug of the game. */
  game: string
  set_id: number
  set_name: string
  image_url: string | null
  /** Null if the card had none when it was added. */
  printing: string | null
  condition:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Grader and grade, such as `PSA 10`; null for a raw card. */
  grade: string | null
  /** Code such as `en`; null if unknown. */
  language: string | null
  quantity: number
  /** Price paid for one copy. */
  price_paid: number | null
  acquired_on: string | null
  place: string | null
  note: string | null
  /** Highest price for one copy, on a wish list. */
  target_price: number | null
  /** True if the price is at or below the target. */
  target_reached: boolean
  /** Price of one copy; null if unknown. */
  market_price: number | null
  /** Value of all copies. */
  value: number | null
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  notes: string[]
  /** Value minus the price paid for all copies; null if one of them is unknown. */
  gain: number | null
  /** Grows with each change. */
  revision: number
  created_at: string
  updated_at: string
}

export type AddCollectionItemsResponse = { data: CollectionItem[]; rate_limit: RateLimit }

export type AddCollectionItemsRequest = { items: NewCollectionItem[] }

export type NewCollectionItem = {
  /** ID on the marketplace. */
  card_id: number
  /** Exact name of a printing of the card. New items: its base printing. */
  printing?: string | null
  /** New items: `near_mint`, and `unopened` for sealed products. */
  condition?:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Grader and grade, such as `PSA 10`. */
  grade?: string | null
  /** Code of the language. */
  language?:
    | 'en'
    | 'ja'
    | 'de'
    | 'fr'
    | 'it'
    | 'es'
    | 'pt'
    | 'nl'
    | 'pl'
    | 'ru'
    | 'ko'
    | 'zhs'
    | 'zht'
    | 'th'
    | 'id'
    | 'cs'
    | 'hu'
    | 'la'
    | 'he'
    | 'ar'
    | 'grc'
    | 'sa'
    | 'ph'
    | null
  /** New items: 1. */
  quantity?: number
  /** US dollars for one copy, with at most two decimals. */
  price_paid?: number | null
  /** Date such as `2026-05-31`. */
  acquired_on?: string | null
  /** Place of the copies, such as a box. */
  place?: string | null
  /** Note for the owner. */
  note?: string | null
  /** Highest price for one copy in US dollars, on a wish list. */
  target_price?: number | null
}

export type UpdateCollectionItemResponse = { data: CollectionItem; rate_limit: RateLimit }

export type UpdateCollectionItemRequest = {
  /** Exact name of a printing of the card. New items: its base printing. */
  printing?: string | null
  /** New items: `near_mint`, and `unopened` for sealed products. */
  condition?:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Grader and grade, such as `PSA 10`. */
  grade?: string | null
  /** Code of the language. */
  language?:
    | 'en'
    | 'ja'
    | 'de'
    | 'fr'
    | 'it'
    | 'es'
    | 'pt'
    | 'nl'
    | 'pl'
    | 'ru'
    | 'ko'
    | 'zhs'
    | 'zht'
    | 'th'
    | 'id'
    | 'cs'
    | 'hu'
    | 'la'
    | 'he'
    | 'ar'
    | 'grc'
    | 'sa'
    | 'ph'
    | null
  /** New items: 1. */
  quantity?: number
  /** US dollars for one copy, with at most two decimals. */
  price_paid?: number | null
  /** Date such as `2026-05-31`. */
  acquired_on?: string | null
  /** Place of the copies, such as a box. */
  place?: string | null
  /** Note for the owner. */
  note?: string | null
  /** Highest price for one copy in US dollars, on a wish list. */
  target_price?: number | null
  /** Revision on which the change is based: another one is 409. Default: any. */
  revision?: number
}

export type DeleteCollectionItemResponse = { data: CollectionItem; rate_limit: RateLimit }

export type ImportCollectionResponse = { data: CollectionImportReport; rate_limit: RateLimit }

export type CollectionImportReport = {
  /** Rows that were read, by this request and earlier ones with the same file. */
  rows: number
  imported: number
  skipped: number
  problem_count: number
  /** The first 200. */
  problems: CollectionImportProblem[]
  /** True if the collection had no room for the rest. Sent again, the file goes on there. */
  is_full: boolean
  /** True if the file was imported before: nothing was added. */
  is_repeated: boolean
}

export type CollectionImportProblem = {
  /** As in the responses of `/v1/bulk/resolve/csv` and `/list`. */
  row: number
  name: string | null
  /** Card that was taken; null if the row was skipped. */
  card_id: number | null
  card_name: string | null
  /**
   * Why the row was skipped, or what was ignored. `similar_name`: no card has exactly this
   * name.
   */
  reason: string
  /** False: the row was skipped. True: it was imported, and should be looked at. */
  is_imported: boolean
}

export type ImportCollectionForm = {
  /** At most 20 MB. */
  file: Blob
}

export type GetCollectionSummaryResponse = { data: CollectionSummary; rate_limit: RateLimit }

export type CollectionSummary = {
  items: number
  copies: number
  /** Items without a known price, which the value does not include. */
  unpriced: number
  value: number
  /** Prices paid, as far as they are known. */
  cost: number
  /** Gain of the items whose value and price paid are known. */
  gain: number
  /** In percent; null if unknown. */
  gain_percent: number | null
  /** Items of a wish list whose target is reached. */
  reached: number
  games: CollectionGameSums[]
  /** The 20 most valuable sets. */
  sets: CollectionSetSums[]
  /** Largest gains within seven days. */
  best: CollectionMover[]
  /** Largest losses within seven days. */
  worst: CollectionMover[]
  /** Why prices are not exactly those of the copies, and of how many items. */
  notes: CollectionNote[]
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  /** When the values were computed. */
  computed_at: string
  /** False if items or prices have changed since; new values are being computed. */
  is_current: boolean
}

export type CollectionGameSums = {
  game: string
  items: number
  copies: number
  /** Items without a known price, which the value does not include. */
  unpriced: number
  value: number
  /** Prices paid, as far as they are known. */
  cost: number
  /** Gain of the items whose value and price paid are known. */
  gain: number
  /** In percent; null if unknown. */
  gain_percent: number | null
}

export type CollectionSetSums = {
  set_id: number
  set_name: string
  game: string
  items: number
  copies: number
  /** Items without a known price, which the value does not include. */
  unpriced: number
  value: number
  /** Prices paid, as far as they are known. */
  cost: number
  /** Gain of the items whose value and price paid are known. */
  gain: number
  /** In percent; null if unknown. */
  gain_percent: number | null
}

export type CollectionMover = {
  item_id: string
  card_id: number
  name: string
  set_name: string
  printing: string | null
  quantity: number
  market_price: number
  price_7d_ago: number
  /** Change of all copies. */
  change: number
  /** In percent; null if unknown. */
  change_percent: number | null
}

export type CollectionNote = { note: string; items: number }

export type GetCollectionHistoryResponse = {
  data: CollectionDay[]
  meta: CollectionHistoryMeta
  rate_limit: RateLimit
}

export type CollectionDay = {
  date: string
  value: number
  /** Prices paid until then, as far as they are known. */
  cost: number
}

export type CollectionHistoryMeta = {
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  /** When the values were computed. */
  computed_at: string
  /** False if items or prices have changed since; new values are being computed. */
  is_current: boolean
  /**
   * Value of items whose price has no history, because it was always below $1. The days do not
   * include it.
   */
  untracked_value: number
  range: string
  from: string
  to: string
}

export type GetCollectionCompletionResponse = {
  data: SetCompletion[]
  meta: CompletionMeta
  rate_limit: RateLimit
}

export type SetCompletion = {
  set_id: number
  set_name: string
  game: string
  /** Different single cards of the set in the collection. */
  owned: number
  /** Single cards of the set; null if it is not in the catalog. */
  total: number | null
  /** In percent; null if unknown. */
  percent: number | null
  value: number
}

export type CompletionMeta = PagingMeta & {
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  /** When the values were computed. */
  computed_at: string
  /** False if items or prices have changed since; new values are being computed. */
  is_current: boolean
}

export type CreateAlertResponse = { data: PersonalAlert; rate_limit: RateLimit }

export type PersonalAlert = {
  id: string
  card_id: number
  /** Null: the card is not in the catalog. */
  card_name: string | null
  /** Null: the most expensive one. */
  printing: string | null
  /** `above` or `below`, inclusive of the threshold. */
  condition: string
  /** In `currency`. */
  threshold: number
  /** Currency of the threshold. */
  currency: string
  /** Null: the sources of the currency. */
  source: string | null
  is_paused: boolean
  created_at: string
  updated_at: string
  /** The newest alert of the last 30 days. */
  last_alert_at: string | null
}

export type CreateAlertRequest = {
  /** ID on the marketplace. */
  card_id: number
  /** At or above the threshold, or at or below it. */
  condition: 'above' | 'below'
  /** In the currency, or US dollars without one, with at most two decimals. */
  threshold: number
  /** Exact name of a printing, such as `Reverse Holofoil`. */
  printing?: string
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
}

export type ListAlertsResponse = { data: PersonalAlert[]; meta: AlertLimits; rate_limit: RateLimit }

export type AlertLimits = {
  /** Price alerts that the account can have. Null: no limit. */
  alerts_max: number | null
}

export type GetAlertResponse = { data: PersonalAlert; rate_limit: RateLimit }

export type UpdateAlertResponse = { data: PersonalAlert; rate_limit: RateLimit }

export type UpdateAlertRequest = {
  /** At or above the threshold, or at or below it. */
  condition?: 'above' | 'below'
  /** In the currency, or US dollars without one, with at most two decimals. */
  threshold?: number
  is_paused?: boolean
}

export type DeleteAlertResponse = { data: PersonalAlert; rate_limit: RateLimit }

export type ListNotificationsResponse = {
  data: Notification[]
  meta: NotificationsMeta
  rate_limit: RateLimit
}

export type Notification = {
  /** Later notifications have greater IDs. Every channel sends it. */
  id: string
  /** `channel`: a channel has stopped. */
  kind: 'alert' | 'channel'
  /** ID of the price alert or of the channel. */
  source_id: string
  created_at: string
  /** Null: unread. */
  read_at: string | null
  alert: NotifiedAlert | null
}

export type NotifiedAlert = {
  card_id: number
  card_name: string
  /** Null: the most expensive one. */
  printing: string | null
  condition: 'above' | 'below'
  /** In `currency`. */
  threshold: number
  /** In `currency`. */
  current_price: number
  /** Whose price it is. Null: none is known. */
  source?: string | null
  currency: string
  /** True if it is from another currency. */
  converted?: boolean
  /**
   * Units of `currency` per original unit, if the price is converted. Null: no rate of the
   * last seven days, and no price.
   */
  rate?: number | null
  /** Day of `rate`. */
  rate_date?: string | null
  timestamp: string
}

export type NotificationsMeta = PagingMeta & {
  /** Unread notifications, up to 100. */
  unread: number
}

export type ReadNotificationsResponse = { data: UnreadNotifications; rate_limit: RateLimit }

export type UnreadNotifications = { unread: number }

export type ReadNotificationsRequest = {
  /** ID of the newest notification to mark. Default: all. */
  up_to?: string
}

export type CreateChannelResponse = { data: AlertChannel; rate_limit: RateLimit }

export type AlertChannel = {
  id: string
  kind: 'email' | 'ntfy' | 'discord' | 'slack' | 'push'
  /** Address without its secrets. Null: the server can no longer decrypt it. */
  name: string | null
  /** `unconfirmed`: nobody has opened the link in the mail yet. */
  status: 'active' | 'unconfirmed' | 'paused' | 'disabled'
  /**
   * `unsubscribed`: by a link in a message. `refused`: the address bounces. `gone`: the
   * webhook or subscription has ended. `failing`: it failed for days.
   */
  disabled_for: 'unsubscribed' | 'refused' | 'gone' | 'failing' | null
  /** Why the newest message was not accepted; null if it was. */
  last_error: string | null
  created_at: string
}

export type CreateChannelRequest = {
  kind: 'email' | 'ntfy' | 'discord' | 'slack' | 'push'
  /**
   * E-mail address; URL of an ntfy topic, or of a webhook of Discord or Slack; endpoint of a
   * push subscription.
   */
  address: string
  /** Access token of an ntfy topic. */
  token?: string
  /** Keys of a push subscription. */
  keys?: {
    /** As the browser encodes it. */
    p256dh: string
    /** As the browser encodes it. */
    auth: string
  }
}

export type ListChannelsResponse = {
  data: AlertChannel[]
  meta: ChannelsMeta
  rate_limit: RateLimit
}

export type ChannelsMeta = {
  /** Channels that the account can have. */
  channels_max: number
  /** False: the server has no mail server. */
  sends_mail: boolean
  /** Public key for push subscriptions (`applicationServerKey`). */
  push_key: string
}

export type UpdateChannelResponse = { data: AlertChannel; rate_limit: RateLimit }

export type UpdateChannelRequest = { is_paused: boolean }

export type DeleteChannelResponse = { data: AlertChannel; rate_limit: RateLimit }

export type TestChannelResponse = { data: ChannelTest; rate_limit: RateLimit }

export type ChannelTest = {
  /** Why the test was not accepted; null if it was. */
  error: string | null
}

export type RequestChannelConfirmationResponse = { data: AlertChannel; rate_limit: RateLimit }

export type GetAlertPreferencesResponse = { data: AlertPreferences; rate_limit: RateLimit }

export type AlertPreferences = {
  /** Hour (UTC) of the daily digest. Null: each alert is sent at once. */
  digest_hour: number | null
}

export type UpdateAlertPreferencesResponse = { data: AlertPreferences; rate_limit: RateLimit }

export type UpdateAlertPreferencesRequest = {
  /** Hour (UTC) of the digest; null for single messages. */
  digest_hour: number | null
}

export type UnsubscribeChannelResponse = { data: LinkedChannel }

export type LinkedChannel = { kind: 'email' | 'ntfy' | 'discord' | 'slack' | 'push' }

export type ConfirmChannelResponse = { data: LinkedChannel }

export type CreateWebhookResponse = { data: CreatedWebhook; rate_limit: RateLimit }

export type CreatedWebhook = Webhook & {
  /** Secret that signs deliveries. It is shown only here. */
  secret: string
}

export type Webhook = {
  id: string
  url: string
  card_id: number
  /** Null: the card is not in the catalog. */
  card_name: string | null
  /** Null: the most expensive one. */
  printing: string | null
  /** `above` or `below`, inclusive of the threshold. */
  condition: string
  /** In `currency`; US dollars without it. */
  threshold: number
  /** Currency of the threshold. Only with a webhook that has chosen one or a source. */
  currency?: string
  /** Only beside `currency`; null: those of the currency. */
  source?: string | null
  /** `low` (any price), `medium` or `high`. */
  min_confidence: string
  /** `active`, `paused` or `disabled`. */
  status: string
  /**
   * `paused`: by its owner. `tier`: the tier is too low. `gone`: the URL answered 410.
   * `failing`: it failed for days.
   */
  status_reason: string | null
  created_at: string
  updated_at: string
  /** The newest alert of the last 30 days. */
  last_alert_at: string | null
  /** Until then, deliveries are also signed with the previous secret. */
  previous_secret_until: string | null
}

export type CreateWebhookRequest = {
  /** URL that receives alerts, such as `https://shop.example/alerts`. */
  url: string
  /** ID on the marketplace. */
  card_id: number
  /** At or above the threshold, or at or below it. */
  condition: 'above' | 'below'
  /** In the currency, or US dollars without one, with at most two decimals. */
  threshold: number
  /** Exact name of a printing. Default: the most expensive one. */
  printing?: string
  /** Least confidence in the price with which an alert is sent; `low`: any. */
  min_confidence?: 'high' | 'medium' | 'low'
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
}

export type ListWebhooksResponse = { data: Webhook[]; rate_limit: RateLimit }

export type GetWebhookResponse = { data: Webhook; rate_limit: RateLimit }

export type UpdateWebhookResponse = { data: UpdatedWebhook; rate_limit: RateLimit }

export type UpdatedWebhook = Webhook & {
  /** Secret that signs deliveries. It is shown only here. */
  secret?: string
}

export type UpdateWebhookRequest = {
  /** URL that receives alerts, such as `https://shop.example/alerts`. */
  url?: string
  /** In the currency, or US dollars without one, with at most two decimals. */
  threshold?: number
  /** Least confidence in the price with which an alert is sent; `low`: any. */
  min_confidence?: 'high' | 'medium' | 'low'
  paused?: boolean
  rotate_secret?: true
}

export type DeleteWebhookResponse = { data: Webhook; rate_limit: RateLimit }

export type ListWebhookDeliveriesResponse = {
  data: WebhookDelivery[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type WebhookDelivery = {
  /** Sent as `webhook-id` with every attempt. */
  id: string
  webhook_id: string
  /** `alert` or `test`. */
  kind: string
  /** `pending`, `delivered` or `dead`. */
  state: string
  /** Body of the delivery. */
  payload: Record<string, unknown>
  created_at: string
  /** Null also during an attempt. */
  next_attempt_at: string | null
  /** When it was delivered, or failed permanently. */
  ended_at: string | null
  /** The newest 20 attempts, oldest first. */
  attempts: DeliveryAttempt[]
}

export type DeliveryAttempt = {
  at: string
  /** Status of the response; null if there was none. */
  status: number | null
  /** Why the attempt failed; null if it succeeded. */
  error: string | null
  latency_ms: number
  /** Beginning of the response body. */
  answer: string | null
}

export type SendTestDeliveryResponse = { data: WebhookDelivery; rate_limit: RateLimit }

export type RedeliverWebhookResponse = { data: WebhookDelivery; rate_limit: RateLimit }

export type GetOperatorStatusResponse = { data: OperatorStatus; rate_limit: RateLimit }

export type OperatorStatus = {
  /** Version of Cardstock. */
  version: string
  started_at: string
  /** True if other servers with the same data folder may listen on the port. */
  is_port_shared: boolean
  now: string
  requests: RequestCounts
  catalog: CatalogStatus
  sync: SyncState
  games: GameStatus[]
  /** Further sources of prices. */
  sources: SourceStatus[]
  exchange_rates: ExchangeRateStatus | null
  /**
   * Servers that share the ledger, this one first; null without `LEDGER_URL`. Their jobs and
   * errors are included.
   */
  servers: ServerStatus[] | null
  jobs: JobStatus[]
  reader: ReaderStatus
  pictures: PictureIndexStatus
  deliveries: DeliveryStatus
  accounts: AccountCounts
  disk: DiskStatus
  backups: BackupStatus | null
  /** The last 50 errors since the start, newest first. */
  errors: LoggedError[]
}

export type RequestCounts = {
  /** Responses since the start. */
  answered: number
  /** Responses with a 5xx status. */
  failed: number
}

export type CatalogStatus = { version: number; published_at: string | null; changed_at: string }

export type SyncState = {
  /** Host and path of the mirror; null if none is configured. */
  upstream: string | null
  /** True if the catalog comes from a bucket. */
  is_replica: boolean
  /** True if a sync or import is running, also outside the server. */
  is_running: boolean
  progress: SyncProgress | null
  last: SyncStatus | null
}

/** Progress of a sync that this server runs; null if none does. */
export type SyncProgress = {
  /** Sets read. */
  done: number
  /** Sets to read. */
  total: number
}

export type SyncStatus = {
  started_at: string
  ended_at: string
  outcome: 'complete' | 'incomplete' | 'failed'
  published_at: string | null
  games: number
  sets_read: number
  cards_read: number
  prices_changed: number
  /** Invalid records that were skipped. */
  bad_records: number
  failure_count: number
  /** The first 20 failures. */
  failures: SyncFailure[]
}

export type SyncFailure = {
  /** Slug of the game, or `all`. */
  game: string
  set_id: number | null
  message: string
}

export type GameStatus = {
  slug: string
  name: string
  priority: number
  set_count: number
  card_count: number
  last_synced_at: string | null
  published_at: string | null
  /** True if the game missed its refresh. */
  is_stale: boolean
  stale_since: string | null
  last_error: GameError | null
}

/** Why the last sync could not refresh the game; null if it could. */
export type GameError = { at: string; message: string }

export type SourceStatus = {
  source: string
  /** Slug of the game of the file; null: all games. */
  game: string | null
  published_at: string | null
  /** True if its last import failed. */
  is_stale: boolean
  /** Reason of the failed import. */
  last_error: string | null
}

/** Null on a server without rates that fetches none. */
export type ExchangeRateStatus = {
  newest_date: string | null
  /** True if they are older than four working days. */
  is_stale: boolean
}

export type ServerStatus = {
  /** Machine and port, as in `cards-1:8080`. */
  name: string
  /** Version of Cardstock. */
  version: string
  started_at: string
  seen_at: string
  /** True after 30 seconds without a report: it may have been killed. */
  is_silent: boolean
  /** State of the photo reader; null if the server has another version. */
  reader: 'off' | 'ready' | 'not ready' | null
}

export type JobStatus = {
  name: string
  is_running: boolean
  /** Runs since the start, like `failures`. */
  runs: number
  failures: number
  last_started_at: string | null
  last_ended_at: string | null
  last_outcome: JobOutcome | null
  next_at: string | null
  /** Server of the last run or the error; null if no other server shares the ledger. */
  server: string | null
}

export type JobOutcome = 'done' | 'failed'

export type ReaderStatus = {
  /** Workers that read photos. */
  workers: number
  state: 'off' | 'ready' | 'not ready'
  /** Photos that wait for a worker. */
  waiting: number
  /** Photos in progress. */
  reading: number
  /** Workers that were replaced since the start. */
  replaced: number
  /** Indexed card images. */
  pictures: number
}

export type PictureIndexStatus = {
  /** True if pictures of cards are fetched and indexed. */
  is_enabled: boolean
  /** Cards that have a picture. */
  cards: number
  /** Pictures that were never tried. */
  waiting: number
  /** Cards that a photo can match by their picture. */
  indexed: number
}

export type DeliveryStatus = {
  /** Allowed receivers: `public`, or `loopback-ok` for this machine, too. */
  network: string
  watches: number
  /** Deliveries that wait for their first or next attempt. */
  pending: number
  /** Pending deliveries that are due. */
  due: number
  /** Age of the oldest due delivery; 0 if none is due. */
  oldest_due_seconds: number
  /** Deliveries that failed permanently in the last 30 days. */
  dead: number
}

export type AccountCounts = {
  total: number
  /** Scans used on this UTC day. */
  scans_today: number
}

export type DiskStatus = {
  files: FileSize[]
  /** Null: the data folder is missing. */
  total_bytes: number | null
  /** Free space available to this process. */
  free_bytes: number | null
}

export type FileSize = { name: string; bytes: number }

/** Complete backups on the disk; null if backups are disabled. */
export type BackupStatus = { newest_at: string | null; count: number; bytes: number }

export type LoggedError = {
  at: string
  event: string
  message: string
  request_id: string | null
  /** Server of the last run or the error; null if no other server shares the ledger. */
  server: string | null
}

export type StartSyncResponse = { data: SyncStarted; rate_limit: RateLimit }

export type SyncStarted = { state: 'started' }

export type StartSyncRequest = {
  /** Slug or ID of the only game to sync. */
  game?: string
  /** Fetch everything again, and skip the sanity checks. */
  force?: boolean
}

export type GetSettingsResponse = { data: ServiceSettings; rate_limit: RateLimit }

export type ServiceSettings = {
  /** True if the setup is finished. */
  is_finished: boolean
  mode: ModeSetting
  mirror: MirrorSetting
  index_pictures: PictureSetting
  exchange_rates: RatesSetting
  /** True if the catalog comes from a bucket. */
  is_replica: boolean
  /** True if the catalog has the games of the sample. */
  has_sample: boolean
}

export type ModeSetting = {
  value: 'private' | 'community' | 'business'
  /**
   * `environment`: set for the server, and cannot be changed here. `default`: nobody has
   * chosen.
   */
  source: 'environment' | 'stored' | 'default'
}

export type MirrorSetting = {
  /** Host and path of the mirror, or null. */
  value: string | null
  /**
   * `environment`: set for the server, and cannot be changed here. `default`: nobody has
   * chosen.
   */
  source: 'environment' | 'stored' | 'default'
}

export type PictureSetting = {
  value: boolean
  /**
   * `environment`: set for the server, and cannot be changed here. `default`: nobody has
   * chosen.
   */
  source: 'environment' | 'stored' | 'default'
}

export type RatesSetting = {
  /** True if reference rates are fetched. */
  value: boolean
  /**
   * `environment`: set for the server, and cannot be changed here. `default`: nobody has
   * chosen.
   */
  source: 'environment' | 'stored' | 'default'
}

export type ChangeSettingsResponse = { data: ServiceSettings; rate_limit: RateLimit }

export type ChangeSettingsRequest = {
  mode?: 'private' | 'community' | 'business'
  /** Root of a mirror, with `https://`. Empty: none. */
  mirror?: string
  /** Delete the sample after the next sync. */
  remove_sample?: boolean
  index_pictures?: boolean
  /** Fetch the daily reference rates of the European Central Bank. */
  exchange_rates?: boolean
  /** `true` ends the setup. */
  finish?: boolean
}

export type IdentifyCardResponse = { data: Identification; meta: ScanMeta; rate_limit?: RateLimit }

export type Identification = {
  id: string
  /** `matched`, `ambiguous`, `retake`, `not_found` or `unsupported`. */
  status: string
  /** For `retake`, what to fix. */
  message: string | null
  read: Reading
  /** At most ten, best first. */
  candidates: Candidate[]
  warnings: string[]
}

/** Text and features read from the photo. Unreadable ones are empty, not guessed. */
export type Reading = {
  game: string
  name: string
  number: string
  set: string
  language: string
  /** Such as `raw` or `graded slab`. */
  kind: string
  product_type: string
  finish: string
  /** `unclear` if it cannot be determined. */
  stamp: string | null
  grade: string
  readable: ReadableParts
  notes: string
}

export type ReadableParts = { name: boolean; number: boolean; set: boolean }

export type Candidate = {
  card_id: number
  marketplace_id: number
  name: string
  number: string | null
  rarity: string | null
  product_type: string | null
  set: CandidateSet
  game: CandidateGame
  image_url: string | null
  match: CandidateMatch
  printings: string[]
  suggested_printing: string | null
  score: number
  /** Prices of the raw card; or of the grade of a slab, if it was read and has a price. */
  prices?: Price[]
}

export type CandidateSet = { id: number; name: string; code: string | null }

export type CandidateGame = { slug: string; name: string }

export type CandidateMatch = {
  /** `exact`, `partial` or `unknown`. */
  number: string
  /** Share of agreeing words, 0 to 1. */
  name: number
  /** Share of agreeing words, 0 to 1. */
  set: number
  edition: boolean
}

export type ScanMeta = {
  /** `scan`, or `payment` if the photo was paid for by itself. */
  charged: string | null
  scans_remaining: number
}

export type IdentifyCardForm = {
  /** JPEG, PNG or WebP, at most 8 MB. */
  image: Blob
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /**
   * `prices` adds the current prices of the first candidate, `confidence` the prices and how
   * reliable each is.
   */
  include?: 'prices' | 'confidence' | 'prices,confidence'
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
}

export type IdentifyCardRequest = {
  /**
   * Base64 or base64url, or a data URL with it. Line breaks and blanks are ignored; padding is
   * optional.
   */
  image: string
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /**
   * `prices` adds the current prices of the first candidate, `confidence` the prices and how
   * reliable each is.
   */
  include?: 'prices' | 'confidence' | 'prices,confidence'
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
}

export type IdentifyPageResponse = { data: IdentifiedPage; meta: PageMeta; rate_limit: RateLimit }

export type IdentifiedPage = {
  photo: PhotoSize
  /** By rows and columns. */
  cards: PageCard[]
  /** Cards that were found and not read. They use no scan. */
  unread: UnreadCard[]
}

/** Size of the photo in pixels, upright. */
export type PhotoSize = { width: number; height: number }

export type PageCard = Identification & {
  /** Row of the card, from 1 at the top. */
  row: number
  /** Column of the card, from 1 at the left. */
  column: number
  /** Four corners in pixels of the photo, from the top left of the card, clockwise. */
  outline: PhotoPoint[]
}

export type PhotoPoint = { x: number; y: number }

export type UnreadCard = {
  /** Row of the card, from 1 at the top. */
  row: number
  /** Column of the card, from 1 at the left. */
  column: number
  /** Four corners in pixels of the photo, from the top left of the card, clockwise. */
  outline: PhotoPoint[]
  /**
   * `scans`: no scans are left. `max_scans`: the limit of the request is reached. `reader`:
   * the photo reader failed. `time`: the photo took too long.
   */
  reason: string
}

export type PageMeta = {
  /** Scans that the photo used. */
  scans_charged: number
  scans_remaining: number
}

export type IdentifyPageForm = {
  /** JPEG, PNG or WebP, at most 16 MB. */
  image: Blob
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /**
   * `prices` adds the current prices of the first candidate, `confidence` the prices and how
   * reliable each is.
   */
  include?: 'prices' | 'confidence' | 'prices,confidence'
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
  /** Most scans to be used. Further cards stay unread. */
  max_scans?: number
}

export type IdentifyPageRequest = {
  /**
   * Base64 or base64url, or a data URL with it. Line breaks and blanks are ignored; padding is
   * optional.
   */
  image: string
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /**
   * `prices` adds the current prices of the first candidate, `confidence` the prices and how
   * reliable each is.
   */
  include?: 'prices' | 'confidence' | 'prices,confidence'
  /**
   * Currency of the prices, such as `EUR`: of its native source where that has a price, else
   * converted. Default: prices of `tcgplayer` in US dollars. With `currency` or `source`, each
   * price names its origin.
   */
  currency?: string
  /**
   * Only prices of this source, such as `tcgplayer` or `cardmarket`; in its own currency
   * without `currency`. `/v1/meta` lists the sources.
   */
  source?: string
  /** Most scans to be used. Further cards stay unread. */
  max_scans?: number
}

export type GetScanUsageResponse = { data: ScanUsage; rate_limit: RateLimit }

export type ScanUsage = {
  balance: number
  /** Used scans whose payment was refunded. The next scans settle it. */
  debt: number
  /** True if the first identification still adds 25 free scans. */
  trial_pending: boolean
  days: ScanDay[]
  ledger: ScanAddition[]
}

export type ScanDay = {
  date: string
  /** Photos that were identified. */
  scans: number
  /** Photos whose scan was refunded. */
  refunded: number
  matched: number
  ambiguous: number
  retake: number
  not_found: number
  unsupported: number
}

export type ScanAddition = {
  /** `trial`, `purchase`, `grant`, or `reinstatement` after a dispute. */
  reason: string
  scans: number
  amount_cents: number | null
  created_at: string
}

export type GetIdentificationResponse = { data: ReviewedIdentification; rate_limit: RateLimit }

export type ReviewedIdentification = Identification & { feedback: Feedback | null }

export type Feedback = {
  /** ID of the correct card; null if it is not in the catalog. */
  card_id: number | null
  created_at: string
}

export type SendIdentificationFeedbackResponse = {
  data: ReviewedIdentification
  rate_limit: RateLimit
}

export type SendIdentificationFeedbackRequest = {
  /** ID of the correct card; null if it is not in the catalog. */
  card_id: number | null
}

export type CreateScanSessionResponse = { data: ScanSessionTotals; rate_limit: RateLimit }

export type ScanSessionTotals = ScanSession & {
  /** Value of the reviewed items with a known price. */
  value: number
  /** Reviewed items without a known price, which the value does not include. */
  unpriced: number
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
}

export type ScanSession = {
  id: string
  name: string
  item_count: number
  copies: number
  /** Items that are not reviewed. */
  open: number
  photo_count: number
  /** Scans that its photos used. */
  scans_charged: number
  created_at: string
  /** It is kept for 30 days after this. */
  updated_at: string
}

export type CreateScanSessionRequest = {
  /** Name for people. Default: the day. */
  name?: string
  /** Random UUID in lower case that the client chooses. Default: one of the server. */
  id?: string
}

export type ListScanSessionsResponse = {
  data: ScanSession[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type GetScanSessionResponse = { data: ScanSessionTotals; rate_limit: RateLimit }

export type UpdateScanSessionResponse = { data: ScanSessionTotals; rate_limit: RateLimit }

export type UpdateScanSessionRequest = {
  /** Name for people. */
  name: string
}

export type DeleteScanSessionResponse = { data: ScanSession; rate_limit: RateLimit }

export type AddScanSessionPhotoResponse = {
  data: ScanSessionPhotoResult
  meta: ScanSessionPhotoMeta
  rate_limit: RateLimit
}

export type ScanSessionPhotoResult = {
  photo: ScanSessionPhoto
  /** Items of the photo, by rows and columns; after a repetition as they are now. */
  items: ScanSessionItem[]
  /** Cards that were found and not read. They use no scan. */
  unread: UnreadCard[]
  session: ScanSessionTotals
}

export type ScanSessionPhoto = {
  /** Key that the client chose. */
  key: string
  /** Pixels of a photo of many cards; null for one card. */
  width: number | null
  height: number | null
  /** Scans that the photo used when it was stored. */
  scans_charged: number
  created_at: string
}

export type ScanSessionItem = {
  id: string
  /** Key of its photo. */
  photo: string
  /** Row of the card, from 1 at the top. */
  row: number | null
  /** Column of the card, from 1 at the left. */
  column: number | null
  /** Four corners in pixels of the photo, from the top left of the card, clockwise. */
  outline: PhotoPoint[] | null
  identification_id: string
  /** ID of the item of which it is a duplicate. */
  copied_from: string | null
  /** `matched`, `ambiguous`, `retake`, `not_found` or `unsupported`. */
  status: string
  /** For `retake`, what to fix. */
  message: string | null
  read: Reading
  /** At most ten, best first. */
  candidates: Candidate[]
  warnings: string[]
  /** The card: matched, suggested, or chosen. Null until one of the last. */
  card_id: number | null
  name: string | null
  number: string | null
  /** Slug of the game. */
  game: string | null
  set_id: number | null
  set_name: string | null
  image_url: string | null
  printing: string | null
  condition:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Grader and grade, such as `PSA 10`; null for a raw card. */
  grade: string | null
  /** Code such as `en`; null if unknown. */
  language: string | null
  quantity: number
  /** True if the card is certain: matched, chosen or confirmed. */
  is_reviewed: boolean
  /** Price of one copy; null if unknown. */
  market_price: number | null
  /** Value of all copies. */
  value: number | null
  /** Currency of the values. */
  currency: string
  /** Units of the currency per US dollar, if the values are converted. */
  rate?: number
  rate_date?: string
  notes: string[]
  /** Grows with each change. */
  revision: number
  created_at: string
  updated_at: string
}

export type ScanSessionPhotoMeta = PageMeta & {
  /** True if the session had the photo already: it was not charged again. */
  is_repeated: boolean
}

export type AddScanSessionPhotoForm = {
  /** JPEG, PNG or WebP, at most 16 MB. */
  image: Blob
  /** `true`: the photo shows several cards. */
  page?: 'true' | 'false'
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /** Most scans to be used. Further cards stay unread. */
  max_scans?: number
  /**
   * Currency of the values, such as `EUR`: sums in US dollars, converted at the reference
   * rate. Default: `USD`. Prices paid and targets of items stay in US dollars.
   */
  currency?: string
}

export type AddScanSessionPhotoRequest = {
  /**
   * Base64 or base64url, or a data URL with it. Line breaks and blanks are ignored; padding is
   * optional.
   */
  image: string
  /** `true`: the photo shows several cards. */
  page?: 'true' | 'false'
  /** Slug of the game to search in. Default: all games. */
  game?: string
  /** Most scans to be used. Further cards stay unread. */
  max_scans?: number
  /**
   * Currency of the values, such as `EUR`: sums in US dollars, converted at the reference
   * rate. Default: `USD`. Prices paid and targets of items stay in US dollars.
   */
  currency?: string
}

export type ListScanSessionItemsResponse = {
  data: ScanSessionItem[]
  meta: PagingMeta
  rate_limit: RateLimit
}

export type UpdateScanSessionItemResponse = { data: ScanSessionItem; rate_limit: RateLimit }

export type UpdateScanSessionItemRequest = {
  /** ID on the marketplace. */
  card_id?: number
  /** Exact name of a printing of the card. New items: its base printing. */
  printing?: string | null
  /** New items: 1. */
  quantity?: number
  /** New items: `near_mint`, and `unopened` for sealed products. */
  condition?:
    | 'near_mint'
    | 'lightly_played'
    | 'moderately_played'
    | 'heavily_played'
    | 'damaged'
    | 'unopened'
  /** Code of the language. */
  language?:
    | 'en'
    | 'ja'
    | 'de'
    | 'fr'
    | 'it'
    | 'es'
    | 'pt'
    | 'nl'
    | 'pl'
    | 'ru'
    | 'ko'
    | 'zhs'
    | 'zht'
    | 'th'
    | 'id'
    | 'cs'
    | 'hu'
    | 'la'
    | 'he'
    | 'ar'
    | 'grc'
    | 'sa'
    | 'ph'
    | null
  /** Grader and grade, such as `PSA 10`. */
  grade?: string | null
  /** True: the card is right. An item without a card cannot be. */
  is_reviewed?: boolean
  /** Revision on which the change is based: another one is 409. Default: any. */
  revision?: number
}

export type DeleteScanSessionItemResponse = { data: ScanSessionItem; rate_limit: RateLimit }

export type DuplicateScanSessionItemResponse = { data: ScanSessionItem; rate_limit: RateLimit }

export type DuplicateScanSessionItemRequest = {
  /** Random UUID in lower case that the client chooses. Default: one of the server. */
  id?: string
}

export type CollectScanSessionResponse = { data: CollectedScanSession; rate_limit: RateLimit }

export type CollectedScanSession = {
  added: number
  /** Items that were in the collection already. */
  skipped: number
}

export type CollectScanSessionRequest = {
  /** ID of the collection. */
  collection_id: string
}
