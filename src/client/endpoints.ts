// Generated from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change src/http/schemas and generate it again.

export interface paths {
    "/v1/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List games */
        get: operations["listGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/games/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a game */
        get: operations["getGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/games/{slug}/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sets of a game, newest first */
        get: operations["listGameSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sets, newest first
         * @description With `q`, the best matches come first. Needs the Free tier or higher.
         */
        get: operations["listSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a set
         * @description Needs the Free tier or higher.
         */
        get: operations["getSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets/{id}/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cards of a set with their prices, by collector number
         * @description `market_price` and the orders by price and by its change in a week refer to `printing`, or to the base printing without it. Needs the Free tier or higher.
         */
        get: operations["listSetCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of a set, with its rarities and printings
         * @description Totals of the single cards, without sealed products. Needs the Free tier or higher.
         */
        get: operations["getSetSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of a set by day
         * @description Ends in the value of the summary, and changes as the cards with a price on both days do. Limited to the history depth of your tier; `meta.from` is the first day. Needs the Hobby tier or higher.
         */
        get: operations["getSetHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sets/{id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all prices of a set, one per printing
         * @description A card without prices has one row, with nulls. With `updated_after`, it is listed if the card has changed. Needs the Starter tier or higher.
         */
        get: operations["listSetPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a card
         * @description `meta` has the price of the card's base printing. Needs the Free tier or higher.
         */
        get: operations["getCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/marketplace/{marketplace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a card by its marketplace product ID
         * @description Needs the Free tier or higher.
         */
        get: operations["getCardByMarketplaceId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/{id}/reprints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cards of the same name in other sets, newest first
         * @description Cards of the same game, product type and name, ignoring accents and punctuation; also of the same set. Needs the Free tier or higher.
         */
        get: operations["listCardReprints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/by-id/{system}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a card by its ID in another system
         * @description Such as `/v1/cards/by-id/cardmarket/273799`. `include=ids` lists the IDs of a card. Needs the Free tier or higher.
         */
        get: operations["getCardByExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/{id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current prices of a card
         * @description One price per printing. **`data` has two types:** an array, or a single Price if the card has one printing. `[data].flat()` handles both. Needs the Free tier or higher.
         */
        get: operations["getCardPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the price history of a card
         * @description One entry per day, of the base printing and the most expensive other foil, or of the given `printing`. Limited to the history depth of your tier; `meta.from` is the first day. Needs the Hobby tier or higher.
         */
        get: operations["getCardHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cards/{id}/history/detailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the full price history of a card, per printing, with sales
         * @description Needs the Pro tier or higher.
         */
        get: operations["getDetailedCardHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search cards and sealed products
         * @description Words of the name, set (or its code), collector number, rarity, printing, product type or game, in any order; the last can be incomplete. Exact collector numbers come first, then exact names and beginnings; among equals the highest price; promos, jumbo and code cards last. Unknown words are corrected (`meta.corrected_query`) or ignored (`meta.ignored_words`). "reverse holo" finds cards with this printing (`matched_printing`). Needs the Free tier or higher.
         */
        get: operations["searchCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/top-movers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the printings whose price rose or fell most
         * @description Without prices of low confidence and changes by one sale, unless `min_confidence` is `low`. `meta.excluded` counts other omissions: printings below 1.00, changes beyond tenfold. With `currency`: movers of its native source if there are any, else of `tcgplayer`, converted. Needs the Free tier or higher.
         */
        get: operations["listTopMovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/migrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cards that were removed, restored, moved or merged, newest first
         * @description Removed and merged cards keep their ID, page and history, without current prices. Needs the Free tier or higher.
         */
        get: operations["listMigrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current prices of up to 500 cards
         * @description One price per card, of its base printing: the usual edition, then finish (plain, foil, reverse, others); among equals a reliable price, then the cheaper one. Needs the Pro tier or higher.
         */
        get: operations["getBulkPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get up to 100 cards with their prices
         * @description Needs the Pro tier or higher.
         */
        get: operations["getBulkCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the price history of up to 50 cards
         * @description One entry per day and card, as in `/v1/cards/{id}/history`. Needs the Pro tier or higher.
         */
        get: operations["getBulkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export/set/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all cards and prices of a set
         * @description As `bun run export --set ID`. Needs the Pro tier or higher.
         */
        get: operations["exportSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/resolve/marketplace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match marketplace product IDs to cards with their prices
         * @description At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota. A repeated ID is returned and counted once. Needs the Starter tier or higher.
         */
        post: operations["resolveMarketplaceIds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/resolve/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match card names to cards with their prices
         * @description At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota. A repeated item is counted once, and returned once for each different `ref`. A name may be a line of a list; a card whose name is the whole line wins. Needs the Starter tier or higher.
         */
        post: operations["resolveNames"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/resolve/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match the CSV export of an app to cards, with prices and the total
         * @description At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota. Each row is an item, and each printing of which a row has copies. A list without columns is read as such. Needs the Starter tier or higher.
         */
        post: operations["resolveCsv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk/resolve/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match a pasted list to cards, with prices and the total
         * @description Send the text that an app exports, or one card a line. At most 100 items on Starter, 500 on Pro and 1,000 on Business; an item costs 1, 0.5 or 0.1 requests of the daily quota. Each line with a card is an item. Needs the Starter tier or higher.
         */
        post: operations["resolveList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of the whole catalog
         * @description In US dollars. Each catalog version has new files; until they are complete, the previous ones are listed. Needs the Free tier or higher.
         */
        get: operations["listBulkFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-data/{version}/all/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of all games
         * @description Supports `Range` requests. To resume a download, send `If-Range` with the ETag of the part that you have. After a 302, follow `Location` within five minutes, without your key. Needs the Pro tier or higher.
         */
        get: operations["downloadCatalogFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-data/{version}/{game}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a game's cards or prices
         * @description Supports `Range` requests. To resume a download, send `If-Range` with the ETag of the part that you have. After a 302, follow `Location` within five minutes, without your key. Needs the Free tier or higher.
         */
        get: operations["downloadGameFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the version and freshness of the data */
        get: operations["getFreshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the terms of paying for one photo without an account
         * @description x402, version 2. If disabled, all other members are null.
         */
        get: operations["getPaymentInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description A new account has the Free tier. Log in with `POST /v1/auth/login`.
         */
        post: operations["registerAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the operator’s account of a new server
         * @description Works once, with the token that the server prints when it starts. Logs in.
         */
        post: operations["setUpOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Sets the session cookie. It expires after 30 days, or after 7 days without use.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Succeeds even if nobody is logged in.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the account and its sessions */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends all other sessions and sets a new session cookie.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description The session that sends the request continues.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Its browser has to log in again.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all API keys, channels, webhooks and links
         * @description Deactivates API keys, deletes channels and webhooks, ends links of collections, and unlinks the login provider if there is a password.
         */
        delete: operations["endAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data of the account
         * @description The rows of each table, without secrets.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account and all of its data
         * @description Permanent. Keys, sessions, webhooks and links end at once, and a subscription ends without a refund. Payments and scans stay in the books.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a mail to set a new password
         * @description An account with the address gets a link that works once, for an hour. The response is always the same.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token of a mail
         * @description Ends all sessions, and unlinks a login provider that was linked before the address was first confirmed. The response names what still leads into the account.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a mail to confirm an e-mail address
         * @description An account that has not confirmed the address gets a link that works once, for a day.
         */
        post: operations["requestEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm an e-mail address with the token of a mail */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a login with the login provider
         * @description Open the URL within ten minutes, with the cookie of the response. `link` links the account of the session to the login; if the server sends mail, once its address is confirmed.
         */
        post: operations["beginProviderLogin"];
        /** Unlink the login provider */
        delete: operations["unlinkProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Includes deactivated keys, but never the key itself.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Save the key: only this response contains it.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deactivate an API key
         * @description Permanent. Requests with the key are refused from now on.
         */
        delete: operations["deactivateApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of the last 30 days
         * @description `account` counts all credits of the day, `days` and `keys` only requests with API keys.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans and packs of scans with their prices
         * @description Also if billing is disabled: an operator can grant tiers and scans.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/create-checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout for a plan or a pack of scans
         * @description A repeated request returns the same checkout; an account with a subscription gets the link to change it.
         */
        post: operations["createCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a link to manage the subscription
         * @description There, customers change or cancel the plan and see their payments.
         */
        post: operations["createPortalLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collections and wish lists, oldest first */
        get: operations["listCollections"];
        put?: never;
        /** Create a collection or a wish list */
        post: operations["createCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a collection */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        /** Delete a collection with its items and its link */
        delete: operations["deleteCollection"];
        options?: never;
        head?: never;
        /** Rename a collection */
        patch: operations["updateCollection"];
        trace?: never;
    };
    "/v1/collections/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the link of a collection */
        get: operations["getShareLink"];
        put?: never;
        /**
         * Create the link of a collection for everybody
         * @description Ends an earlier link.
         */
        post: operations["shareCollection"];
        /** End the link of a collection */
        delete: operations["unshareCollection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a collection by its link
         * @description Needs no key. Hides prices paid, targets, dates, notes and places.
         */
        get: operations["getSharedCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the items of a collection */
        get: operations["listCollectionItems"];
        put?: never;
        /**
         * Add up to 100 items
         * @description Adds all or none, and each `id` once.
         */
        post: operations["addCollectionItems"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change, move or remove up to 100 items
         * @description A repeated request changes nothing.
         */
        patch: operations["updateCollectionItems"];
        trace?: never;
    };
    "/v1/collections/{id}/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an item */
        delete: operations["deleteCollectionItem"];
        options?: never;
        head?: never;
        /**
         * Change an item
         * @description Omitted members stay the same. Null means unknown.
         */
        patch: operations["updateCollectionItem"];
        trace?: never;
    };
    "/v1/collections/owned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the copies of cards that you own */
        get: operations["listOwnedCopies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/owned/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the cards that you own, by set */
        get: operations["listOwnedSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import the export of a collection app, or a list
         * @description Accepts the files of `/v1/bulk/resolve/csv` and `/list`. Sent again, a file adds nothing, or goes on.
         */
        post: operations["importCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a collection as a file
         * @description `full` has all members, an app fewer, of its games alone.
         */
        get: operations["exportCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all collections as one file
         * @description The columns of `full`, after name and kind of the collection.
         */
        get: operations["exportCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List drafts, and imports that have not ended */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an import, with a page of the rows of its draft */
        get: operations["getImport"];
        put?: never;
        post?: never;
        /**
         * Discard a draft, or undo an import
         * @description Possible for 30 days. Items that have changed stay.
         */
        delete: operations["deleteImport"];
        options?: never;
        head?: never;
        /** Decide about rows of a draft */
        patch: operations["updateImport"];
        trace?: never;
    };
    "/v1/imports/{id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import the accepted rows of a draft
         * @description Sent again, it continues or adds nothing.
         */
        post: operations["importDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the rows of a draft that are not imported */
        get: operations["exportFailedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of a collection
         * @description By game and set, with gains and changes of seven days.
         */
        get: operations["getCollectionSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of a collection over time
         * @description Items count from their date or addition; days begin when 90 % of the value was priced. Days without a rate are skipped.
         */
        get: operations["getCollectionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{id}/completion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the completeness of the sets of a collection
         * @description The most complete first.
         */
        get: operations["getCollectionCompletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List price alerts, oldest first */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create a price alert
         * @description Notifies in the dashboard and on each channel when the price reaches the threshold, again after it has crossed back.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a price alert */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Delete a price alert
         * @description Its notifications stay.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Update a price alert
         * @description A new condition or threshold can notify again.
         */
        patch: operations["updateAlert"];
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List notifications of the last 30 days, newest first */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark notifications as read */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channels for alerts, oldest first */
        get: operations["listChannels"];
        put?: never;
        /**
         * Add a channel for alerts
         * @description A mail address gets a mail to confirm it. Adding an address again enables its channel.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a channel with its messages */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Pause or resume a channel
         * @description Resuming also enables a disabled channel. Pausing discards its waiting messages.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/v1/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test to a channel */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the mail that confirms an address again */
        post: operations["requestChannelConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alert-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the hour of the daily digest */
        get: operations["getAlertPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose a daily digest, or single messages */
        patch: operations["updateAlertPreferences"];
        trace?: never;
    };
    "/v1/unsubscribe/{unsubscribe_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsubscribe by the link of a message
         * @description Mail programs send it from their unsubscribe button (RFC 8058).
         */
        post: operations["unsubscribeChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirm/{confirm_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a mail address with the link that was sent to it */
        post: operations["confirmChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook for a price alert
         * @description Sends an alert when the price reaches the threshold, again after it has crossed back. Only this response has the secret. Needs the Pro tier or higher.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Pending deliveries are deleted, too.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description A new threshold can alert again. `"paused": false` also enables a disabled webhook, and sends the waiting deliveries.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Alerts and test deliveries of the last 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Sent once; the response has the result. Needs the Pro tier or higher.
         */
        post: operations["sendTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/redeliver/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a delivery
         * @description Sends the same ID and body again, starting now, with all retries. Needs the Pro tier or higher.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the service
         * @description Syncs, games, jobs, photo reader, alerts, disk, backups and errors of this server.
         */
        get: operations["getOperatorStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sync
         * @description Follow the sync in the status. Without `game`, every game with new data is synced.
         */
        post: operations["startSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the settings of the service */
        get: operations["getSettings"];
        put?: never;
        /**
         * Change settings of the service
         * @description Omitted members stay the same. Changes take effect at once; a new mirror is read first.
         */
        post: operations["changeSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/history-import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the progress of an import of older prices */
        get: operations["getHistoryImport"];
        put?: never;
        /**
         * Import older prices
         * @description Responds at once; follow the progress with `GET`.
         */
        post: operations["startHistoryImport"];
        /** Cancel an import of older prices */
        delete: operations["cancelHistoryImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/history-import/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an archive of older prices
         * @description Send pieces in order; each can be sent again. Then import `archive`, which is deleted afterwards.
         */
        post: operations["uploadHistoryArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Identify a card from one photo
         * @description Send one photo (JPEG, PNG or WebP, at most 8 MB) as a form, base64 JSON or raw bytes, with options in the query or beside it. Uses one scan, even for a `retake`. An x402 payment in PAYMENT-SIGNATURE can replace the key (`/v1/x402/info`).
         */
        post: operations["identifyCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Identify the cards of one photo
         * @description Send one photo of up to 36 cards (JPEG, PNG or WebP, at most 16 MB), as to `/v1/identify`. Each `matched` or `ambiguous` card, or a photo without a card, uses one scan. Other cards use none, up to 100 a day, then one each.
         */
        post: operations["identifyPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the scan balance and usage */
        get: operations["getScanUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an identification
         * @description Kept for 30 days. The photo itself is never stored.
         */
        get: operations["getIdentification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the correct card
         * @description A later report replaces an earlier one.
         */
        post: operations["sendIdentificationFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List photos whose card was named */
        get: operations["listReferences"];
        put?: never;
        post?: never;
        /** Remove all references of an account */
        delete: operations["deleteReferences"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/references/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a reference */
        delete: operations["deleteReference"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scan sessions, last changed first */
        get: operations["listScanSessions"];
        put?: never;
        /**
         * Create a scan session
         * @description With your own `id`, a repeated request creates no second session. Its name is the day by default.
         */
        post: operations["createScanSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a scan session with its totals */
        get: operations["getScanSession"];
        put?: never;
        post?: never;
        /** Delete a scan session with its items */
        delete: operations["deleteScanSession"];
        options?: never;
        head?: never;
        /** Rename a scan session */
        patch: operations["updateScanSession"];
        trace?: never;
    };
    "/v1/scan-sessions/{id}/photos/{photo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Identify a photo and add its cards to a scan session
         * @description Send one photo (JPEG, PNG or WebP, at most 16 MB) as to `/v1/identify`, under a key that you choose. It costs as much as there, or with `page` as at `/v1/identify/page`. Sent again with its key, it costs nothing.
         */
        post: operations["addScanSessionPhoto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the items of a scan session */
        get: operations["listScanSessionItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions/{id}/items/{item}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an item */
        delete: operations["deleteScanSessionItem"];
        options?: never;
        head?: never;
        /**
         * Correct or confirm an item
         * @description Omitted members stay. Choosing a card marks the item as reviewed; both are feedback on the identification. A new card gets the printing of the photo.
         */
        patch: operations["updateScanSessionItem"];
        trace?: never;
    };
    "/v1/scan-sessions/{id}/items/{item}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a duplicate of an item
         * @description With your own `id`, a repeated request does not add the item twice.
         */
        post: operations["duplicateScanSessionItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the reviewed items of a scan session as a file
         * @description In the formats of `/v1/collections/{id}/export`.
         */
        get: operations["exportScanSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scan-sessions/{id}/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the reviewed items of a scan session to a collection
         * @description Items that are already in the collection stay the same there.
         */
        post: operations["collectScanSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    price_alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a price alert
         * @description Sent to the URL of a webhook when the price reaches its threshold. Verify the signature before you trust the body.
         */
        post: operations["receivePriceAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        PriceAlert: {
            /** @enum {string} */
            event: "price_alert";
            card_id: number;
            card_name: string;
            /** @enum {string} */
            condition: "above" | "below";
            /** @description In `currency`; US dollars without it. */
            threshold: number;
            /** @description In `currency`; US dollars without it. */
            current_price: number;
            /** Format: date-time */
            timestamp: string;
            /** @description Source of the price. Null: no price is known. */
            source?: string | null;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
        };
        ErrorResponse: {
            error: components["schemas"]["ErrorDetails"];
            meta?: components["schemas"]["ErrorMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        ErrorDetails: {
            code: components["schemas"]["ErrorCode"];
            /** @description The problem and its remedy, for people. */
            message: string;
            /** @description Only for `REVISION_CONFLICT`: the current collection or item. */
            current?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Cause, for programs. `/guides/errors` has the remedy of each.
         * @enum {string}
         */
        ErrorCode: "API_KEY_REQUIRED" | "BILLING_UNAVAILABLE" | "BODY_TOO_LARGE" | "CHANNEL_UNAVAILABLE" | "COLLECTION_FULL" | "CROSS_ORIGIN_REJECTED" | "EMAIL_TAKEN" | "EMAIL_UNCONFIRMED" | "FORMAT_UNAVAILABLE" | "IDENTIFY_REGION_UNAVAILABLE" | "IDENTIFY_UNAVAILABLE" | "IDENTITY_TAKEN" | "ID_TAKEN" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_CREDENTIALS" | "INVALID_GAME" | "INVALID_IMAGE" | "INVALID_SIGNATURE" | "INVALID_WEBHOOK_URL" | "INVITATION_REQUIRED" | "LINK_INVALID" | "LOGIN_FAILED" | "LOGIN_PROVIDER_UNAVAILABLE" | "METHOD_NOT_ALLOWED" | "METRICS_TOKEN_INVALID" | "MIRROR_UNUSABLE" | "NOT_FOUND" | "OPERATOR_REQUIRED" | "PASSWORD_REQUIRED" | "PAYMENT_INVALID" | "PAYMENT_PENDING" | "PAYMENT_REJECTED" | "PAYMENT_REQUIRED" | "PAYMENT_UNAVAILABLE" | "PAYMENT_VERSION_UNSUPPORTED" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMIT_EXCEEDED" | "RECENT_LOGIN_REQUIRED" | "REGISTRATION_CLOSED" | "REVISION_CONFLICT" | "SCAN_BALANCE_EMPTY" | "SCAN_SESSION_FULL" | "SESSION_REQUIRED" | "SETTING_FIXED" | "SETUP_DONE" | "SETUP_TOKEN_INVALID" | "SYNC_OFF" | "SYNC_RUNNING" | "TIER_REQUIRED" | "TOO_MANY_ALERTS" | "TOO_MANY_ATTEMPTS" | "TOO_MANY_CHANNELS" | "TOO_MANY_COLLECTIONS" | "TOO_MANY_ITEMS" | "TOO_MANY_KEYS" | "TOO_MANY_SCAN_SESSIONS" | "TOO_MANY_WEBHOOKS" | "UNAVAILABLE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "WEBHOOK_PAUSED";
        /** @description Only if a damaged photo used a scan. */
        ErrorMeta: {
            charged: string | null;
            scans_remaining: number;
        };
        RateLimit: {
            daily_limit: number;
            daily_remaining: number;
            /** Format: date-time */
            daily_reset: string;
        };
        ListGamesResponse: {
            data: components["schemas"]["Game"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        Game: {
            id: number;
            name: string;
            slug: string;
            marketplace_id: number;
            /** @description 3: synced daily, 2: every 3 days. */
            priority: number;
            set_count: number;
            card_count: number;
            /** Format: uri */
            image_url: string | null;
            /** Format: uri */
            logo_url: string | null;
            /** Format: date-time */
            last_synced_at: string | null;
        };
        PagingMeta: {
            total: number;
            page: number;
            per_page: number;
            has_more: boolean;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        GetGameResponse: {
            data: components["schemas"]["Game"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        NotesMeta: {
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ListGameSetsResponse: {
            data: components["schemas"]["CardSet"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        CardSet: {
            id: number;
            game_id: number;
            name: string;
            slug: string;
            marketplace_id: number;
            abbreviation: string | null;
            /** Format: date */
            release_date: string | null;
            card_count: number;
            /** @description Cards that are not sealed products. */
            single_count: number;
            /** @description Of these: base printing has a known price. */
            priced_count: number;
            /** @description Sum of these prices. */
            value: number | null;
            /** Format: uri */
            image_url: string | null;
            /** Format: uri */
            set_icon_url: string | null;
            /** Format: date-time */
            last_synced_at: string;
            game_name: string;
            game_slug: string;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
        };
        ListSetsResponse: {
            data: components["schemas"]["CardSet"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetSetResponse: {
            data: components["schemas"]["CardSet"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ListSetCardsResponse: {
            data: components["schemas"]["PricedCard"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        PricedCard: components["schemas"]["Card"] & {
            /** @description Name of the base printing. Null: no prices. */
            printing: string | null;
            /** @description Market price of the base printing. */
            market_price: number | null;
            /** @description Source of the price. Null: no price is known. */
            source?: string | null;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
            prices: components["schemas"]["Price"][];
        };
        Card: {
            id: number;
            name: string;
            clean_name: string;
            number: string | null;
            rarity: string | null;
            /** Format: uri */
            image_url: string | null;
            marketplace_id: number;
            marketplace_url: string | null;
            /** @description `Cards` or `Sealed Products`. */
            product_type: string | null;
            /** @description 1 if the card only exists as foil, else 0. */
            foil_only: number;
            total_listings: number;
            /** @description 1 card, 3 box, 4 case. */
            shipping_category_id: number;
            /** @description 1 active, 20 presale. */
            product_status_id: number;
            hp?: string;
            custom_attributes: {
                [key: string]: string | string[];
            };
            set_id: number;
            set_name: string;
            set_slug: string;
            game_id: number;
            game_name: string;
            game_slug: string;
            /** @description With `include=ids`: IDs of the card in other systems. */
            ids?: components["schemas"]["CardId"][];
        };
        CardId: {
            /** @description `tcgplayer`, another marketplace, or a system of the operator. */
            source: string;
            id: string;
            /** @description Printing that the ID identifies. Null: the card. */
            printing: string | null;
        };
        Price: components["schemas"]["PriceFigures"] & {
            card_id: number;
            printing: string;
            /** Format: date-time */
            last_updated_at: string;
        };
        PriceFigures: components["schemas"]["PriceOrigin"] & {
            /** @description With `all`, and for a graded card on a photo: such as `near_mint`. Null: unknown to the source, or graded. */
            condition?: string | null;
            /** @description With `all`, and for a graded card on a photo: `PSA 10`, or `Grade 9` of any grader. Null: a raw card. */
            grade?: string | null;
            /** @description Median of recent sales. */
            market_price: number | null;
            /** @description Lowest verified listing price. */
            low_price: number | null;
            /** @description Median listing price across sellers. */
            median_price: number | null;
            /** @description Lowest listing with shipping. */
            lowest_with_shipping: number | null;
            /** @description Price that stores pay. */
            buylist_price: number | null;
            /** @description With `all`: sales behind the market price; null if unknown. */
            sale_count?: number | null;
            /** @description In percent; null if unknown. */
            price_change_24h: number | null;
            /** @description In percent; null if unknown. */
            price_change_7d: number | null;
            /** @description In percent; null if unknown. */
            price_change_30d: number | null;
            /** @description With `all`: days since `last_updated_at`. */
            age_days?: number;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            confidence_reasons?: string[];
        };
        PriceOrigin: {
            /** @description Source of the price. Null: no price is known. */
            source?: string | null;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
        };
        GetSetSummaryResponse: {
            data: components["schemas"]["SetSummary"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SetSummary: {
            cards: number;
            /** @description Cards whose base printing has a known price. */
            priced: number;
            /** @description Sum of the prices. */
            value: number;
            /** @description Part of `value` of low confidence. */
            low_confidence_value: number;
            /** @description Cards of that part. */
            low_confidence_cards: number;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
            /** @description Most common first. */
            rarities: components["schemas"]["NamedCount"][];
            /** @description Most common first. */
            printings: components["schemas"]["NamedCount"][];
        };
        NamedCount: {
            name: string;
            cards: number;
        };
        GetSetHistoryResponse: {
            data: components["schemas"]["SetValue"][];
            meta: components["schemas"]["HistoryMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SetValue: {
            /** Format: date */
            date: string;
            /** @description Value of one of each card in its base printing. */
            value: number;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
            /** @description Cards behind the value. If `chained`: with a price on this day and the next one (0: the value stays), else those in the sum. */
            cards: number;
            /** @description False on the newest day, a sum. Earlier values follow from the next day by the change of `cards` cards. */
            chained: boolean;
        };
        HistoryMeta: {
            range: string;
            /** Format: date */
            from: string | null;
            /** Format: date */
            to: string;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ListSetPricesResponse: {
            data: components["schemas"]["SetPrice"][];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SetPrice: components["schemas"]["PriceFigures"] & {
            card_id: number;
            name: string;
            number: string | null;
            rarity: string | null;
            marketplace_id: number;
            product_type: string | null;
            foil_only: number;
            /** @description Null: the card has no prices. */
            printing: string | null;
            /** Format: date-time */
            last_updated_at: string | null;
        };
        GetCardResponse: {
            data: components["schemas"]["Card"];
            meta: components["schemas"]["CardMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CardMeta: components["schemas"]["PriceOrigin"] & {
            /** @description Name of the base printing. Null: no prices. */
            printing: string | null;
            /** @description Market price of the base printing. */
            market_price: number | null;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            confidence_reasons?: string[];
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        GetCardByMarketplaceIdResponse: {
            data: components["schemas"]["PricedCard"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ListCardReprintsResponse: {
            data: components["schemas"]["PricedCard"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetCardByExternalIdResponse: {
            data: components["schemas"]["PricedCard"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetCardPricesResponse: {
            data: components["schemas"]["Price"][] | components["schemas"]["Price"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetCardHistoryResponse: {
            data: components["schemas"]["PriceHistoryEntry"][] | components["schemas"]["PrintingHistoryEntry"][];
            meta: components["schemas"]["HistoryMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        PriceHistoryEntry: components["schemas"]["PriceOrigin"] & {
            /** Format: date */
            date: string;
            /** @description Name of the base printing. Null: no prices. */
            printing: string | null;
            /** @description Market price of the base printing. */
            market_price: number | null;
            /** @description Lowest price of the base printing. */
            low_price: number | null;
            /** @description Price of the most expensive foil of the same edition beside the base printing. */
            foil_market_price: number | null;
            foil_origin?: components["schemas"]["PriceOrigin"] | null;
        };
        PrintingHistoryEntry: components["schemas"]["PriceOrigin"] & {
            /** Format: date */
            date: string;
            printing: string;
            /** @description Median of recent sales. */
            market_price: number | null;
            /** @description Lowest verified listing price. */
            low_price: number | null;
        };
        GetDetailedCardHistoryResponse: {
            data: components["schemas"]["DetailedHistoryEntry"][];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        DetailedHistoryEntry: components["schemas"]["PrintingHistoryEntry"] & {
            /** @description Average sale price of the day. Null: not published by the upstream. */
            avg_sales_price: number | null;
            /** @description Null: not published by the upstream. */
            sales_volume: number | null;
        };
        SearchCardsResponse: {
            data: components["schemas"]["SearchResult"][];
            meta: components["schemas"]["SearchMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SearchResult: components["schemas"]["Card"] & {
            /** @description Printing of `market_price`: named by the query, else the base printing. Null without prices. Over 2,000 matches are sorted and filtered by the base printing. */
            printing: string | null;
            /** @description Source of the price. Null: no price is known. */
            source?: string | null;
            /** @description ISO 4217 code. */
            currency?: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
            /** @description Price of `printing`, by which results are sorted and filtered. */
            market_price: number | null;
            /** @description Printing that the query names; null if none. */
            matched_printing: string | null;
            prices: components["schemas"]["Price"][];
        };
        SearchMeta: components["schemas"]["PagingMeta"] & {
            /** @description Words that were searched instead of words that occur nowhere. */
            corrected_query?: string;
            /** @description Words of `q` that no card has beside the others. */
            ignored_words: string[];
        };
        ListTopMoversResponse: {
            data: components["schemas"]["Mover"][];
            meta: components["schemas"]["ListTopMoversMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        Mover: components["schemas"]["PriceOrigin"] & {
            card_id: number;
            marketplace_id: number;
            name: string;
            number: string | null;
            rarity: string | null;
            set_id: number;
            set_name: string;
            game_name: string;
            game_slug: string;
            product_type: string | null;
            foil_only: number;
            printing: string;
            /** @description Market price at the beginning of the period, converted like `market_price`. */
            previous_price: number;
            market_price: number;
            /** @description Change over the period, in percent. */
            price_change: number;
            /** @description Change over the period: `market_price` minus `previous_price`. */
            price_change_amount: number;
            /** Format: uri */
            image_url: string | null;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            confidence_reasons?: string[];
        };
        ListTopMoversMeta: {
            /** @description Printings excluded as implausible. */
            excluded: number;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ListMigrationsResponse: {
            data: components["schemas"]["CardMigration"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CardMigration: {
            /** @description Increases with time. */
            id: number;
            /** @enum {string} */
            kind: "removed" | "restored" | "moved" | "merged";
            card_id: number;
            card_name: string;
            /** @description Card that replaces a `merged` one. */
            new_card_id: number | null;
            /** @description Set that a `moved` card left. */
            old_set_id: number | null;
            /** @description New set of a card that has `moved`. */
            new_set_id: number | null;
            /** Format: date-time */
            created_at: string;
        };
        GetBulkPricesResponse: {
            data: components["schemas"]["SimplifiedPrice"][];
            meta: components["schemas"]["BulkMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SimplifiedPrice: components["schemas"]["PriceOrigin"] & {
            card_id: number;
            /** @description Name of the base printing. Null: no prices. */
            printing: string | null;
            /** @description Market price of the base printing. */
            market_price: number | null;
            /** @description Lowest price of the base printing. */
            low_price: number | null;
            /** @description Price of the most expensive foil of the same edition beside the base printing. */
            foil_market_price: number | null;
            foil_origin?: components["schemas"]["PriceOrigin"] | null;
            /** @description In percent; null if unknown. */
            price_change_24h: number | null;
            /** Format: date-time */
            last_updated_at: string;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            confidence_reasons?: string[];
        };
        BulkMeta: {
            /** @description A repeated ID counts once. */
            total_requested: number;
            /** @description IDs that match no card. */
            not_found: number[];
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        GetBulkCardsResponse: {
            data: components["schemas"]["PricedCard"][];
            meta: components["schemas"]["BulkMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetBulkHistoryResponse: {
            data: {
                [key: string]: components["schemas"]["PriceHistoryEntry"][];
            };
            meta: components["schemas"]["BulkHistoryMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        BulkHistoryMeta: components["schemas"]["HistoryMeta"] & {
            /** @description A repeated ID counts once. */
            total_requested: number;
            /** @description IDs that match no card. */
            not_found: number[];
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ResolveMarketplaceIdsResponse: {
            data: components["schemas"]["ResolvedIds"];
            meta: components["schemas"]["ResolvedIdsMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ResolvedIds: {
            resolved: components["schemas"]["ResolvedId"][];
            /** @description IDs that match no card. */
            not_found: number[];
        };
        ResolvedId: {
            marketplace_id: number;
            card: components["schemas"]["CardReference"];
            prices: components["schemas"]["PrintingPrice"][];
        };
        CardReference: {
            id: number;
            name: string;
            marketplace_id: number;
            game_name: string;
            set_name: string;
            /** Format: uri */
            image_url: string | null;
        };
        PrintingPrice: components["schemas"]["PriceOrigin"] & {
            printing: string;
            /** @description Median of recent sales. */
            market_price: number | null;
            /** @description Lowest verified listing price. */
            low_price: number | null;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            confidence_reasons?: string[];
        };
        ResolvedIdsMeta: {
            /** @description A repeated entry counts once. */
            total_requested: number;
            total_resolved: number;
            /** @description Price in requests of the daily quota. */
            credits_consumed: number;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ResolveMarketplaceIdsRequest: {
            ids: number[];
        };
        ResolveNamesResponse: {
            data: components["schemas"]["ResolvedNames"];
            meta: components["schemas"]["ResolvedNamesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ResolvedNames: {
            results: components["schemas"]["ResolvedName"][];
            unmatched: components["schemas"]["UnmatchedName"][];
        };
        ResolvedName: {
            query: components["schemas"]["NameQuery"];
            /** @description Copies that the name mentions, as in `4x Absol`; else 1. */
            quantity: number;
            match: components["schemas"]["NameMatch"];
            alternatives: components["schemas"]["CardSummary"][];
        };
        /** @description The item as it was sent, with your `ref`. */
        NameQuery: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        NameMatch: {
            card: components["schemas"]["CardSummary"];
            prices: components["schemas"]["Price"][];
            /** @description `exact`: equal names. `high`: the name of the card starts with the given one. `medium`: it contains the given one, or that was corrected. */
            confidence: string;
            /**
             * @description `certain`: an ID, or an exact name with the set and number that are named. `assumed`: an exact name alone. `guessed`: all else.
             * @enum {string}
             */
            certainty: "certain" | "assumed" | "guessed";
            /** @description Name that was searched instead. */
            corrected_name?: string;
        };
        CardSummary: components["schemas"]["CardReference"] & {
            number: string | null;
            game_slug: string;
            set_slug: string;
        };
        UnmatchedName: {
            query: components["schemas"]["NameQuery"];
            name: string;
            /** @description `no_match`, `game_not_found`, `set_not_found` or `name_too_short`. */
            reason: string;
        };
        ResolvedNamesMeta: {
            /** @description A repeated entry counts once. */
            total_requested: number;
            total_matched: number;
            /** @description Price in requests of the daily quota. */
            credits_consumed: number;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ResolveNamesRequest: {
            items: components["schemas"]["NameItem"][];
        };
        NameItem: {
            /** @description Name of a card, or a line of a list: `4 Absol ROS 40`, `1 Sol Ring (CMR) 472 *F*`. */
            name: string;
            /** @description Slug of a game. */
            game?: string | null;
            /** @description Slug, code or name of a set. */
            set?: string | null;
            /** @description Collector number. It narrows the match. */
            number?: string | null;
            /** @description Printing such as `Foil`. Restricts the match to cards with it, and the prices to it. */
            printing?: string | null;
            ref?: (string | number) | null;
        };
        ResolveCsvResponse: {
            data: components["schemas"]["PricedCollection"];
            meta: components["schemas"]["CollectionMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        PricedCollection: {
            rows: components["schemas"]["CollectionRow"][];
            unmatched: components["schemas"]["UnmatchedRow"][];
            /** @description Value of all rows with a known price. */
            total_value: number | null;
            /** @description Currency of the values; by default US dollars. */
            currency?: string;
            columns?: components["schemas"]["ColumnUse"][];
        };
        CollectionRow: {
            /** @description Row after the header, or line of a list, from 1. */
            row: number;
            /** @description Section of a list: `main`, `sideboard`, `commander`, `companion` or `maybeboard`. */
            section?: string;
            quantity: number;
            query: components["schemas"]["CollectionQuery"];
            match: components["schemas"]["CollectionMatch"];
            /** @description Value of all copies. */
            value: number | null;
            alternatives: components["schemas"]["CardSummary"][];
            /** @description Parts of the row that were ignored. */
            notes: string[];
        };
        CollectionQuery: {
            name: string | null;
            game: string | null;
            set: string | null;
            number: string | null;
            printing: string | null;
            product_id: string | null;
        };
        CollectionMatch: components["schemas"]["PriceOrigin"] & {
            card: components["schemas"]["CardSummary"];
            printing: string | null;
            /** @description Price of one copy. */
            market_price: number | null;
            /** @description Lowest verified listing price. */
            low_price: number | null;
            /** @description `exact`: equal names. `high`: the name of the card starts with the given one. `medium`: it contains the given one, or that was corrected. */
            confidence: string;
            /**
             * @description `certain`: an ID, or an exact name with the set and number that are named. `assumed`: an exact name alone. `guessed`: all else.
             * @enum {string}
             */
            certainty: "certain" | "assumed" | "guessed";
            /** @description Name that was searched instead. */
            corrected_name?: string;
            /**
             * @description With `include=confidence`: how reliable `market_price` is.
             * @enum {string}
             */
            price_confidence?: "high" | "medium" | "low";
            /** @description With `include=confidence`: reasons for a level below `high`, such as `unchanged`. */
            price_confidence_reasons?: string[];
        };
        UnmatchedRow: {
            row: number;
            /** @description Section of a list: `main`, `sideboard`, `commander`, `companion` or `maybeboard`. */
            section?: string;
            query: components["schemas"]["CollectionQuery"];
            name: string | null;
            reason: string;
            alternatives?: components["schemas"]["CardSummary"][];
        };
        ColumnUse: {
            header: string;
            /** @description Such as `name`; `unknown_quantity` if it looks like one; null if unused. */
            use: string | null;
        };
        CollectionMeta: {
            total_requested: number;
            total_matched: number;
            /** @description Matched rows without a known price. */
            unpriced: number;
            /** @description Price in requests of the daily quota. */
            credits_consumed: number;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        ResolveCsvForm: {
            /**
             * Format: binary
             * @description At most 5 MB.
             */
            file: Blob;
        };
        ResolveListResponse: {
            data: components["schemas"]["PricedCollection"];
            meta: components["schemas"]["CollectionMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ResolveListRequest: {
            /** @description The list, with line breaks. */
            list: string;
            /** @description Slug of the game; overrides the parameter. */
            game?: string | null;
        };
        ResolveListForm: {
            /** Format: binary */
            file: Blob;
        };
        ListBulkFilesResponse: {
            data: components["schemas"]["BulkFile"][];
            meta: components["schemas"]["BulkFilesMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        BulkFile: {
            /** @description `cards`, `prices`, `catalog` with both, or `history`. */
            type: string;
            /** @description Slug of a game, or `all`. */
            game: string;
            /** @description `jsonl.gz`, `csv.gz`, `sqlite.gz` or `tar.zst`. */
            format: string;
            /** @description Of a history: `YYYY-MM`. */
            month?: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Bytes of the download. */
            size: number;
            /** @description Hash of the downloaded bytes. */
            sha256: string;
            rows: number;
            /** Format: uri */
            download_url: string;
        };
        BulkFilesMeta: {
            /** @description Catalog version of the files. */
            version: number | null;
            /** Format: date-time */
            built_at: string | null;
            /** @description Parameters that were ignored, and what to use instead. */
            notes?: string[];
        };
        GetFreshnessResponse: {
            data: components["schemas"]["Freshness"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        Freshness: {
            /** @description Increases with every change of the catalog. */
            version: number;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            changed_at: string;
            /** @description True if a game missed its refresh. */
            stale: boolean;
            counts: components["schemas"]["CatalogCounts"];
            games: components["schemas"]["GameFreshness"][];
            price_source: components["schemas"]["PriceSource"];
            last_sync: components["schemas"]["LastSync"] | null;
            /** @description Further sources of prices; omitted if the mirror is the only source. */
            sources?: components["schemas"]["SourceFreshness"][];
            currencies?: components["schemas"]["Currencies"];
        };
        CatalogCounts: {
            games: number;
            sets: number;
            cards: number;
        };
        GameFreshness: {
            id: number;
            slug: string;
            priority: number;
            card_count: number;
            /** Format: date-time */
            last_synced_at: string | null;
            /** Format: date-time */
            published_at: string | null;
            /**
             * Format: date
             * @description Day of the first price in its histories.
             */
            prices_since: string | null;
            stale: boolean;
            /** Format: date-time */
            stale_since: string | null;
            /** @description True if the game and its prices are invented. */
            is_sample: boolean;
        };
        PriceSource: {
            /** @description Marketplace whose prices are published. */
            marketplace: string;
            /** @description Currency of all prices. */
            currency: string;
            /** @description Host that the prices are read from; null for none, or for a folder. */
            mirror: string | null;
        };
        LastSync: {
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string | null;
            outcome: string | null;
        };
        SourceFreshness: {
            source: string;
            /** @description Slug of the game of the file; null: all games. */
            game: string | null;
            /** Format: date-time */
            published_at: string | null;
            /** @description True if the last import failed. */
            stale: boolean;
            /** @description Reason of the failed import. */
            reason: string | null;
        };
        /** @description Omitted if prices are available only in US dollars. */
        Currencies: {
            /** @description Valid values of `currency`. */
            available: string[];
            /**
             * Format: date
             * @description Day of the newest rates; null without rates.
             */
            rate_date: string | null;
        };
        GetPaymentInfoResponse: {
            data: components["schemas"]["PaymentInfo"];
            meta?: components["schemas"]["NotesMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        PaymentInfo: {
            enabled: boolean;
            x402_version: number | null;
            price: components["schemas"]["PhotoPrice"] | null;
            scheme: string | null;
            /** @description CAIP-2 name of the network. */
            network: string | null;
            asset: components["schemas"]["PaymentAsset"] | null;
            pay_to: string | null;
            /** Format: uri */
            facilitator_url: string | null;
            /** Format: uri */
            resource: string | null;
            max_timeout_seconds: number | null;
            how_to_pay: string | null;
        };
        PhotoPrice: {
            dollars: number;
            /** @description Amount in the smallest unit of the token. */
            atomic: string;
        };
        PaymentAsset: {
            address: string;
            name: string;
            version: string;
            decimals: number;
        };
        RegisterAccountResponse: {
            data: components["schemas"]["Account"];
        };
        Account: {
            id: number;
            email: string;
            /** @description `free`, `hobby`, `starter`, `pro` or `business`. */
            tier: string;
            /** @description True if the account may use `/v1/operator/…`. */
            is_operator: boolean;
            /** Format: date-time */
            created_at: string;
        };
        RegisterAccountRequest: {
            /** Format: email */
            email: string;
            /** @description At least 8 characters, at most 1024 bytes. */
            password: string;
            /** @description Code of an invitation, if the operator requires one. */
            invitation?: string;
        };
        SetUpOperatorResponse: {
            data: components["schemas"]["Account"];
        };
        SetUpOperatorRequest: {
            /** @description Setup token, which the server prints when it starts. */
            token: string;
            /** Format: email */
            email: string;
            /** @description At least 8 characters, at most 1024 bytes. */
            password: string;
        };
        LogInResponse: {
            data: components["schemas"]["Account"];
        };
        LogInRequest: {
            /** Format: email */
            email: string;
            password: string;
        };
        LogOutResponse: {
            data: components["schemas"]["LogoutResult"];
        };
        LogoutResult: {
            /** @description True if there was a session. */
            logged_out: boolean;
        };
        GetAccountResponse: {
            data: components["schemas"]["CurrentAccount"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CurrentAccount: components["schemas"]["Account"] & {
            /** @description True if the server is private, and its operator has admitted the account. */
            is_unlimited: boolean;
            /** @description False if the account only logs in with a provider. */
            has_password: boolean;
            login_provider: components["schemas"]["LoginProviderLink"] | null;
            sessions: components["schemas"]["Session"][];
        };
        LoginProviderLink: {
            /** @description Name of the login provider. */
            label: string;
            /** Format: date-time */
            linked_at: string | null;
        };
        Session: {
            id: string;
            /** @description Browser and system in words; empty if unknown. */
            browser: string;
            /** @description Network of the login, such as `203.0.113.0/24`; empty if unknown. */
            network: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            expires_at: string;
            is_current: boolean;
        };
        ChangePasswordResponse: {
            data: components["schemas"]["Account"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ChangePasswordRequest: {
            current_password: string;
            /** @description At least 8 characters, at most 1024 bytes. */
            new_password: string;
        };
        EndOtherSessionsResponse: {
            data: components["schemas"]["EndedSessions"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        EndedSessions: {
            /** @description Number of ended sessions. */
            ended: number;
        };
        EndSessionResponse: {
            data: components["schemas"]["EndedSessions"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        EndAccessResponse: {
            data: components["schemas"]["EndedAccess"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        EndedAccess: {
            /** @description Deactivated API keys. */
            keys: number;
            /** @description Deleted channels and webhooks. */
            channels: number;
            /** @description Ended links of shared collections. */
            shares: number;
            /** @description Unlinked logins of the login provider. */
            logins: number;
        };
        DeleteAccountResponse: {
            data: components["schemas"]["DeletedAccount"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        DeletedAccount: {
            id: number;
        };
        DeleteAccountRequest: {
            /** @description E-mail address of the account. */
            email: string;
            /** @description Required if the account has one; otherwise the login must be recent. */
            password?: string;
        };
        RequestPasswordResetResponse: {
            data: components["schemas"]["MailRequest"];
        };
        MailRequest: {
            /** @description True, also if no account has the address. */
            is_requested: boolean;
        };
        RequestPasswordResetRequest: {
            /** Format: email */
            email: string;
        };
        ResetPasswordResponse: {
            data: components["schemas"]["PasswordReset"];
        };
        PasswordReset: {
            /** @description E-mail address of the account. */
            email: string;
            /** @description Logins that were unlinked. */
            unlinked_logins: number;
            login_provider: components["schemas"]["LinkedLogin"] | null;
            /** @description Active API keys. */
            keys: components["schemas"]["ActiveKey"][];
            /** @description Channels for alerts, and webhooks. */
            channels: components["schemas"]["AccessChannel"][];
            /** @description Collections with a link, and when it was created. */
            shared_collections: components["schemas"]["LinkedCollection"][];
        };
        LinkedLogin: {
            /** @description Name of the login provider. */
            label: string;
            /** Format: date-time */
            linked_at: string;
        };
        ActiveKey: {
            id: string;
            name: string;
            key_prefix: string;
            last4: string;
            /** Format: date-time */
            created_at: string;
        };
        AccessChannel: {
            id: string;
            /** @enum {string} */
            kind: "email" | "ntfy" | "discord" | "slack" | "push" | "webhook";
            /** @description Address without its secrets; null if it cannot be decrypted. */
            name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        LinkedCollection: {
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
        };
        ResetPasswordRequest: {
            /** @description Token of the link in the mail. */
            token: string;
            /** @description At least 8 characters, at most 1024 bytes. */
            new_password: string;
        };
        RequestEmailConfirmationResponse: {
            data: components["schemas"]["MailRequest"];
        };
        RequestEmailConfirmationRequest: {
            /** Format: email */
            email: string;
        };
        ConfirmEmailResponse: {
            data: components["schemas"]["MailedLink"];
        };
        MailedLink: {
            /** @description E-mail address of the account. */
            email: string;
        };
        ConfirmEmailRequest: {
            /** @description Token of the link in the mail. */
            token: string;
        };
        BeginProviderLoginResponse: {
            data: components["schemas"]["ProviderLogin"];
        };
        ProviderLogin: {
            /** @description Page of the login provider. */
            url: string;
        };
        BeginProviderLoginRequest: {
            /** @description Links the current account instead of logging in. */
            link?: boolean;
        };
        UnlinkProviderResponse: {
            data: components["schemas"]["UnlinkedProvider"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UnlinkedProvider: {
            is_linked: boolean;
        };
        ListApiKeysResponse: {
            data: components["schemas"]["ApiKey"][];
            meta?: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ApiKey: {
            id: string;
            name: string;
            key_prefix: string;
            last4: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            requests_today: number;
            requests_total: number;
        };
        CreateApiKeyResponse: {
            data: components["schemas"]["CreatedApiKey"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CreatedApiKey: components["schemas"]["ApiKey"] & {
            /** @description The API key. */
            key: string;
        };
        CreateApiKeyRequest: {
            /**
             * @description Name of the key.
             * @default Default
             */
            name?: string;
        };
        DeactivateApiKeyResponse: {
            data: components["schemas"]["ApiKey"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetUsageResponse: {
            data: components["schemas"]["Usage"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        Usage: {
            account: components["schemas"]["AccountUsage"];
            days: components["schemas"]["UsageDay"][];
            keys: components["schemas"]["ApiKeyUsage"][];
            subscription: components["schemas"]["Subscription"];
            scans: components["schemas"]["ScanBalance"];
        };
        AccountUsage: components["schemas"]["RateLimit"] & {
            tier: string;
            today_requests: number;
        };
        UsageDay: {
            /** Format: date */
            date: string;
            requests: number;
            /** @description Requests by group of endpoints. */
            groups: {
                [key: string]: number;
            };
        };
        ApiKeyUsage: components["schemas"]["ApiKey"] & {
            days: components["schemas"]["UsageDay"][];
        };
        Subscription: {
            plan: string;
            status: string;
            /** Format: date-time */
            current_period_end: string | null;
            /** @description True if the subscription ends then. */
            cancel_at_period_end: boolean;
            /** @description Plan of the next period. Null: unchanged. */
            next_plan: string | null;
        };
        ScanBalance: {
            balance: number;
            trial_pending: boolean;
        };
        ListPlansResponse: {
            data: components["schemas"]["Offers"];
        };
        Offers: {
            /**
             * @description `stripe`, `manual` (paid to the operator) or `off`.
             * @enum {string}
             */
            provider: "stripe" | "manual" | "off";
            plans: components["schemas"]["PlanOffer"][];
            packs: components["schemas"]["PackOffer"][];
            /**
             * @description Access to registration: anyone, people with an invitation, or nobody.
             * @enum {string}
             */
            registration: "open" | "invite" | "closed";
            /** @description Name of the login provider. Null without one. */
            login_provider: string | null;
            /** @description True if passwords can be reset by mail. */
            has_password_reset: boolean;
        };
        PlanOffer: {
            /**
             * @description Value for `create-checkout`, except `free`.
             * @enum {string}
             */
            plan: "free" | "hobby" | "starter" | "pro" | "business";
            name: string;
            /** @description US cents per month. */
            price_cents: number;
            daily_requests: number;
            /** @description Depth of price histories in days. Null: unlimited; 0: no histories. */
            history_days: number | null;
            /** @description Maximum items of one resolve request. Null: not included. */
            resolve_items: number | null;
            /** @description True if the license allows commercial use. */
            commercial_use: boolean;
            /** @description Features of the tier. */
            features: string[];
        };
        PackOffer: {
            /**
             * @description Value for `create-checkout`.
             * @enum {string}
             */
            pack: "scans_1000" | "scans_5000" | "scans_25000" | "scans_100000";
            scans: number;
            /** @description US cents, paid once. */
            price_cents: number;
        };
        CreateCheckoutResponse: {
            data: components["schemas"]["PaymentLink"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        PaymentLink: {
            /** Format: uri */
            url: string;
            /** @description `checkout`: link to pay. `portal`: link to manage the existing subscription. */
            kind: string;
        };
        CreateCheckoutRequest: {
            /**
             * @description A plan, paid monthly, or a pack of scans.
             * @enum {string}
             */
            plan: "hobby" | "starter" | "pro" | "business" | "scans_1000" | "scans_5000" | "scans_25000" | "scans_100000";
        };
        CreatePortalLinkResponse: {
            data: components["schemas"]["PaymentLink"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CreateCollectionResponse: {
            data: components["schemas"]["Collection"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        Collection: {
            id: string;
            /**
             * @description Owned cards, or a wish list.
             * @enum {string}
             */
            kind: "owned" | "wish";
            name: string;
            item_count: number;
            /** @description Last computed value; null: none yet. */
            value: number | null;
            unpriced: number | null;
            /** @description Why prices do not exactly fit the copies. */
            notes: components["schemas"]["CollectionNote"][];
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            /**
             * Format: date-time
             * @description Time of the values.
             */
            computed_at: string | null;
            /**
             * Format: date-time
             * @description Time of its link; null: none.
             */
            shared_at: string | null;
            /** @description Grows when the name changes. */
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CollectionNote: {
            note: string;
            items: number;
            /** @description Part of the value. */
            value: number;
        };
        CreateCollectionRequest: {
            name: components["schemas"]["Name"];
            /**
             * @description Default: `owned`.
             * @enum {string}
             */
            kind?: "owned" | "wish";
            id?: components["schemas"]["ClientId"];
        };
        /** @description Name for people. */
        Name: string;
        /** @description UUID in lower case, random or of version 7. Default: the server generates one. */
        ClientId: string;
        ListCollectionsResponse: {
            data: components["schemas"]["Collection"][];
            meta: components["schemas"]["CollectionLimits"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionLimits: components["schemas"]["PagingMeta"] & {
            /** @description Collections, and wish lists; null: no limit. */
            collections_max: number | null;
            /** @description Items of each; null: no limit. */
            items_max: number | null;
        };
        GetCollectionResponse: {
            data: components["schemas"]["Collection"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateCollectionResponse: {
            data: components["schemas"]["Collection"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateCollectionRequest: {
            name: components["schemas"]["Name"];
            /** @description Revision to change: another one is a conflict. Default: any. */
            revision?: number;
        };
        DeleteCollectionResponse: {
            data: components["schemas"]["Collection"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ShareCollectionResponse: {
            data: components["schemas"]["ShareLink"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ShareLink: {
            /** @description Token of the link. */
            token: string;
            url: string;
            /** Format: date-time */
            shared_at: string;
        };
        GetShareLinkResponse: {
            data: components["schemas"]["StoredShareLink"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        StoredShareLink: {
            /** @description Null if it cannot be decrypted. */
            url: string | null;
            /** Format: date-time */
            shared_at: string;
        };
        UnshareCollectionResponse: {
            data: components["schemas"]["Collection"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetSharedCollectionResponse: {
            data: components["schemas"]["SharedCollection"];
            meta: components["schemas"]["PagingMeta"];
        };
        SharedCollection: {
            name: string;
            /** @enum {string} */
            kind: "owned" | "wish";
            item_count: number;
            value: number;
            unpriced: number;
            /** @description Why prices do not exactly fit the copies. */
            notes: components["schemas"]["CollectionNote"][];
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            /**
             * Format: date-time
             * @description Time of the values.
             */
            computed_at: string;
            /** Format: date-time */
            updated_at: string;
            items: components["schemas"]["SharedItem"][];
        };
        SharedItem: {
            id: string;
            card_id: number;
            name: string;
            number: string | null;
            /** @description Slug of the game. */
            game: string;
            set_id: number;
            set_name: string;
            /** Format: uri */
            image_url: string | null;
            /** @description Null if the card had none. */
            printing: string | null;
            condition: components["schemas"]["Condition"];
            /** @description Grader and grade, such as `PSA 10`; null for a raw card. */
            grade: string | null;
            /** @description Code such as `en`; null if unknown. */
            language: string | null;
            quantity: number;
            /** @description Price of one copy; null if unknown. */
            market_price: number | null;
            /** @description Value of all copies. */
            value: number | null;
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            notes: string[];
        };
        /**
         * @description New items: `near_mint`, and `unopened` for sealed products.
         * @enum {string}
         */
        Condition: "near_mint" | "lightly_played" | "moderately_played" | "heavily_played" | "damaged" | "unopened";
        ListCollectionItemsResponse: {
            data: components["schemas"]["CollectionItem"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionItem: {
            id: string;
            card_id: number;
            name: string;
            number: string | null;
            /** @description Slug of the game. */
            game: string;
            set_id: number;
            set_name: string;
            /** Format: uri */
            image_url: string | null;
            /** @description Null if the card had none. */
            printing: string | null;
            condition: components["schemas"]["Condition"];
            /** @description Grader and grade, such as `PSA 10`; null for a raw card. */
            grade: string | null;
            /** @description Code such as `en`; null if unknown. */
            language: string | null;
            quantity: number;
            /** @description Price paid for one copy. */
            price_paid: number | null;
            paid_currency: string;
            /** Format: date */
            acquired_on: string | null;
            place: string | null;
            note: string | null;
            /** @description Highest price for one copy. */
            target_price: number | null;
            /** @description True at or below the target. */
            target_reached: boolean;
            /** @description Price of one copy; null if unknown. */
            market_price: number | null;
            /** @description Value of all copies. */
            value: number | null;
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            notes: string[];
            /** @description Value minus the price paid. */
            gain: number | null;
            /** @description Grows with each change. */
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AddCollectionItemsResponse: {
            data: components["schemas"]["CollectionItem"][];
            rate_limit: components["schemas"]["RateLimit"];
        };
        AddCollectionItemsRequest: {
            items: components["schemas"]["NewCollectionItem"][];
        };
        NewCollectionItem: components["schemas"]["ItemFacts"] & {
            id?: components["schemas"]["ClientId"];
            /** @description ID on the marketplace. */
            card_id: number;
        };
        ItemFacts: {
            /** @description Exact name of a printing of the card. New items: its base printing. */
            printing?: string | null;
            condition?: components["schemas"]["Condition"];
            /** @description Grader and grade, such as `PSA 10`. */
            grade?: string | null;
            language?: components["schemas"]["Language"];
            /** @description New items: 1. */
            quantity?: number;
            /** @description For one copy, with at most two decimals. */
            price_paid?: number | null;
            /** @description Currency of `price_paid`. New items: `USD`. */
            paid_currency?: string;
            /** @description Date such as `2026-05-31`. */
            acquired_on?: string | null;
            /** @description Place of the copies, such as a box. */
            place?: string | null;
            /** @description Note for the owner. */
            note?: string | null;
            /** @description Highest price for one copy in US dollars, on a wish list. */
            target_price?: number | null;
        };
        /**
         * @description Code of the language.
         * @enum {string|null}
         */
        Language: "en" | "ja" | "de" | "fr" | "it" | "es" | "pt" | "nl" | "pl" | "ru" | "ko" | "zhs" | "zht" | "th" | "id" | "cs" | "hu" | "la" | "he" | "ar" | "grc" | "sa" | "ph" | null;
        UpdateCollectionItemsResponse: {
            data: components["schemas"]["ItemOutcome"][];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ItemOutcome: {
            id: string;
            /**
             * @description `conflict`: of another revision. `refused`: no such printing.
             * @enum {string}
             */
            outcome: "changed" | "conflict" | "missing" | "refused";
            item: components["schemas"]["CollectionItem"] | null;
        };
        UpdateCollectionItemsRequest: {
            items: components["schemas"]["ChangedCollectionItem"][];
            /** @description Moves them there. Null: removes them. */
            collection_id?: string | null;
        };
        ChangedCollectionItem: components["schemas"]["ItemFacts"] & {
            /** @description ID of the item. */
            id: string;
            revision: number;
        };
        UpdateCollectionItemResponse: {
            data: components["schemas"]["CollectionItem"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateCollectionItemRequest: {
            /** @description Exact name of a printing of the card. New items: its base printing. */
            printing?: string | null;
            condition?: components["schemas"]["Condition"];
            /** @description Grader and grade, such as `PSA 10`. */
            grade?: string | null;
            language?: components["schemas"]["Language"];
            /** @description New items: 1. */
            quantity?: number;
            /** @description For one copy, with at most two decimals. */
            price_paid?: number | null;
            /** @description Currency of `price_paid`. New items: `USD`. */
            paid_currency?: string;
            /** @description Date such as `2026-05-31`. */
            acquired_on?: string | null;
            /** @description Place of the copies, such as a box. */
            place?: string | null;
            /** @description Note for the owner. */
            note?: string | null;
            /** @description Highest price for one copy in US dollars, on a wish list. */
            target_price?: number | null;
            /** @description Revision to change: another one is a conflict. Default: any. */
            revision?: number;
        };
        DeleteCollectionItemResponse: {
            data: components["schemas"]["CollectionItem"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ListOwnedCopiesResponse: {
            data: components["schemas"]["OwnedCopies"][];
            rate_limit: components["schemas"]["RateLimit"];
        };
        OwnedCopies: {
            card_id: number;
            /** @description False for sealed products and removed cards. */
            is_single: boolean;
            collection_id: string;
            printing: string | null;
            condition: components["schemas"]["Condition"];
            grade: string | null;
            language: string | null;
            quantity: number;
        };
        ListOwnedSetsResponse: {
            data: components["schemas"]["OwnedSet"][];
            rate_limit: components["schemas"]["RateLimit"];
        };
        OwnedSet: {
            set_id: number;
            /** @description Different single cards. */
            cards: number;
        };
        ImportCollectionResponse: {
            data: components["schemas"]["CollectionImportReport"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionImportReport: {
            /** @description ID of the import. */
            import_id: string;
            /** @description Rows read so far. */
            rows: number;
            imported: number;
            skipped: number;
            /** @description Items added to the wish list. */
            unowned: number;
            problem_count: number;
            /** @description The first 200. */
            problems: components["schemas"]["CollectionImportProblem"][];
            columns: components["schemas"]["ColumnUse"][];
            /** @description True without room for the rest. */
            is_full: boolean;
            /** @description True if the file was imported before. */
            is_repeated: boolean;
        };
        CollectionImportProblem: {
            /** @description Row of the file. */
            row: number;
            name: string | null;
            /** @description Imported or possible card. */
            card_id: number | null;
            card_name: string | null;
            /** @description Certainty that was not accepted, or other reason. */
            reason: string;
            is_imported: boolean;
            /** @description Other possible cards. */
            alternatives?: {
                id: number;
                name: string;
                set_name: string;
                number: string | null;
            }[];
        };
        ImportCollectionForm: {
            /**
             * Format: binary
             * @description At most 20 MB.
             */
            file: Blob;
        };
        ListImportsResponse: {
            data: components["schemas"]["CollectionImport"][];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionImport: {
            id: string;
            collection_id: string;
            collection_name: string;
            /** @enum {string} */
            state: "draft" | "importing" | "imported" | "undoing" | "undone";
            /** @description Grows with each change. */
            revision: number;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            undo_until: string | null;
            file_name: string | null;
            rows: number;
            columns: components["schemas"]["ColumnUse"][];
            /** @description True if the file was imported before. */
            is_repeated: boolean;
            /** @description Items that the collection can still have; null: no limit. */
            room: number | null;
            totals: {
                /** @enum {string} */
                kind: "guessed" | "assumed" | "not_found" | "skipped" | "certain";
                rows: number;
                accepted: number;
                unowned: number;
                skipped: number;
                value: number;
                accepted_value: number;
            }[];
            /** @description Items added. */
            imported: number;
            /** @description Items added to the wish list. */
            unowned: number;
            /** @description Items removed by the undo. */
            removed: number;
            /** @description The first 200 items that had changed. */
            kept: {
                item_id: string;
                card_id: number;
                name: string;
            }[];
            kept_count: number;
            entries: components["schemas"]["ImportRow"][];
        };
        ImportRow: {
            id: string;
            row: number;
            /** @enum {string} */
            kind: "guessed" | "assumed" | "not_found" | "skipped" | "certain";
            /**
             * @description Only accepted rows are imported.
             * @enum {string}
             */
            state: "open" | "accepted" | "skipped";
            is_changed: boolean;
            text: string;
            reason: string | null;
            notes: string[];
            card: {
                card_id: number;
                name: string;
                number: string | null;
                set_name: string;
                /** Format: uri */
                image_url: string | null;
            } | null;
            printing: string | null;
            printings: {
                printing: string;
                /** @description Now. */
                market_price: number | null;
            }[];
            condition: components["schemas"]["Condition"];
            grade: string | null;
            language: string | null;
            quantity: number;
            /** @description Of one copy. */
            market_price: number | null;
            /** @description Value of all copies. */
            value: number | null;
            alternatives: {
                card_id: number;
                name: string;
                number: string | null;
                set_name: string;
                /** Format: uri */
                image_url: string | null;
                /** @description Now. */
                market_price: number | null;
            }[];
        };
        GetImportResponse: {
            data: components["schemas"]["CollectionImport"];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateImportResponse: {
            data: components["schemas"]["CollectionImport"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateImportRequest: {
            kinds?: {
                /** @enum {string} */
                kind: "guessed" | "assumed" | "not_found" | "skipped" | "certain";
                /** @enum {string} */
                state: "open" | "accepted" | "skipped";
            }[];
            rows?: {
                /** @description ID of the row. */
                id: string;
                /** @enum {string} */
                state?: "open" | "accepted" | "skipped";
                /** @description ID on the marketplace. */
                card_id?: number;
                /** @description Exact name of a printing of the card. New items: its base printing. */
                printing?: string | null;
                condition?: components["schemas"]["Condition"];
                language?: components["schemas"]["Language"];
                /** @description New items: 1. */
                quantity?: number;
            }[];
            /** @description Revision to change: another one is a conflict. Default: any. */
            revision?: number;
        };
        ImportDraftResponse: {
            data: components["schemas"]["CollectionImport"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ImportDraftRequest: {
            revision: number;
        };
        DeleteImportResponse: {
            data: components["schemas"]["CollectionImport"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetCollectionSummaryResponse: {
            data: components["schemas"]["CollectionSummary"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionSummary: components["schemas"]["CollectionSums"] & {
            /**
             * Format: date
             * @description Day of the newest prices.
             */
            change_date: string | null;
            /** @description Change on that day, of the items held the day before. */
            change: number | null;
            /** @description In percent; null if unknown. */
            change_percent: number | null;
            /** @description Items whose target is reached. */
            reached: number;
            games: components["schemas"]["CollectionGameSums"][];
            /** @description The 20 most valuable sets. */
            sets: components["schemas"]["CollectionSetSums"][];
            /** @description Largest gains of seven days. */
            best: components["schemas"]["CollectionMover"][];
            /** @description Largest losses of seven days. */
            worst: components["schemas"]["CollectionMover"][];
            /** @description Why prices do not exactly fit the copies. */
            notes: components["schemas"]["CollectionNote"][];
            printings: string[];
            places: string[];
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            /**
             * Format: date-time
             * @description Time of the values.
             */
            computed_at: string;
            /** @description False while newer are computed. */
            is_current: boolean;
        };
        CollectionSums: {
            items: number;
            copies: number;
            /** @description Items without a price, in no other sum. */
            unpriced: number;
            /** @description Price paid for these items. */
            unpriced_cost: number;
            /** @description `without_cost_value` + `cost` + `gain`. */
            value: number;
            /** @description Items without a price paid, or a rate for it. */
            without_cost: number;
            /** @description Value of these items. */
            without_cost_value: number;
            /** @description Price paid for the other items. */
            cost: number;
            gain: number;
            /** @description In percent; null if unknown. */
            gain_percent: number | null;
        };
        CollectionGameSums: components["schemas"]["CollectionSums"] & {
            game: string;
        };
        CollectionSetSums: components["schemas"]["CollectionSums"] & {
            set_id: number;
            set_name: string;
            game: string;
        };
        CollectionMover: {
            item_id: string;
            card_id: number;
            name: string;
            set_name: string;
            printing: string | null;
            quantity: number;
            market_price: number;
            price_7d_ago: number;
            /** @description Change of all copies. */
            change: number;
            /** @description In percent; null if unknown. */
            change_percent: number | null;
        };
        GetCollectionHistoryResponse: {
            data: components["schemas"]["CollectionDay"][];
            meta: components["schemas"]["CollectionHistoryMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectionDay: {
            /** Format: date */
            date: string;
            value: number;
            /** @description Part at prices of later days. */
            carried_value: number;
            /** @description Price paid until then. */
            cost: number;
        };
        CollectionHistoryMeta: {
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            /**
             * Format: date-time
             * @description Time of the values.
             */
            computed_at: string;
            /** @description False while newer are computed. */
            is_current: boolean;
            /**
             * Format: date
             * @description Day of the first item.
             */
            held_since: string | null;
            /** @description Value of items below $1 without a history. */
            untracked_value: number;
            range: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
        };
        GetCollectionCompletionResponse: {
            data: components["schemas"]["SetCompletion"][];
            meta: components["schemas"]["CompletionMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SetCompletion: {
            set_id: number;
            set_name: string;
            game: string;
            /** @description Different single cards of the set. */
            owned: number;
            /** @description Its single cards; null if it is not in the catalog. */
            total: number | null;
            /** @description In percent; null if unknown. */
            percent: number | null;
            value: number;
        };
        CompletionMeta: components["schemas"]["PagingMeta"] & {
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            /**
             * Format: date-time
             * @description Time of the values.
             */
            computed_at: string;
            /** @description False while newer are computed. */
            is_current: boolean;
        };
        CreateAlertResponse: {
            data: components["schemas"]["PersonalAlert"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        PersonalAlert: {
            id: string;
            card_id: number;
            /** @description Null: the card is not in the catalog. */
            card_name: string | null;
            /** @description Null: the most expensive one. */
            printing: string | null;
            /** @description `above` or `below`, inclusive of the threshold. */
            condition: string;
            /** @description In `currency`. */
            threshold: number;
            /** @description Currency of the threshold. */
            currency: string;
            /** @description Null: the sources of the currency. */
            source: string | null;
            is_paused: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description The newest alert of the last 30 days.
             */
            last_alert_at: string | null;
        };
        CreateAlertRequest: {
            /** @description ID on the marketplace. */
            card_id: number;
            /**
             * @description At or above the threshold, or at or below it.
             * @enum {string}
             */
            condition: "above" | "below";
            /** @description In the currency, or US dollars without one, with at most two decimals. */
            threshold: number;
            /** @description Exact name of a printing, such as `Reverse Holofoil`. */
            printing?: string;
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
        };
        ListAlertsResponse: {
            data: components["schemas"]["PersonalAlert"][];
            meta: components["schemas"]["AlertLimits"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        AlertLimits: components["schemas"]["PagingMeta"] & {
            /** @description Price alerts that the account can have. Null: no limit. */
            alerts_max: number | null;
        };
        GetAlertResponse: {
            data: components["schemas"]["PersonalAlert"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateAlertResponse: {
            data: components["schemas"]["PersonalAlert"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateAlertRequest: {
            /**
             * @description At or above the threshold, or at or below it.
             * @enum {string}
             */
            condition?: "above" | "below";
            /** @description In the currency, or US dollars without one, with at most two decimals. */
            threshold?: number;
            is_paused?: boolean;
        };
        DeleteAlertResponse: {
            data: components["schemas"]["PersonalAlert"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ListNotificationsResponse: {
            data: components["schemas"]["Notification"][];
            meta: components["schemas"]["NotificationsMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        Notification: {
            /** @description ID, which is the same on every channel. Later notifications have greater IDs. */
            id: string;
            /**
             * @description `channel`: a channel has stopped.
             * @enum {string}
             */
            kind: "alert" | "channel";
            /** @description ID of the price alert or of the channel. */
            source_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null: unread.
             */
            read_at: string | null;
            alert: components["schemas"]["NotifiedAlert"] | null;
        };
        NotifiedAlert: {
            card_id: number;
            card_name: string;
            /** @description Null: the most expensive one. */
            printing: string | null;
            /** @enum {string} */
            condition: "above" | "below";
            /** @description In `currency`. */
            threshold: number;
            /** @description In `currency`. */
            current_price: number;
            /** @description Source of the price. Null: no price is known. */
            source?: string | null;
            currency: string;
            /** @description True if the price was converted from another currency. */
            converted?: boolean;
            /** @description Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price. */
            rate?: number | null;
            /**
             * Format: date
             * @description Day of `rate`.
             */
            rate_date?: string | null;
            /** Format: date-time */
            timestamp: string;
        };
        NotificationsMeta: components["schemas"]["PagingMeta"] & {
            /** @description Unread notifications, up to 100. */
            unread: number;
        };
        ReadNotificationsResponse: {
            data: components["schemas"]["UnreadNotifications"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UnreadNotifications: {
            unread: number;
        };
        ReadNotificationsRequest: {
            /** @description ID of the newest notification to mark. Default: all. */
            up_to?: string;
        };
        CreateChannelResponse: {
            data: components["schemas"]["AlertChannel"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        AlertChannel: {
            id: string;
            /** @enum {string} */
            kind: "email" | "ntfy" | "discord" | "slack" | "push";
            /** @description Address without its secrets; null if it cannot be decrypted. */
            name: string | null;
            /**
             * @description `unconfirmed`: nobody has opened the link in the mail yet.
             * @enum {string}
             */
            status: "active" | "unconfirmed" | "paused" | "disabled";
            /**
             * @description `unsubscribed`: by a link in a message. `refused`: the address bounces. `gone`: the webhook or subscription has ended. `failing`: deliveries failed for days.
             * @enum {string|null}
             */
            disabled_for: "unsubscribed" | "refused" | "gone" | "failing" | null;
            /** @description Reason that the newest message was not accepted; null if it was accepted. */
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CreateChannelRequest: {
            /** @enum {string} */
            kind: "email" | "ntfy" | "discord" | "slack" | "push";
            /** @description `email`: e-mail address; `ntfy`: URL of a topic; `discord`: URL of a webhook; `slack`: URL of a webhook; `push`: endpoint of a push subscription. */
            address: string;
            /** @description Access token of an ntfy topic. */
            token?: string;
            /** @description Keys of a push subscription. */
            keys?: {
                /** @description Key as encoded by the browser. */
                p256dh: string;
                /** @description Key as encoded by the browser. */
                auth: string;
            };
        };
        ListChannelsResponse: {
            data: components["schemas"]["AlertChannel"][];
            meta: components["schemas"]["ChannelsMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ChannelsMeta: components["schemas"]["PagingMeta"] & {
            /** @description Channels that the account can have. */
            channels_max: number;
            /** @description False: the server has no mail server. */
            sends_mail: boolean;
            /** @description Public key for push subscriptions (`applicationServerKey`). */
            push_key: string;
        };
        UpdateChannelResponse: {
            data: components["schemas"]["AlertChannel"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateChannelRequest: {
            is_paused: boolean;
        };
        DeleteChannelResponse: {
            data: components["schemas"]["AlertChannel"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        TestChannelResponse: {
            data: components["schemas"]["ChannelTest"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ChannelTest: {
            /** @description Reason that the test was not accepted; null if it was accepted. */
            error: string | null;
        };
        RequestChannelConfirmationResponse: {
            data: components["schemas"]["AlertChannel"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetAlertPreferencesResponse: {
            data: components["schemas"]["AlertPreferences"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        AlertPreferences: {
            /** @description Hour (UTC) of the daily digest. Null: each alert is sent at once. */
            digest_hour: number | null;
        };
        UpdateAlertPreferencesResponse: {
            data: components["schemas"]["AlertPreferences"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateAlertPreferencesRequest: {
            /** @description Hour (UTC) of the digest; null for single messages. */
            digest_hour: number | null;
        };
        UnsubscribeChannelResponse: {
            data: components["schemas"]["LinkedChannel"];
        };
        LinkedChannel: {
            /** @enum {string} */
            kind: "email" | "ntfy" | "discord" | "slack" | "push";
        };
        ConfirmChannelResponse: {
            data: components["schemas"]["LinkedChannel"];
        };
        CreateWebhookResponse: {
            data: components["schemas"]["CreatedWebhook"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /** @description Secret that signs deliveries. It is shown only here. */
            secret: string;
        };
        Webhook: {
            id: string;
            /** Format: uri */
            url: string;
            card_id: number;
            /** @description Null: the card is not in the catalog. */
            card_name: string | null;
            /** @description Null: the most expensive one. */
            printing: string | null;
            /** @description `above` or `below`, inclusive of the threshold. */
            condition: string;
            /** @description In `currency`; US dollars without it. */
            threshold: number;
            /** @description Currency of the threshold. Only if the webhook has chosen one or a source. */
            currency?: string;
            /** @description Only set together with `currency`; null: the sources of that currency. */
            source?: string | null;
            /** @description `low` (any price), `medium` or `high`. */
            min_confidence: string;
            /** @description `active`, `paused` or `disabled`. */
            status: string;
            /** @description `paused`: by its owner. `tier`: the tier is too low. `gone`: the URL answered 410. `failing`: deliveries failed for days. */
            status_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description The newest alert of the last 30 days.
             */
            last_alert_at: string | null;
            /**
             * Format: date-time
             * @description Until then, deliveries are also signed with the previous secret.
             */
            previous_secret_until: string | null;
        };
        CreateWebhookRequest: {
            /** @description URL that receives alerts, such as `https://shop.example/alerts`. */
            url: string;
            /** @description ID on the marketplace. */
            card_id: number;
            /**
             * @description At or above the threshold, or at or below it.
             * @enum {string}
             */
            condition: "above" | "below";
            /** @description In the currency, or US dollars without one, with at most two decimals. */
            threshold: number;
            /** @description Exact name of a printing. Default: the most expensive one. */
            printing?: string;
            /**
             * @description Minimum confidence in the price for an alert; `low` accepts any.
             * @default low
             * @enum {string}
             */
            min_confidence?: "high" | "medium" | "low";
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
        };
        ListWebhooksResponse: {
            data: components["schemas"]["Webhook"][];
            meta?: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetWebhookResponse: {
            data: components["schemas"]["Webhook"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateWebhookResponse: {
            data: components["schemas"]["UpdatedWebhook"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdatedWebhook: components["schemas"]["Webhook"] & {
            /** @description Secret that signs deliveries. It is shown only here. */
            secret?: string;
        };
        UpdateWebhookRequest: {
            /** @description URL that receives alerts, such as `https://shop.example/alerts`. */
            url?: string;
            /** @description In the currency, or US dollars without one, with at most two decimals. */
            threshold?: number;
            /**
             * @description Minimum confidence in the price for an alert; `low` accepts any.
             * @enum {string}
             */
            min_confidence?: "high" | "medium" | "low";
            paused?: boolean;
            /** @enum {boolean} */
            rotate_secret?: true;
        };
        DeleteWebhookResponse: {
            data: components["schemas"]["Webhook"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ListWebhookDeliveriesResponse: {
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        WebhookDelivery: {
            /** @description Sent as `webhook-id` with every attempt. */
            id: string;
            webhook_id: string;
            /** @description `alert` or `test`. */
            kind: string;
            /** @description `pending`, `delivered` or `dead`. */
            state: string;
            /** @description Body of the delivery. */
            payload: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null also during an attempt.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was delivered, or failed permanently.
             */
            ended_at: string | null;
            /** @description The newest 20 attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            /** @description Status of the response; null if there was none. */
            status: number | null;
            /** @description Why the attempt failed; null if it succeeded. */
            error: string | null;
            latency_ms: number;
            /** @description Beginning of the response body. */
            answer: string | null;
        };
        SendTestDeliveryResponse: {
            data: components["schemas"]["WebhookDelivery"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        RedeliverWebhookResponse: {
            data: components["schemas"]["WebhookDelivery"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetOperatorStatusResponse: {
            data: components["schemas"]["OperatorStatus"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        OperatorStatus: {
            /** @description Version of Cardstock. */
            version: string;
            /** Format: date-time */
            started_at: string;
            /** @description True if several servers may listen on the port. */
            is_port_shared: boolean;
            /** Format: date-time */
            now: string;
            requests: components["schemas"]["RequestCounts"];
            catalog: components["schemas"]["CatalogStatus"];
            sync: components["schemas"]["SyncState"];
            games: components["schemas"]["GameStatus"][];
            /** @description Further sources of prices. */
            sources: components["schemas"]["SourceStatus"][];
            exchange_rates: components["schemas"]["ExchangeRateStatus"] | null;
            /** @description Servers that share the ledger, this one first, with their jobs and errors; null without `LEDGER_URL`. */
            servers: components["schemas"]["ServerStatus"][] | null;
            jobs: components["schemas"]["JobStatus"][];
            reader: components["schemas"]["ReaderStatus"];
            pictures: components["schemas"]["PictureIndexStatus"];
            deliveries: components["schemas"]["DeliveryStatus"];
            accounts: components["schemas"]["AccountCounts"];
            disk: components["schemas"]["DiskStatus"];
            backups: components["schemas"]["BackupStatus"] | null;
            /** @description The last 50 errors since the start, newest first. */
            errors: components["schemas"]["LoggedError"][];
        };
        RequestCounts: {
            /** @description Responses since the start. */
            answered: number;
            /** @description Responses with a 5xx status. */
            failed: number;
        };
        CatalogStatus: {
            version: number;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            changed_at: string;
        };
        SyncState: {
            /** @description Host and path of the mirror; null if none is configured. */
            upstream: string | null;
            /** @description True if the catalog comes from a bucket. */
            is_replica: boolean;
            /** @description True if a sync or import is running, also outside the server. */
            is_running: boolean;
            progress: components["schemas"]["SyncProgress"] | null;
            last: components["schemas"]["SyncStatus"] | null;
        };
        /** @description Progress of a sync that this server runs; null if none does. */
        SyncProgress: {
            /** @description Sets read. */
            done: number;
            /** @description Sets to read. */
            total: number;
        };
        SyncStatus: {
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string;
            /** @enum {string} */
            outcome: "complete" | "incomplete" | "failed";
            /** Format: date-time */
            published_at: string | null;
            games: number;
            sets_read: number;
            cards_read: number;
            prices_changed: number;
            /** @description Invalid records that were skipped. */
            bad_records: number;
            failure_count: number;
            /** @description The first 20 failures. */
            failures: components["schemas"]["SyncFailure"][];
        };
        SyncFailure: {
            /** @description Slug of the game, or `all`. */
            game: string;
            set_id: number | null;
            message: string;
        };
        GameStatus: {
            slug: string;
            name: string;
            priority: number;
            set_count: number;
            card_count: number;
            /** Format: date-time */
            last_synced_at: string | null;
            /** Format: date-time */
            published_at: string | null;
            /** @description True if the game missed its refresh. */
            is_stale: boolean;
            /** Format: date-time */
            stale_since: string | null;
            last_error: components["schemas"]["GameError"] | null;
        };
        /** @description Why the last sync could not refresh the game; null if it did. */
        GameError: {
            /** Format: date-time */
            at: string;
            message: string;
        };
        SourceStatus: {
            source: string;
            /** @description Slug of the game of the file; null: all games. */
            game: string | null;
            /** Format: date-time */
            published_at: string | null;
            /** @description True if the last import failed. */
            is_stale: boolean;
            /** @description Reason of the failed import. */
            last_error: string | null;
        };
        /** @description Null on a server that neither has rates nor fetches any. */
        ExchangeRateStatus: {
            /** Format: date */
            newest_date: string | null;
            /** @description True if the rates are older than four working days. */
            is_stale: boolean;
        };
        ServerStatus: {
            /** @description Machine and port, as in `cards-1:8080`. */
            name: string;
            /** @description Version of Cardstock. */
            version: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            seen_at: string;
            /** @description True after 30 seconds without a report: the server may have been killed. */
            is_silent: boolean;
            /**
             * @description State of the photo reader; null if the server has another version.
             * @enum {string|null}
             */
            reader: "off" | "ready" | "not ready" | null;
        };
        JobStatus: {
            name: string;
            is_running: boolean;
            /** @description Runs since the start, like `failures`. */
            runs: number;
            failures: number;
            /** Format: date-time */
            last_started_at: string | null;
            /** Format: date-time */
            last_ended_at: string | null;
            last_outcome: components["schemas"]["JobOutcome"] | null;
            /** Format: date-time */
            next_at: string | null;
            /** @description Server of the last run or the error; null if no other server shares the ledger. */
            server: string | null;
        };
        /** @enum {string} */
        JobOutcome: "done" | "failed";
        ReaderStatus: {
            /** @description Workers that read photos. */
            workers: number;
            /** @enum {string} */
            state: "off" | "ready" | "not ready";
            /** @description Photos that wait for a worker. */
            waiting: number;
            /** @description Photos in progress. */
            reading: number;
            /** @description Workers that were replaced since the start. */
            replaced: number;
            /** @description Indexed card images. */
            pictures: number;
        };
        PictureIndexStatus: {
            /** @description True if pictures are indexed. */
            is_enabled: boolean;
            /** @description Cards with a picture. */
            cards: number;
            /** @description Pictures that were never tried. */
            waiting: number;
            /** @description Cards that photos match by picture. */
            indexed: number;
            /**
             * Format: date-time
             * @description Estimate; null without one.
             */
            ready_at: string | null;
        };
        DeliveryStatus: {
            /** @description Allowed receivers: `public`, or `loopback-ok` for this machine, too. */
            network: string;
            watches: number;
            /** @description Deliveries that wait for their first or next attempt. */
            pending: number;
            /** @description Pending deliveries that are due. */
            due: number;
            /** @description Age of the oldest due delivery; 0 if none is due. */
            oldest_due_seconds: number;
            /** @description Deliveries that failed permanently in the last 30 days. */
            dead: number;
        };
        AccountCounts: {
            total: number;
            /** @description Scans used on this UTC day. */
            scans_today: number;
        };
        DiskStatus: {
            files: components["schemas"]["FileSize"][];
            /** @description Null: the data folder is missing. */
            total_bytes: number | null;
            /** @description Free space available to this process. */
            free_bytes: number | null;
        };
        FileSize: {
            name: string;
            bytes: number;
        };
        /** @description Complete backups on the disk; null if backups are disabled. */
        BackupStatus: {
            /** Format: date-time */
            newest_at: string | null;
            count: number;
            bytes: number;
        };
        LoggedError: {
            /** Format: date-time */
            at: string;
            event: string;
            message: string;
            request_id: string | null;
            /** @description Server of the last run or the error; null if no other server shares the ledger. */
            server: string | null;
        };
        StartSyncResponse: {
            data: components["schemas"]["SyncStarted"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SyncStarted: {
            /** @enum {string} */
            state: "started";
        };
        StartSyncRequest: {
            /** @description Slug or ID of the only game to sync. */
            game?: string;
            /** @description Fetch everything again, and skip the sanity checks. */
            force?: boolean;
        };
        GetSettingsResponse: {
            data: components["schemas"]["ServiceSettings"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ServiceSettings: {
            /** @description True if the setup is finished. */
            is_finished: boolean;
            mode: components["schemas"]["ModeSetting"];
            mirror: components["schemas"]["MirrorSetting"];
            index_pictures: components["schemas"]["PictureSetting"];
            exchange_rates: components["schemas"]["RatesSetting"];
            /** @description True if the catalog comes from a bucket. */
            is_replica: boolean;
            /** @description True if the catalog has the games of the sample. */
            has_sample: boolean;
            registered_accounts: components["schemas"]["RegisteredAccounts"];
        };
        ModeSetting: {
            /** @enum {string} */
            value: "private" | "community" | "business";
            /**
             * @description `environment`: cannot be changed here. `default`: no choice was made.
             * @enum {string}
             */
            source: "environment" | "stored" | "default";
        };
        MirrorSetting: {
            /** @description Host and path of the mirror, or null. */
            value: string | null;
            /**
             * @description `environment`: cannot be changed here. `default`: no choice was made.
             * @enum {string}
             */
            source: "environment" | "stored" | "default";
        };
        PictureSetting: {
            value: boolean;
            /**
             * @description `environment`: cannot be changed here. `default`: no choice was made.
             * @enum {string}
             */
            source: "environment" | "stored" | "default";
        };
        RatesSetting: {
            /** @description True if reference rates are fetched. */
            value: boolean;
            /**
             * @description `environment`: cannot be changed here. `default`: no choice was made.
             * @enum {string}
             */
            source: "environment" | "stored" | "default";
        };
        /** @description Accounts that people registered themselves. On a private server only they have limits. */
        RegisteredAccounts: {
            accounts: components["schemas"]["RegisteredAccount"][];
            /** @description True if only the first 100 are listed. */
            has_more: boolean;
        };
        RegisteredAccount: {
            id: number;
            email: string;
            /** Format: date-time */
            created_at: string;
        };
        ChangeSettingsResponse: {
            data: components["schemas"]["ServiceSettings"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ChangeSettingsRequest: {
            /** @enum {string} */
            mode?: "private" | "community" | "business";
            /** @description Root URL of a mirror, with `https://`; empty for no mirror. */
            mirror?: string;
            /** @description Delete the sample after the next sync. */
            remove_sample?: boolean;
            index_pictures?: boolean;
            /** @description Fetch the daily reference rates of the European Central Bank. */
            exchange_rates?: boolean;
            /** @description `true` ends the setup. */
            finish?: boolean;
        };
        GetHistoryImportResponse: {
            data: components["schemas"]["HistoryImport"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        HistoryImport: {
            /**
             * @description All but `complete` can go on where they stopped.
             * @enum {string}
             */
            state: "none" | "running" | "complete" | "canceled" | "interrupted" | "failed";
            name: string | null;
            files_read: number;
            /** @description Null until all of it was read. */
            days: number | null;
            days_stored: number;
            /** Format: date */
            first_day: string | null;
            /** Format: date */
            last_day: string | null;
            points: number;
            unknown_cards: number;
            bad_records: number;
            failure_count: number;
            failures: components["schemas"]["HistoryImportFailure"][];
            /**
             * Format: date
             * @description Left out: the archive is cut off in it.
             */
            cut_day: string | null;
            problem: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Contents of `import` in the data folder. */
            archives: components["schemas"]["OfferedArchive"][];
        };
        HistoryImportFailure: {
            file: string;
            message: string;
        };
        OfferedArchive: {
            name: string;
            /** @enum {string} */
            kind: "folder" | "archive";
            bytes: number | null;
        };
        StartHistoryImportResponse: {
            data: components["schemas"]["SyncStarted"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        StartHistoryImportRequest: {
            /** @description Name of one of `archives`. */
            archive: string;
        };
        CancelHistoryImportResponse: {
            data: components["schemas"]["CancelHistoryImportData"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CancelHistoryImportData: {
            /** @enum {string} */
            state: "canceling";
        };
        UploadHistoryArchiveResponse: {
            data: components["schemas"]["HistoryUpload"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        HistoryUpload: {
            /** @description Null until all bytes have arrived. */
            archive: string | null;
            received: number;
        };
        IdentifyCardResponse: {
            data: components["schemas"]["Identification"];
            meta: components["schemas"]["ScanMeta"];
            rate_limit?: components["schemas"]["RateLimit"];
        };
        Identification: {
            id: string;
            /** @description `matched`, `ambiguous`, `retake`, `not_found` or `unsupported`. */
            status: string;
            /** @description For `retake`, what to fix. */
            message: string | null;
            read: components["schemas"]["Reading"];
            /** @description At most ten, best first. */
            candidates: components["schemas"]["Candidate"][];
            warnings: string[];
        };
        /** @description Read from the photo. Unreadable parts are empty, not guessed. */
        Reading: {
            game: string;
            name: string;
            number: string;
            set: string;
            language: string;
            /** @description Such as `raw` or `graded slab`. */
            kind: string;
            product_type: string;
            cards: number;
            finish: string;
            /** @description `unclear` if the photo does not show whether the card has a stamp. */
            stamp: string | null;
            grade: string;
            readable: components["schemas"]["ReadableParts"];
            notes: string;
        };
        ReadableParts: {
            name: boolean;
            number: boolean;
            set: boolean;
        };
        Candidate: {
            card_id: number;
            marketplace_id: number;
            name: string;
            number: string | null;
            rarity: string | null;
            product_type: string | null;
            set: components["schemas"]["CandidateSet"];
            game: components["schemas"]["CandidateGame"];
            /** Format: uri */
            image_url: string | null;
            match: components["schemas"]["CandidateMatch"];
            printings: string[];
            suggested_printing: string | null;
            score: number;
            /** @description Prices of the raw card. For a slab, prices of its grade, if the grade was read and has a price. */
            prices?: components["schemas"]["Price"][];
        };
        CandidateSet: {
            id: number;
            name: string;
            code: string | null;
        };
        CandidateGame: {
            slug: string;
            name: string;
        };
        CandidateMatch: {
            /** @description `exact`, `partial` or `unknown`. */
            number: string;
            /** @description Share of agreeing words, 0 to 1. */
            name: number;
            /** @description Share of agreeing words, 0 to 1. */
            set: number;
            edition: boolean;
            /** @description True if a photo that people named found the card. */
            reference: boolean;
        };
        ScanMeta: {
            /** @description `scan`, or `payment` if the photo was paid individually. */
            charged: string | null;
            scans_remaining: number;
        };
        IdentifyCardForm: {
            /**
             * Format: binary
             * @description JPEG, PNG or WebP, at most 8 MB.
             */
            image: Blob;
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is.
             * @enum {string}
             */
            include?: "prices" | "confidence" | "prices,confidence";
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
        };
        IdentifyCardRequest: {
            /** @description Base64, base64url or a data URL; padding is optional. */
            image: string;
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is.
             * @enum {string}
             */
            include?: "prices" | "confidence" | "prices,confidence";
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
        };
        IdentifyPageResponse: {
            data: components["schemas"]["IdentifiedPage"];
            meta: components["schemas"]["PageMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        IdentifiedPage: {
            photo: components["schemas"]["PhotoSize"];
            /** @description By rows and columns. */
            cards: components["schemas"]["PageCard"][];
            /** @description Cards that were found and not read. They use no scan. */
            unread: components["schemas"]["UnreadCard"][];
        };
        /** @description Size of the photo in pixels, upright. */
        PhotoSize: {
            width: number;
            height: number;
        };
        PageCard: components["schemas"]["Identification"] & {
            /** @description Row of the card, from 1 at the top. */
            row: number;
            /** @description Column of the card, from 1 at the left. */
            column: number;
            /** @description Four corners in pixels of the photo, from the top left of the card, clockwise. */
            outline: components["schemas"]["PhotoPoint"][];
        };
        PhotoPoint: {
            x: number;
            y: number;
        };
        UnreadCard: {
            /** @description Row of the card, from 1 at the top. */
            row: number;
            /** @description Column of the card, from 1 at the left. */
            column: number;
            /** @description Four corners in pixels of the photo, from the top left of the card, clockwise. */
            outline: components["schemas"]["PhotoPoint"][];
            /** @description `scans` (none are left), `max_scans`, `reader` (it failed) or `time` (it took too long). */
            reason: string;
        };
        PageMeta: {
            /** @description Scans that the photo used. */
            scans_charged: number;
            /** @description Returned scans: 1 if `/v1/identify` asked for one card at a time in the last 15 minutes. */
            scans_credited: number;
            scans_remaining: number;
        };
        IdentifyPageForm: {
            /**
             * Format: binary
             * @description JPEG, PNG or WebP, at most 16 MB.
             */
            image: Blob;
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is.
             * @enum {string}
             */
            include?: "prices" | "confidence" | "prices,confidence";
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
            /**
             * @description Maximum number of scans to use. Further cards stay unread.
             * @default 36
             */
            max_scans?: number;
        };
        IdentifyPageRequest: {
            /** @description Base64, base64url or a data URL; padding is optional. */
            image: string;
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is.
             * @enum {string}
             */
            include?: "prices" | "confidence" | "prices,confidence";
            /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
            currency?: string;
            /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
            source?: string;
            /**
             * @description Maximum number of scans to use. Further cards stay unread.
             * @default 36
             */
            max_scans?: number;
        };
        GetScanUsageResponse: {
            data: components["schemas"]["ScanUsage"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ScanUsage: {
            balance: number;
            /** @description Used scans whose payment was refunded. */
            debt: number;
            /** @description True if the first identification still adds 25 free scans. */
            trial_pending: boolean;
            days: components["schemas"]["ScanDay"][];
            ledger: components["schemas"]["ScanAddition"][];
            pictures: components["schemas"]["PictureIndexStatus"];
            page: components["schemas"]["PageProgress"];
        };
        ScanDay: {
            /** Format: date */
            date: string;
            /** @description Photos that were identified. */
            scans: number;
            /** @description Photos whose scan was refunded. */
            refunded: number;
            matched: number;
            ambiguous: number;
            retake: number;
            not_found: number;
            unsupported: number;
        };
        ScanAddition: {
            /** @description `trial`, `purchase`, `grant`, or `reinstatement` after a dispute. */
            reason: string;
            scans: number;
            amount_cents: number | null;
            /** Format: date-time */
            created_at: string;
        };
        PageProgress: {
            cards: number;
            done: number;
        };
        GetIdentificationResponse: {
            data: components["schemas"]["ReviewedIdentification"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ReviewedIdentification: components["schemas"]["Identification"] & {
            feedback: components["schemas"]["Feedback"] | null;
        };
        Feedback: {
            /** @description ID of the correct card; null if it is not in the catalog. */
            card_id: number | null;
            /** Format: date-time */
            created_at: string;
        };
        SendIdentificationFeedbackResponse: {
            data: components["schemas"]["ReviewedIdentification"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        SendIdentificationFeedbackRequest: {
            /** @description ID of the correct card; null if it is not in the catalog. */
            card_id: number | null;
        };
        ListReferencesResponse: {
            data: components["schemas"]["Reference"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        Reference: {
            id: string;
            card_id: number;
            name: string | null;
            number: string | null;
            set_name: string | null;
            /** Format: uri */
            image_url: string | null;
            account_id: number;
            email: string;
            /** @description Accepted; may still be ignored beside pictures that contradict it. */
            is_accepted: boolean;
            fingerprint: string;
            /** Format: date-time */
            created_at: string;
        };
        DeleteReferencesResponse: {
            data: components["schemas"]["RemovedReferences"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        RemovedReferences: {
            removed: number;
        };
        DeleteReferenceResponse: {
            data: components["schemas"]["RemovedReferences"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CreateScanSessionResponse: {
            data: components["schemas"]["ScanSessionTotals"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ScanSessionTotals: components["schemas"]["ScanSession"] & {
            /** @description Value of the reviewed items with a known price. */
            value: number;
            /** @description Reviewed items without a known price. */
            unpriced: number;
            /** @description Why prices do not exactly fit the copies. */
            notes: components["schemas"]["CollectionNote"][];
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
        };
        ScanSession: {
            id: string;
            name: string;
            item_count: number;
            copies: number;
            /** @description Items that are not reviewed. */
            open: number;
            photo_count: number;
            /** @description Number of scans that the photos of the session used. */
            scans_charged: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description It is kept for 30 days after this.
             */
            updated_at: string;
        };
        CreateScanSessionRequest: {
            name?: components["schemas"]["Name"];
            id?: components["schemas"]["ClientId"];
        };
        ListScanSessionsResponse: {
            data: components["schemas"]["ScanSession"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        GetScanSessionResponse: {
            data: components["schemas"]["ScanSessionTotals"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateScanSessionResponse: {
            data: components["schemas"]["ScanSessionTotals"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateScanSessionRequest: {
            name: components["schemas"]["Name"];
        };
        DeleteScanSessionResponse: {
            data: components["schemas"]["ScanSession"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        AddScanSessionPhotoResponse: {
            data: components["schemas"]["ScanSessionPhotoResult"];
            meta: components["schemas"]["ScanSessionPhotoMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        ScanSessionPhotoResult: {
            photo: components["schemas"]["ScanSessionPhoto"];
            /** @description Items of the photo, by rows and columns, in their current state. */
            items: components["schemas"]["ScanSessionItem"][];
            /** @description Cards that were found and not read. They use no scan. */
            unread: components["schemas"]["UnreadCard"][];
            session: components["schemas"]["ScanSessionTotals"];
        };
        ScanSessionPhoto: {
            /** @description Key that the client chose. */
            key: string;
            /** @description Pixels of a photo of many cards; null for one card. */
            width: number | null;
            height: number | null;
            /** @description Scans that the photo used when it was stored. */
            scans_charged: number;
            /** Format: date-time */
            created_at: string;
        };
        ScanSessionItem: {
            id: string;
            /** @description Key of the photo that shows the card. */
            photo: string;
            /** @description Row of the card, from 1 at the top. */
            row: number | null;
            /** @description Column of the card, from 1 at the left. */
            column: number | null;
            /** @description Four corners in pixels of the photo, from the top left of the card, clockwise. */
            outline: components["schemas"]["PhotoPoint"][] | null;
            identification_id: string;
            /** @description ID of the original, if this item is a duplicate. */
            copied_from: string | null;
            /** @description `matched`, `ambiguous`, `retake`, `not_found` or `unsupported`. */
            status: string;
            /** @description For `retake`, what to fix. */
            message: string | null;
            read: components["schemas"]["Reading"];
            /** @description At most ten, best first. */
            candidates: components["schemas"]["Candidate"][];
            warnings: string[];
            /** @description The matched, suggested or chosen card; null without one. */
            card_id: number | null;
            name: string | null;
            number: string | null;
            /** @description Slug of the game. */
            game: string | null;
            set_id: number | null;
            set_name: string | null;
            /** Format: uri */
            image_url: string | null;
            printing: string | null;
            condition: components["schemas"]["Condition"];
            /** @description Grader and grade, such as `PSA 10`; null for a raw card. */
            grade: string | null;
            /** @description Code such as `en`; null if unknown. */
            language: string | null;
            quantity: number;
            /** @description True if the card is certain: matched, chosen or confirmed. */
            is_reviewed: boolean;
            /** @description Price of one copy; null if unknown. */
            market_price: number | null;
            /** @description Value of all copies. */
            value: number | null;
            /** @description Currency of the values. */
            currency: string;
            /** @description Units per US dollar. */
            rate?: number;
            /** Format: date */
            rate_date?: string;
            notes: string[];
            /** @description Grows with each change. */
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ScanSessionPhotoMeta: components["schemas"]["PageMeta"] & {
            /** @description True if the session already had the photo, which was not charged again. */
            is_repeated: boolean;
        };
        AddScanSessionPhotoForm: {
            /**
             * Format: binary
             * @description JPEG, PNG or WebP, at most 16 MB.
             */
            image: Blob;
            /**
             * @description `true`: the photo shows several cards.
             * @default false
             * @enum {string}
             */
            page?: "true" | "false";
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description Maximum number of scans to use. Further cards stay unread.
             * @default 36
             */
            max_scans?: number;
            /** @description Currency of the values. Default: `USD`. */
            currency?: string;
        };
        AddScanSessionPhotoRequest: {
            /** @description Base64, base64url or a data URL; padding is optional. */
            image: string;
            /**
             * @description `true`: the photo shows several cards.
             * @default false
             * @enum {string}
             */
            page?: "true" | "false";
            /** @description Slug of the game to search in. Default: all games. */
            game?: string;
            /**
             * @description Maximum number of scans to use. Further cards stay unread.
             * @default 36
             */
            max_scans?: number;
            /** @description Currency of the values. Default: `USD`. */
            currency?: string;
        };
        ListScanSessionItemsResponse: {
            data: components["schemas"]["ScanSessionItem"][];
            meta: components["schemas"]["PagingMeta"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateScanSessionItemResponse: {
            data: components["schemas"]["ScanSessionItem"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        UpdateScanSessionItemRequest: {
            /** @description ID on the marketplace. */
            card_id?: number;
            /** @description Exact name of a printing of the card. New items: its base printing. */
            printing?: string | null;
            /** @description New items: 1. */
            quantity?: number;
            condition?: components["schemas"]["Condition"];
            language?: components["schemas"]["Language"];
            /** @description Grader and grade, such as `PSA 10`. */
            grade?: string | null;
            /** @description True if the card is correct. */
            is_reviewed?: boolean;
            /** @description Revision to change: another one is a conflict. Default: any. */
            revision?: number;
        };
        DeleteScanSessionItemResponse: {
            data: components["schemas"]["ScanSessionItem"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        DuplicateScanSessionItemResponse: {
            data: components["schemas"]["ScanSessionItem"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        DuplicateScanSessionItemRequest: {
            id?: components["schemas"]["ClientId"];
        };
        CollectScanSessionResponse: {
            data: components["schemas"]["CollectedScanSession"];
            rate_limit: components["schemas"]["RateLimit"];
        };
        CollectedScanSession: {
            added: number;
            /** @description Items that were in the collection already. */
            skipped: number;
        };
        CollectScanSessionRequest: {
            /** @description ID of the collection. */
            collection_id: string;
        };
    };
    responses: never;
    parameters: {
        /** @description ID on the marketplace. */
        Id: number;
        /** @description ID of the collection. */
        CollectionId: string;
        /** @description ID of the webhook. */
        WebhookId: string;
        /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
        Currency: string;
        /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
        Source: string;
        /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
        Fields: string;
        /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
        Include: string;
        /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
        IncludeIds: string;
        /** @description Format of the file. */
        ItemsFormat: "full" | "tcgplayer" | "collectr" | "moxfield" | "manabox" | "archidekt" | "deckbox" | "dragon_shield" | "dreamborn" | "pokecollector";
        /** @description Which card a name without a set means. */
        Prefer: "regular" | "newest" | "oldest" | "cheapest" | "highest";
        /** @description Slug of a game. */
        Game: string;
        /** @description Page number, from 1. */
        Page: number;
        /** @description Entries per page. Values above 100 count as 100. */
        PerPage: number;
        /** @description Exact name of a printing, such as `Reverse Holofoil`. */
        Printing: string;
        /** @description Single cards, or sealed products. */
        ProductType: "Cards" | "Sealed Products";
        /** @description Currency of the values. Default: `USD`. */
        ValueCurrency: string;
        /** @description Revision to change: another one is a conflict. Default: any. */
        Revision: number;
        /** @description Entries per page. Values above 100 count as 100. Default: all entries, without `meta`. */
        PerPageOrAll: number;
        /** @description Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request. */
        UpdatedAfter: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type PriceAlert = components['schemas']['PriceAlert'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type ErrorDetails = components['schemas']['ErrorDetails'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorMeta = components['schemas']['ErrorMeta'];
export type RateLimit = components['schemas']['RateLimit'];
export type ListGamesResponse = components['schemas']['ListGamesResponse'];
export type Game = components['schemas']['Game'];
export type PagingMeta = components['schemas']['PagingMeta'];
export type GetGameResponse = components['schemas']['GetGameResponse'];
export type NotesMeta = components['schemas']['NotesMeta'];
export type ListGameSetsResponse = components['schemas']['ListGameSetsResponse'];
export type CardSet = components['schemas']['CardSet'];
export type ListSetsResponse = components['schemas']['ListSetsResponse'];
export type GetSetResponse = components['schemas']['GetSetResponse'];
export type ListSetCardsResponse = components['schemas']['ListSetCardsResponse'];
export type PricedCard = components['schemas']['PricedCard'];
export type Card = components['schemas']['Card'];
export type CardId = components['schemas']['CardId'];
export type Price = components['schemas']['Price'];
export type PriceFigures = components['schemas']['PriceFigures'];
export type PriceOrigin = components['schemas']['PriceOrigin'];
export type GetSetSummaryResponse = components['schemas']['GetSetSummaryResponse'];
export type SetSummary = components['schemas']['SetSummary'];
export type NamedCount = components['schemas']['NamedCount'];
export type GetSetHistoryResponse = components['schemas']['GetSetHistoryResponse'];
export type SetValue = components['schemas']['SetValue'];
export type HistoryMeta = components['schemas']['HistoryMeta'];
export type ListSetPricesResponse = components['schemas']['ListSetPricesResponse'];
export type SetPrice = components['schemas']['SetPrice'];
export type GetCardResponse = components['schemas']['GetCardResponse'];
export type CardMeta = components['schemas']['CardMeta'];
export type GetCardByMarketplaceIdResponse = components['schemas']['GetCardByMarketplaceIdResponse'];
export type ListCardReprintsResponse = components['schemas']['ListCardReprintsResponse'];
export type GetCardByExternalIdResponse = components['schemas']['GetCardByExternalIdResponse'];
export type GetCardPricesResponse = components['schemas']['GetCardPricesResponse'];
export type GetCardHistoryResponse = components['schemas']['GetCardHistoryResponse'];
export type PriceHistoryEntry = components['schemas']['PriceHistoryEntry'];
export type PrintingHistoryEntry = components['schemas']['PrintingHistoryEntry'];
export type GetDetailedCardHistoryResponse = components['schemas']['GetDetailedCardHistoryResponse'];
export type DetailedHistoryEntry = components['schemas']['DetailedHistoryEntry'];
export type SearchCardsResponse = components['schemas']['SearchCardsResponse'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchMeta = components['schemas']['SearchMeta'];
export type ListTopMoversResponse = components['schemas']['ListTopMoversResponse'];
export type Mover = components['schemas']['Mover'];
export type ListTopMoversMeta = components['schemas']['ListTopMoversMeta'];
export type ListMigrationsResponse = components['schemas']['ListMigrationsResponse'];
export type CardMigration = components['schemas']['CardMigration'];
export type GetBulkPricesResponse = components['schemas']['GetBulkPricesResponse'];
export type SimplifiedPrice = components['schemas']['SimplifiedPrice'];
export type BulkMeta = components['schemas']['BulkMeta'];
export type GetBulkCardsResponse = components['schemas']['GetBulkCardsResponse'];
export type GetBulkHistoryResponse = components['schemas']['GetBulkHistoryResponse'];
export type BulkHistoryMeta = components['schemas']['BulkHistoryMeta'];
export type ResolveMarketplaceIdsResponse = components['schemas']['ResolveMarketplaceIdsResponse'];
export type ResolvedIds = components['schemas']['ResolvedIds'];
export type ResolvedId = components['schemas']['ResolvedId'];
export type CardReference = components['schemas']['CardReference'];
export type PrintingPrice = components['schemas']['PrintingPrice'];
export type ResolvedIdsMeta = components['schemas']['ResolvedIdsMeta'];
export type ResolveMarketplaceIdsRequest = components['schemas']['ResolveMarketplaceIdsRequest'];
export type ResolveNamesResponse = components['schemas']['ResolveNamesResponse'];
export type ResolvedNames = components['schemas']['ResolvedNames'];
export type ResolvedName = components['schemas']['ResolvedName'];
export type NameQuery = components['schemas']['NameQuery'];
export type NameMatch = components['schemas']['NameMatch'];
export type CardSummary = components['schemas']['CardSummary'];
export type UnmatchedName = components['schemas']['UnmatchedName'];
export type ResolvedNamesMeta = components['schemas']['ResolvedNamesMeta'];
export type ResolveNamesRequest = components['schemas']['ResolveNamesRequest'];
export type NameItem = components['schemas']['NameItem'];
export type ResolveCsvResponse = components['schemas']['ResolveCsvResponse'];
export type PricedCollection = components['schemas']['PricedCollection'];
export type CollectionRow = components['schemas']['CollectionRow'];
export type CollectionQuery = components['schemas']['CollectionQuery'];
export type CollectionMatch = components['schemas']['CollectionMatch'];
export type UnmatchedRow = components['schemas']['UnmatchedRow'];
export type ColumnUse = components['schemas']['ColumnUse'];
export type CollectionMeta = components['schemas']['CollectionMeta'];
export type ResolveCsvForm = components['schemas']['ResolveCsvForm'];
export type ResolveListResponse = components['schemas']['ResolveListResponse'];
export type ResolveListRequest = components['schemas']['ResolveListRequest'];
export type ResolveListForm = components['schemas']['ResolveListForm'];
export type ListBulkFilesResponse = components['schemas']['ListBulkFilesResponse'];
export type BulkFile = components['schemas']['BulkFile'];
export type BulkFilesMeta = components['schemas']['BulkFilesMeta'];
export type GetFreshnessResponse = components['schemas']['GetFreshnessResponse'];
export type Freshness = components['schemas']['Freshness'];
export type CatalogCounts = components['schemas']['CatalogCounts'];
export type GameFreshness = components['schemas']['GameFreshness'];
export type PriceSource = components['schemas']['PriceSource'];
export type LastSync = components['schemas']['LastSync'];
export type SourceFreshness = components['schemas']['SourceFreshness'];
export type Currencies = components['schemas']['Currencies'];
export type GetPaymentInfoResponse = components['schemas']['GetPaymentInfoResponse'];
export type PaymentInfo = components['schemas']['PaymentInfo'];
export type PhotoPrice = components['schemas']['PhotoPrice'];
export type PaymentAsset = components['schemas']['PaymentAsset'];
export type RegisterAccountResponse = components['schemas']['RegisterAccountResponse'];
export type Account = components['schemas']['Account'];
export type RegisterAccountRequest = components['schemas']['RegisterAccountRequest'];
export type SetUpOperatorResponse = components['schemas']['SetUpOperatorResponse'];
export type SetUpOperatorRequest = components['schemas']['SetUpOperatorRequest'];
export type LogInResponse = components['schemas']['LogInResponse'];
export type LogInRequest = components['schemas']['LogInRequest'];
export type LogOutResponse = components['schemas']['LogOutResponse'];
export type LogoutResult = components['schemas']['LogoutResult'];
export type GetAccountResponse = components['schemas']['GetAccountResponse'];
export type CurrentAccount = components['schemas']['CurrentAccount'];
export type LoginProviderLink = components['schemas']['LoginProviderLink'];
export type Session = components['schemas']['Session'];
export type ChangePasswordResponse = components['schemas']['ChangePasswordResponse'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type EndOtherSessionsResponse = components['schemas']['EndOtherSessionsResponse'];
export type EndedSessions = components['schemas']['EndedSessions'];
export type EndSessionResponse = components['schemas']['EndSessionResponse'];
export type EndAccessResponse = components['schemas']['EndAccessResponse'];
export type EndedAccess = components['schemas']['EndedAccess'];
export type DeleteAccountResponse = components['schemas']['DeleteAccountResponse'];
export type DeletedAccount = components['schemas']['DeletedAccount'];
export type DeleteAccountRequest = components['schemas']['DeleteAccountRequest'];
export type RequestPasswordResetResponse = components['schemas']['RequestPasswordResetResponse'];
export type MailRequest = components['schemas']['MailRequest'];
export type RequestPasswordResetRequest = components['schemas']['RequestPasswordResetRequest'];
export type ResetPasswordResponse = components['schemas']['ResetPasswordResponse'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type LinkedLogin = components['schemas']['LinkedLogin'];
export type ActiveKey = components['schemas']['ActiveKey'];
export type AccessChannel = components['schemas']['AccessChannel'];
export type LinkedCollection = components['schemas']['LinkedCollection'];
export type ResetPasswordRequest = components['schemas']['ResetPasswordRequest'];
export type RequestEmailConfirmationResponse = components['schemas']['RequestEmailConfirmationResponse'];
export type RequestEmailConfirmationRequest = components['schemas']['RequestEmailConfirmationRequest'];
export type ConfirmEmailResponse = components['schemas']['ConfirmEmailResponse'];
export type MailedLink = components['schemas']['MailedLink'];
export type ConfirmEmailRequest = components['schemas']['ConfirmEmailRequest'];
export type BeginProviderLoginResponse = components['schemas']['BeginProviderLoginResponse'];
export type ProviderLogin = components['schemas']['ProviderLogin'];
export type BeginProviderLoginRequest = components['schemas']['BeginProviderLoginRequest'];
export type UnlinkProviderResponse = components['schemas']['UnlinkProviderResponse'];
export type UnlinkedProvider = components['schemas']['UnlinkedProvider'];
export type ListApiKeysResponse = components['schemas']['ListApiKeysResponse'];
export type ApiKey = components['schemas']['ApiKey'];
export type CreateApiKeyResponse = components['schemas']['CreateApiKeyResponse'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type DeactivateApiKeyResponse = components['schemas']['DeactivateApiKeyResponse'];
export type GetUsageResponse = components['schemas']['GetUsageResponse'];
export type Usage = components['schemas']['Usage'];
export type AccountUsage = components['schemas']['AccountUsage'];
export type UsageDay = components['schemas']['UsageDay'];
export type ApiKeyUsage = components['schemas']['ApiKeyUsage'];
export type Subscription = components['schemas']['Subscription'];
export type ScanBalance = components['schemas']['ScanBalance'];
export type ListPlansResponse = components['schemas']['ListPlansResponse'];
export type Offers = components['schemas']['Offers'];
export type PlanOffer = components['schemas']['PlanOffer'];
export type PackOffer = components['schemas']['PackOffer'];
export type CreateCheckoutResponse = components['schemas']['CreateCheckoutResponse'];
export type PaymentLink = components['schemas']['PaymentLink'];
export type CreateCheckoutRequest = components['schemas']['CreateCheckoutRequest'];
export type CreatePortalLinkResponse = components['schemas']['CreatePortalLinkResponse'];
export type CreateCollectionResponse = components['schemas']['CreateCollectionResponse'];
export type Collection = components['schemas']['Collection'];
export type CollectionNote = components['schemas']['CollectionNote'];
export type CreateCollectionRequest = components['schemas']['CreateCollectionRequest'];
export type Name = components['schemas']['Name'];
export type ClientId = components['schemas']['ClientId'];
export type ListCollectionsResponse = components['schemas']['ListCollectionsResponse'];
export type CollectionLimits = components['schemas']['CollectionLimits'];
export type GetCollectionResponse = components['schemas']['GetCollectionResponse'];
export type UpdateCollectionResponse = components['schemas']['UpdateCollectionResponse'];
export type UpdateCollectionRequest = components['schemas']['UpdateCollectionRequest'];
export type DeleteCollectionResponse = components['schemas']['DeleteCollectionResponse'];
export type ShareCollectionResponse = components['schemas']['ShareCollectionResponse'];
export type ShareLink = components['schemas']['ShareLink'];
export type GetShareLinkResponse = components['schemas']['GetShareLinkResponse'];
export type StoredShareLink = components['schemas']['StoredShareLink'];
export type UnshareCollectionResponse = components['schemas']['UnshareCollectionResponse'];
export type GetSharedCollectionResponse = components['schemas']['GetSharedCollectionResponse'];
export type SharedCollection = components['schemas']['SharedCollection'];
export type SharedItem = components['schemas']['SharedItem'];
export type Condition = components['schemas']['Condition'];
export type ListCollectionItemsResponse = components['schemas']['ListCollectionItemsResponse'];
export type CollectionItem = components['schemas']['CollectionItem'];
export type AddCollectionItemsResponse = components['schemas']['AddCollectionItemsResponse'];
export type AddCollectionItemsRequest = components['schemas']['AddCollectionItemsRequest'];
export type NewCollectionItem = components['schemas']['NewCollectionItem'];
export type ItemFacts = components['schemas']['ItemFacts'];
export type Language = components['schemas']['Language'];
export type UpdateCollectionItemsResponse = components['schemas']['UpdateCollectionItemsResponse'];
export type ItemOutcome = components['schemas']['ItemOutcome'];
export type UpdateCollectionItemsRequest = components['schemas']['UpdateCollectionItemsRequest'];
export type ChangedCollectionItem = components['schemas']['ChangedCollectionItem'];
export type UpdateCollectionItemResponse = components['schemas']['UpdateCollectionItemResponse'];
export type UpdateCollectionItemRequest = components['schemas']['UpdateCollectionItemRequest'];
export type DeleteCollectionItemResponse = components['schemas']['DeleteCollectionItemResponse'];
export type ListOwnedCopiesResponse = components['schemas']['ListOwnedCopiesResponse'];
export type OwnedCopies = components['schemas']['OwnedCopies'];
export type ListOwnedSetsResponse = components['schemas']['ListOwnedSetsResponse'];
export type OwnedSet = components['schemas']['OwnedSet'];
export type ImportCollectionResponse = components['schemas']['ImportCollectionResponse'];
export type CollectionImportReport = components['schemas']['CollectionImportReport'];
export type CollectionImportProblem = components['schemas']['CollectionImportProblem'];
export type ImportCollectionForm = components['schemas']['ImportCollectionForm'];
export type ListImportsResponse = components['schemas']['ListImportsResponse'];
export type CollectionImport = components['schemas']['CollectionImport'];
export type ImportRow = components['schemas']['ImportRow'];
export type GetImportResponse = components['schemas']['GetImportResponse'];
export type UpdateImportResponse = components['schemas']['UpdateImportResponse'];
export type UpdateImportRequest = components['schemas']['UpdateImportRequest'];
export type ImportDraftResponse = components['schemas']['ImportDraftResponse'];
export type ImportDraftRequest = components['schemas']['ImportDraftRequest'];
export type DeleteImportResponse = components['schemas']['DeleteImportResponse'];
export type GetCollectionSummaryResponse = components['schemas']['GetCollectionSummaryResponse'];
export type CollectionSummary = components['schemas']['CollectionSummary'];
export type CollectionSums = components['schemas']['CollectionSums'];
export type CollectionGameSums = components['schemas']['CollectionGameSums'];
export type CollectionSetSums = components['schemas']['CollectionSetSums'];
export type CollectionMover = components['schemas']['CollectionMover'];
export type GetCollectionHistoryResponse = components['schemas']['GetCollectionHistoryResponse'];
export type CollectionDay = components['schemas']['CollectionDay'];
export type CollectionHistoryMeta = components['schemas']['CollectionHistoryMeta'];
export type GetCollectionCompletionResponse = components['schemas']['GetCollectionCompletionResponse'];
export type SetCompletion = components['schemas']['SetCompletion'];
export type CompletionMeta = components['schemas']['CompletionMeta'];
export type CreateAlertResponse = components['schemas']['CreateAlertResponse'];
export type PersonalAlert = components['schemas']['PersonalAlert'];
export type CreateAlertRequest = components['schemas']['CreateAlertRequest'];
export type ListAlertsResponse = components['schemas']['ListAlertsResponse'];
export type AlertLimits = components['schemas']['AlertLimits'];
export type GetAlertResponse = components['schemas']['GetAlertResponse'];
export type UpdateAlertResponse = components['schemas']['UpdateAlertResponse'];
export type UpdateAlertRequest = components['schemas']['UpdateAlertRequest'];
export type DeleteAlertResponse = components['schemas']['DeleteAlertResponse'];
export type ListNotificationsResponse = components['schemas']['ListNotificationsResponse'];
export type Notification = components['schemas']['Notification'];
export type NotifiedAlert = components['schemas']['NotifiedAlert'];
export type NotificationsMeta = components['schemas']['NotificationsMeta'];
export type ReadNotificationsResponse = components['schemas']['ReadNotificationsResponse'];
export type UnreadNotifications = components['schemas']['UnreadNotifications'];
export type ReadNotificationsRequest = components['schemas']['ReadNotificationsRequest'];
export type CreateChannelResponse = components['schemas']['CreateChannelResponse'];
export type AlertChannel = components['schemas']['AlertChannel'];
export type CreateChannelRequest = components['schemas']['CreateChannelRequest'];
export type ListChannelsResponse = components['schemas']['ListChannelsResponse'];
export type ChannelsMeta = components['schemas']['ChannelsMeta'];
export type UpdateChannelResponse = components['schemas']['UpdateChannelResponse'];
export type UpdateChannelRequest = components['schemas']['UpdateChannelRequest'];
export type DeleteChannelResponse = components['schemas']['DeleteChannelResponse'];
export type TestChannelResponse = components['schemas']['TestChannelResponse'];
export type ChannelTest = components['schemas']['ChannelTest'];
export type RequestChannelConfirmationResponse = components['schemas']['RequestChannelConfirmationResponse'];
export type GetAlertPreferencesResponse = components['schemas']['GetAlertPreferencesResponse'];
export type AlertPreferences = components['schemas']['AlertPreferences'];
export type UpdateAlertPreferencesResponse = components['schemas']['UpdateAlertPreferencesResponse'];
export type UpdateAlertPreferencesRequest = components['schemas']['UpdateAlertPreferencesRequest'];
export type UnsubscribeChannelResponse = components['schemas']['UnsubscribeChannelResponse'];
export type LinkedChannel = components['schemas']['LinkedChannel'];
export type ConfirmChannelResponse = components['schemas']['ConfirmChannelResponse'];
export type CreateWebhookResponse = components['schemas']['CreateWebhookResponse'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type Webhook = components['schemas']['Webhook'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type ListWebhooksResponse = components['schemas']['ListWebhooksResponse'];
export type GetWebhookResponse = components['schemas']['GetWebhookResponse'];
export type UpdateWebhookResponse = components['schemas']['UpdateWebhookResponse'];
export type UpdatedWebhook = components['schemas']['UpdatedWebhook'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type DeleteWebhookResponse = components['schemas']['DeleteWebhookResponse'];
export type ListWebhookDeliveriesResponse = components['schemas']['ListWebhookDeliveriesResponse'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type SendTestDeliveryResponse = components['schemas']['SendTestDeliveryResponse'];
export type RedeliverWebhookResponse = components['schemas']['RedeliverWebhookResponse'];
export type GetOperatorStatusResponse = components['schemas']['GetOperatorStatusResponse'];
export type OperatorStatus = components['schemas']['OperatorStatus'];
export type RequestCounts = components['schemas']['RequestCounts'];
export type CatalogStatus = components['schemas']['CatalogStatus'];
export type SyncState = components['schemas']['SyncState'];
export type SyncProgress = components['schemas']['SyncProgress'];
export type SyncStatus = components['schemas']['SyncStatus'];
export type SyncFailure = components['schemas']['SyncFailure'];
export type GameStatus = components['schemas']['GameStatus'];
export type GameError = components['schemas']['GameError'];
export type SourceStatus = components['schemas']['SourceStatus'];
export type ExchangeRateStatus = components['schemas']['ExchangeRateStatus'];
export type ServerStatus = components['schemas']['ServerStatus'];
export type JobStatus = components['schemas']['JobStatus'];
export type JobOutcome = components['schemas']['JobOutcome'];
export type ReaderStatus = components['schemas']['ReaderStatus'];
export type PictureIndexStatus = components['schemas']['PictureIndexStatus'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type AccountCounts = components['schemas']['AccountCounts'];
export type DiskStatus = components['schemas']['DiskStatus'];
export type FileSize = components['schemas']['FileSize'];
export type BackupStatus = components['schemas']['BackupStatus'];
export type LoggedError = components['schemas']['LoggedError'];
export type StartSyncResponse = components['schemas']['StartSyncResponse'];
export type SyncStarted = components['schemas']['SyncStarted'];
export type StartSyncRequest = components['schemas']['StartSyncRequest'];
export type GetSettingsResponse = components['schemas']['GetSettingsResponse'];
export type ServiceSettings = components['schemas']['ServiceSettings'];
export type ModeSetting = components['schemas']['ModeSetting'];
export type MirrorSetting = components['schemas']['MirrorSetting'];
export type PictureSetting = components['schemas']['PictureSetting'];
export type RatesSetting = components['schemas']['RatesSetting'];
export type RegisteredAccounts = components['schemas']['RegisteredAccounts'];
export type RegisteredAccount = components['schemas']['RegisteredAccount'];
export type ChangeSettingsResponse = components['schemas']['ChangeSettingsResponse'];
export type ChangeSettingsRequest = components['schemas']['ChangeSettingsRequest'];
export type GetHistoryImportResponse = components['schemas']['GetHistoryImportResponse'];
export type HistoryImport = components['schemas']['HistoryImport'];
export type HistoryImportFailure = components['schemas']['HistoryImportFailure'];
export type OfferedArchive = components['schemas']['OfferedArchive'];
export type StartHistoryImportResponse = components['schemas']['StartHistoryImportResponse'];
export type StartHistoryImportRequest = components['schemas']['StartHistoryImportRequest'];
export type CancelHistoryImportResponse = components['schemas']['CancelHistoryImportResponse'];
export type CancelHistoryImportData = components['schemas']['CancelHistoryImportData'];
export type UploadHistoryArchiveResponse = components['schemas']['UploadHistoryArchiveResponse'];
export type HistoryUpload = components['schemas']['HistoryUpload'];
export type IdentifyCardResponse = components['schemas']['IdentifyCardResponse'];
export type Identification = components['schemas']['Identification'];
export type Reading = components['schemas']['Reading'];
export type ReadableParts = components['schemas']['ReadableParts'];
export type Candidate = components['schemas']['Candidate'];
export type CandidateSet = components['schemas']['CandidateSet'];
export type CandidateGame = components['schemas']['CandidateGame'];
export type CandidateMatch = components['schemas']['CandidateMatch'];
export type ScanMeta = components['schemas']['ScanMeta'];
export type IdentifyCardForm = components['schemas']['IdentifyCardForm'];
export type IdentifyCardRequest = components['schemas']['IdentifyCardRequest'];
export type IdentifyPageResponse = components['schemas']['IdentifyPageResponse'];
export type IdentifiedPage = components['schemas']['IdentifiedPage'];
export type PhotoSize = components['schemas']['PhotoSize'];
export type PageCard = components['schemas']['PageCard'];
export type PhotoPoint = components['schemas']['PhotoPoint'];
export type UnreadCard = components['schemas']['UnreadCard'];
export type PageMeta = components['schemas']['PageMeta'];
export type IdentifyPageForm = components['schemas']['IdentifyPageForm'];
export type IdentifyPageRequest = components['schemas']['IdentifyPageRequest'];
export type GetScanUsageResponse = components['schemas']['GetScanUsageResponse'];
export type ScanUsage = components['schemas']['ScanUsage'];
export type ScanDay = components['schemas']['ScanDay'];
export type ScanAddition = components['schemas']['ScanAddition'];
export type PageProgress = components['schemas']['PageProgress'];
export type GetIdentificationResponse = components['schemas']['GetIdentificationResponse'];
export type ReviewedIdentification = components['schemas']['ReviewedIdentification'];
export type Feedback = components['schemas']['Feedback'];
export type SendIdentificationFeedbackResponse = components['schemas']['SendIdentificationFeedbackResponse'];
export type SendIdentificationFeedbackRequest = components['schemas']['SendIdentificationFeedbackRequest'];
export type ListReferencesResponse = components['schemas']['ListReferencesResponse'];
export type Reference = components['schemas']['Reference'];
export type DeleteReferencesResponse = components['schemas']['DeleteReferencesResponse'];
export type RemovedReferences = components['schemas']['RemovedReferences'];
export type DeleteReferenceResponse = components['schemas']['DeleteReferenceResponse'];
export type CreateScanSessionResponse = components['schemas']['CreateScanSessionResponse'];
export type ScanSessionTotals = components['schemas']['ScanSessionTotals'];
export type ScanSession = components['schemas']['ScanSession'];
export type CreateScanSessionRequest = components['schemas']['CreateScanSessionRequest'];
export type ListScanSessionsResponse = components['schemas']['ListScanSessionsResponse'];
export type GetScanSessionResponse = components['schemas']['GetScanSessionResponse'];
export type UpdateScanSessionResponse = components['schemas']['UpdateScanSessionResponse'];
export type UpdateScanSessionRequest = components['schemas']['UpdateScanSessionRequest'];
export type DeleteScanSessionResponse = components['schemas']['DeleteScanSessionResponse'];
export type AddScanSessionPhotoResponse = components['schemas']['AddScanSessionPhotoResponse'];
export type ScanSessionPhotoResult = components['schemas']['ScanSessionPhotoResult'];
export type ScanSessionPhoto = components['schemas']['ScanSessionPhoto'];
export type ScanSessionItem = components['schemas']['ScanSessionItem'];
export type ScanSessionPhotoMeta = components['schemas']['ScanSessionPhotoMeta'];
export type AddScanSessionPhotoForm = components['schemas']['AddScanSessionPhotoForm'];
export type AddScanSessionPhotoRequest = components['schemas']['AddScanSessionPhotoRequest'];
export type ListScanSessionItemsResponse = components['schemas']['ListScanSessionItemsResponse'];
export type UpdateScanSessionItemResponse = components['schemas']['UpdateScanSessionItemResponse'];
export type UpdateScanSessionItemRequest = components['schemas']['UpdateScanSessionItemRequest'];
export type DeleteScanSessionItemResponse = components['schemas']['DeleteScanSessionItemResponse'];
export type DuplicateScanSessionItemResponse = components['schemas']['DuplicateScanSessionItemResponse'];
export type DuplicateScanSessionItemRequest = components['schemas']['DuplicateScanSessionItemRequest'];
export type CollectScanSessionResponse = components['schemas']['CollectScanSessionResponse'];
export type CollectedScanSession = components['schemas']['CollectedScanSession'];
export type CollectScanSessionRequest = components['schemas']['CollectScanSessionRequest'];
export type ParameterId = components['parameters']['Id'];
export type ParameterCollectionId = components['parameters']['CollectionId'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterCurrency = components['parameters']['Currency'];
export type ParameterSource = components['parameters']['Source'];
export type ParameterFields = components['parameters']['Fields'];
export type ParameterInclude = components['parameters']['Include'];
export type ParameterIncludeIds = components['parameters']['IncludeIds'];
export type ParameterItemsFormat = components['parameters']['ItemsFormat'];
export type ParameterPrefer = components['parameters']['Prefer'];
export type ParameterGame = components['parameters']['Game'];
export type ParameterPage = components['parameters']['Page'];
export type ParameterPerPage = components['parameters']['PerPage'];
export type ParameterPrinting = components['parameters']['Printing'];
export type ParameterProductType = components['parameters']['ProductType'];
export type ParameterValueCurrency = components['parameters']['ValueCurrency'];
export type ParameterRevision = components['parameters']['Revision'];
export type ParameterPerPageOrAll = components['parameters']['PerPageOrAll'];
export type ParameterUpdatedAfter = components['parameters']['UpdatedAfter'];
export type $defs = Record<string, never>;
export interface operations {
    listGames: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of games. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGamesResponse"];
                };
            };
        };
    };
    getGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of a game, or its marketplace category ID. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The game. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetGameResponse"];
                };
            };
        };
    };
    listGameSets: {
        parameters: {
            query?: {
                /** @description Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request. */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path: {
                /** @description Slug of a game, or its marketplace category ID. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGameSetsResponse"];
                };
            };
        };
    };
    listSets: {
        parameters: {
            query?: {
                /** @description Words of a name, a slug or a code. The last letters can be missing. */
                q?: string;
                /** @description Code of a set, as the catalog or apps write it: `SVI` or `SV01`. */
                code?: string;
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request. */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSetsResponse"];
                };
            };
        };
    };
    getSet: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSetResponse"];
                };
            };
        };
    };
    listSetCards: {
        parameters: {
            query?: {
                /** @description Single cards, or sealed products. */
                type?: components["parameters"]["ProductType"];
                /** @description Exact name of a rarity. */
                rarity?: string;
                /** @description Exact name of a printing: only cards that have it, with its price. */
                printing?: string;
                /** @description Cards without a number, price or change come last. */
                sort?: "number" | "name" | "price_asc" | "price_desc" | "change_asc" | "change_desc";
                /** @description Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request. */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cards. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSetCardsResponse"];
                };
            };
        };
    };
    getSetSummary: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSetSummaryResponse"];
                };
            };
        };
    };
    getSetHistory: {
        parameters: {
            query?: {
                /** @description 30, 90 or 365 days, or the whole history depth of your tier. */
                range?: "month" | "quarter" | "year" | "all";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values, oldest day first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSetHistoryResponse"];
                };
            };
        };
    };
    listSetPrices: {
        parameters: {
            query?: {
                /** @description Single cards, or sealed products. */
                type?: components["parameters"]["ProductType"];
                /** @description Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request. */
                updated_after?: components["parameters"]["UpdatedAfter"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSetPricesResponse"];
                };
            };
        };
    };
    getCard: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCardResponse"];
                };
            };
        };
    };
    getCardByMarketplaceId: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                marketplace_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card with its prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCardByMarketplaceIdResponse"];
                };
            };
        };
    };
    listCardReprints: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cards with their prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCardReprintsResponse"];
                };
            };
        };
    };
    getCardByExternalId: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
            };
            header?: never;
            path: {
                /** @description `tcgplayer`, another marketplace, or a system of the operator. */
                system: string;
                /** @description ID in that system. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card with all its prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCardByExternalIdResponse"];
                };
            };
        };
    };
    getCardPrices: {
        parameters: {
            query?: {
                /** @description Exact name of a printing, such as `Reverse Holofoil`. */
                printing?: components["parameters"]["Printing"];
                /** @description `true` lists all prices, of each source, currency, condition and grade: always as an array, with the complete key and the age of each price. Cannot be combined with `currency` or `source`. */
                all?: "true" | "false";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices, or the one price of a card with a single printing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCardPricesResponse"];
                };
            };
        };
    };
    getCardHistory: {
        parameters: {
            query?: {
                /** @description 30, 90 or 365 days, or the whole history depth of your tier. */
                range?: "month" | "quarter" | "year" | "all";
                /** @description Exact name of a printing, such as `Reverse Holofoil`. */
                printing?: components["parameters"]["Printing"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history, oldest day first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCardHistoryResponse"];
                };
            };
        };
    };
    getDetailedCardHistory: {
        parameters: {
            query?: {
                /** @description Exact name of a printing, such as `Reverse Holofoil`. */
                printing?: components["parameters"]["Printing"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history, oldest day first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDetailedCardHistoryResponse"];
                };
            };
        };
    };
    searchCards: {
        parameters: {
            query: {
                /** @description Words to find, in any order. */
                q: string;
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description ID on the marketplace. */
                set_id?: number;
                /** @description Exact name of a rarity. */
                rarity?: string;
                /** @description Exact name of a printing: only cards that have it, by its price instead of that of the base printing. */
                printing?: string;
                /** @description In US dollars, or in `currency`; inclusive. Compared with the prices of `tcgplayer`, converted by the newest rate. */
                min_price?: number;
                /** @description In US dollars, or in `currency`; inclusive. Compared with the prices of `tcgplayer`, converted by the newest rate. */
                max_price?: number;
                /** @description Cards without a known price, change (in a week) or release (of the set) come last in either direction. */
                sort?: "relevance" | "price_asc" | "price_desc" | "name" | "change_desc" | "change_asc" | "newest";
                /** @description Single cards, or sealed products. */
                type?: components["parameters"]["ProductType"];
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results, best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchCardsResponse"];
                };
            };
        };
    };
    listTopMovers: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description Prices that rose, or that fell. */
                direction?: "up" | "down";
                /** @description Period of the change. */
                period?: "24h" | "7d" | "30d";
                /** @description Exact name of a printing, such as `Reverse Holofoil`. */
                printing?: components["parameters"]["Printing"];
                /** @description Single cards, or sealed products. */
                type?: components["parameters"]["ProductType"];
                /** @description Minimum confidence in the prices; `low` lists all. */
                min_confidence?: "high" | "medium" | "low";
                /** @description Minimum of the current price, in the currency of its source. */
                min_price?: "1" | "5" | "20" | "100";
                /** @description Maximum number of entries. */
                limit?: number;
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The printings, largest change first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTopMoversResponse"];
                };
            };
        };
    };
    listMigrations: {
        parameters: {
            query?: {
                /** @description Only changes after a time, or after midnight UTC of a date. */
                since?: string;
                /** @description `removed`: no longer on the marketplace. `restored`: listed again. `moved`: in another set or game. `merged`: replaced by `new_card_id`. */
                kind?: "removed" | "restored" | "moved" | "merged";
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMigrationsResponse"];
                };
            };
        };
    };
    getBulkPrices: {
        parameters: {
            query: {
                /** @description Comma-separated card IDs, at most 500. */
                ids: string;
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices, in the order of the IDs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBulkPricesResponse"];
                };
            };
        };
    };
    getBulkCards: {
        parameters: {
            query: {
                /** @description Comma-separated card IDs, at most 100. */
                ids: string;
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons, or `ids` of each card in other systems. */
                include?: components["parameters"]["IncludeIds"];
                /** @description Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones. */
                fields?: components["parameters"]["Fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cards, in the order of the IDs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBulkCardsResponse"];
                };
            };
        };
    };
    getBulkHistory: {
        parameters: {
            query: {
                /** @description Comma-separated card IDs, at most 50. */
                ids: string;
                /** @description 30, 90 or 365 days. */
                range?: "month" | "quarter" | "year";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Histories by card ID, oldest day first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBulkHistoryResponse"];
                };
            };
        };
    };
    exportSet: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: "json" | "csv";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Blob;
                    "text/csv": Blob;
                };
            };
        };
    };
    resolveMarketplaceIds: {
        parameters: {
            query?: {
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         900401
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ResolveMarketplaceIdsRequest"];
            };
        };
        responses: {
            /** @description The matched cards, and the IDs that match no card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolveMarketplaceIdsResponse"];
                };
            };
        };
    };
    resolveNames: {
        parameters: {
            query?: {
                /** @description Which card a name without a set means. */
                prefer?: components["parameters"]["Prefer"];
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "name": "Cindle",
                 *           "set": "tidepool-parade",
                 *           "printing": "Normal",
                 *           "ref": "mine"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ResolveNamesRequest"];
            };
        };
        responses: {
            /** @description The matches, and the names without one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolveNamesResponse"];
                };
            };
        };
    };
    resolveCsv: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description Which card a name without a set means. */
                prefer?: components["parameters"]["Prefer"];
                /** @description Format of the response. */
                format?: "json" | "csv";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example Quantity,Name,Set
                 *     2,Cindle,Tidepool Parade
                 *     1,Nobody at All,
                 */
                "text/csv": Blob;
                "multipart/form-data": components["schemas"]["ResolveCsvForm"];
            };
        };
        responses: {
            /** @description The rows with their matches, and the total value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                    "application/json": components["schemas"]["ResolveCsvResponse"];
                };
            };
        };
    };
    resolveList: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description Which card a name without a set means. */
                prefer?: components["parameters"]["Prefer"];
                /** @description Format of the response. */
                format?: "json" | "csv";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Comma-separated members to add: `confidence`, how reliable each price is, with its reasons. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example Deck
                 *     4x Cindle [TPP] 1/20
                 *
                 *     Sideboard
                 *     1 Nobody at All
                 */
                "text/plain": string;
                "application/json": components["schemas"]["ResolveListRequest"];
                "multipart/form-data": components["schemas"]["ResolveListForm"];
            };
        };
        responses: {
            /** @description The lines with their matches, and the total value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                    "application/json": components["schemas"]["ResolveListResponse"];
                };
            };
        };
    };
    listBulkFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files, and the catalog version that they contain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBulkFilesResponse"];
                };
            };
        };
    };
    downloadCatalogFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                version: number;
                /** @description File name, as listed by `/v1/bulk-data`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/zstd": Blob;
                };
            };
            /** @description The requested part. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/zstd": Blob;
                };
            };
        };
    };
    downloadGameFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID on the marketplace. */
                version: number;
                /** @description Slug of the game. */
                game: string;
                /** @description File name, as listed by `/v1/bulk-data`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                };
            };
            /** @description The requested part. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                };
            };
        };
    };
    getFreshness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Version and freshness of the published data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFreshnessResponse"];
                };
            };
        };
    };
    getPaymentInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment terms; null if payments are disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPaymentInfoResponse"];
                };
            };
        };
    };
    registerAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "new@guests.example",
                 *       "password": "eight characters"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterAccountRequest"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterAccountResponse"];
                };
            };
        };
    };
    setUpOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the-token-of-the-setup",
                 *       "email": "operator@guests.example",
                 *       "password": "eight characters"
                 *     }
                 */
                "application/json": components["schemas"]["SetUpOperatorRequest"];
            };
        };
        responses: {
            /** @description The account. The session cookie is in Set-Cookie. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpOperatorResponse"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "pro@guests.example",
                 *       "password": "eight characters"
                 *     }
                 */
                "application/json": components["schemas"]["LogInRequest"];
            };
        };
        responses: {
            /** @description The account. The session cookie is in Set-Cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogInResponse"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: {
                /** @description `true` ends every session of the account. */
                all?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ended session, if there was one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogOutResponse"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account and its sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountResponse"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "eight characters",
                 *       "new_password": "another of them"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The account. The new session cookie is in Set-Cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePasswordResponse"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of ended sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsResponse"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of ended sessions, which is 1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSessionResponse"];
                };
            };
        };
    };
    endAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How much was ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndAccessResponse"];
                };
            };
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Blob;
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "pro@guests.example",
                 *       "password": "eight characters"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteAccountRequest"];
            };
        };
        responses: {
            /** @description The number of the account, which stays in the books. The session cookie is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteAccountResponse"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "pro@guests.example"
                 *     }
                 */
                "application/json": components["schemas"]["RequestPasswordResetRequest"];
            };
        };
        responses: {
            /** @description The request. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPasswordResetResponse"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "{reset_token}",
                 *       "new_password": "another of them"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description The account, its keys and its channels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetPasswordResponse"];
                };
            };
        };
    };
    requestEmailConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "pro@guests.example"
                 *     }
                 */
                "application/json": components["schemas"]["RequestEmailConfirmationRequest"];
            };
        };
        responses: {
            /** @description The request. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestEmailConfirmationResponse"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "{confirm_token}"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmEmailRequest"];
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmEmailResponse"];
                };
            };
        };
    };
    beginProviderLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["BeginProviderLoginRequest"];
            };
        };
        responses: {
            /** @description The page of the login provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeginProviderLoginResponse"];
                };
            };
        };
    };
    unlinkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlinkProviderResponse"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. Default: all entries, without `meta`. */
                per_page?: components["parameters"]["PerPageOrAll"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, or a page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResponse"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop window"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, which is only shown here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
        };
    };
    deactivateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deactivated key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeactivateApiKeyResponse"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageResponse"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans and packs with their prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPlansResponse"];
                };
            };
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "business"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCheckoutRequest"];
            };
        };
        responses: {
            /** @description Link to pay, or to change an existing subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCheckoutResponse"];
                };
            };
        };
    };
    createPortalLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Link to the customer portal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePortalLinkResponse"];
                };
            };
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the collections, and how many are allowed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCollectionsResponse"];
                };
            };
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Binder",
                 *       "kind": "owned"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCollectionRequest"];
            };
        };
        responses: {
            /** @description The collection. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCollectionResponse"];
                };
            };
        };
    };
    getCollection: {
        parameters: {
            query?: {
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCollectionResponse"];
                };
            };
        };
    };
    deleteCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted collection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteCollectionResponse"];
                };
            };
        };
    };
    updateCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Trades",
                 *       "revision": 1
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCollectionRequest"];
            };
        };
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateCollectionResponse"];
                };
            };
        };
    };
    getShareLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetShareLinkResponse"];
                };
            };
        };
    };
    shareCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareCollectionResponse"];
                };
            };
        };
    };
    unshareCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnshareCollectionResponse"];
                };
            };
        };
    };
    getSharedCollection: {
        parameters: {
            query?: {
                /** @description Order of the items. */
                sort?: "added_desc" | "added_asc" | "name" | "value_desc" | "value_asc";
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description Token of the link. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSharedCollectionResponse"];
                };
            };
        };
    };
    listCollectionItems: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description ID of a set. */
                set_id?: number;
                /** @description Parts of name, set or number. */
                q?: string;
                /** @description Place. */
                place?: string;
                condition?: components["schemas"]["Condition"];
                /** @description Exact name of a printing, such as `Reverse Holofoil`. */
                printing?: components["parameters"]["Printing"];
                /** @description Order. Values are those of the last summary. */
                sort?: "added_desc" | "added_asc" | "name" | "value_desc" | "value_asc";
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the items with their current prices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCollectionItemsResponse"];
                };
            };
        };
    };
    addCollectionItems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "card_id": 900402,
                 *           "condition": "lightly_played",
                 *           "quantity": 2,
                 *           "price_paid": 0.5
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AddCollectionItemsRequest"];
            };
        };
        responses: {
            /** @description The items, in the order of the request. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddCollectionItemsResponse"];
                };
            };
        };
    };
    updateCollectionItems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "id": "item_0",
                 *           "revision": 1,
                 *           "condition": "lightly_played"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCollectionItemsRequest"];
            };
        };
        responses: {
            /** @description What became of each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateCollectionItemsResponse"];
                };
            };
        };
    };
    deleteCollectionItem: {
        parameters: {
            query?: {
                /** @description Revision to change: another one is a conflict. Default: any. */
                revision?: components["parameters"]["Revision"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
                /** @description ID of the item. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteCollectionItemResponse"];
                };
            };
        };
    };
    updateCollectionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
                /** @description ID of the item. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": 1,
                 *       "quantity": 4,
                 *       "note": "Signed",
                 *       "price_paid": null,
                 *       "grade": "PSA 10"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCollectionItemRequest"];
            };
        };
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateCollectionItemResponse"];
                };
            };
        };
    };
    listOwnedCopies: {
        parameters: {
            query?: {
                /** @description Comma-separated card IDs, at most 100. */
                ids?: string;
                /** @description A set, beside `ids`. */
                set_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 10000 entries, by card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOwnedCopiesResponse"];
                };
            };
        };
    };
    listOwnedSets: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sets of which you own a card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOwnedSetsResponse"];
                };
            };
        };
    };
    importCollection: {
        parameters: {
            query?: {
                /** @description Slug of a game. */
                game?: components["parameters"]["Game"];
                /** @description Which card a name without a set means. */
                prefer?: components["parameters"]["Prefer"];
                /** @description Adds a file that was imported before. */
                again?: "true" | "false";
                /** @description Stores nothing before `importDraft`. */
                draft?: "true" | "false";
                /** @description Name that its draft shows. */
                file_name?: string;
                /** @description Rows of watchlists, lists and decks. */
                unowned?: "leave_out" | "wishlist";
                /** @description Certainties to import, separated by commas: `certain,assumed` by default. */
                accept?: string;
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example Quantity,Name,Condition,Price Paid
                 *     2,Cindle,Lightly Played,0.50
                 *     1,Nobody,NM,
                 */
                "text/csv": Blob;
                /**
                 * @example Quantity,Name,Condition,Price Paid
                 *     2,Cindle,Lightly Played,0.50
                 *     1,Nobody,NM,
                 */
                "text/plain": Blob;
                "multipart/form-data": components["schemas"]["ImportCollectionForm"];
            };
        };
        responses: {
            /** @description The counts, and the skipped rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportCollectionResponse"];
                };
            };
        };
    };
    exportCollection: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: components["parameters"]["ItemsFormat"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                };
            };
        };
    };
    exportCollections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The imports, without rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListImportsResponse"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: {
                /** @description Default: all, in this order. */
                kind?: "guessed" | "assumed" | "not_found" | "skipped" | "certain";
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetImportResponse"];
                };
            };
        };
    };
    deleteImport: {
        parameters: {
            query?: {
                /** @description Revision to change: another one is a conflict. Default: any. */
                revision?: components["parameters"]["Revision"];
            };
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The discarded draft, or the undone import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteImportResponse"];
                };
            };
        };
    };
    updateImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rows": [
                 *         {
                 *           "id": "guessed-1",
                 *           "card_id": 900401,
                 *           "quantity": 1
                 *         }
                 *       ],
                 *       "kinds": [
                 *         {
                 *           "kind": "certain",
                 *           "state": "open"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateImportRequest"];
            };
        };
        responses: {
            /** @description The import, with the changed rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateImportResponse"];
                };
            };
        };
    };
    importDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": 1
                 *     }
                 */
                "application/json": components["schemas"]["ImportDraftRequest"];
            };
        };
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportDraftResponse"];
                };
            };
        };
    };
    exportFailedRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                };
            };
        };
    };
    getCollectionSummary: {
        parameters: {
            query?: {
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCollectionSummaryResponse"];
                };
            };
        };
    };
    getCollectionHistory: {
        parameters: {
            query?: {
                /** @description 30, 90 or 365 days, or the whole history depth of your tier. */
                range?: "month" | "quarter" | "year" | "all";
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCollectionHistoryResponse"];
                };
            };
        };
    };
    getCollectionCompletion: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the collection. */
                id: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the sets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCollectionCompletionResponse"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description ID on the marketplace. */
                card_id?: number;
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the price alerts, and how many the account can have. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlertsResponse"];
                };
            };
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "card_id": 900401,
                 *       "condition": "above",
                 *       "threshold": 19.99
                 *     }
                 */
                "application/json": components["schemas"]["CreateAlertRequest"];
            };
        };
        responses: {
            /** @description The price alert. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAlertResponse"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the price alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAlertResponse"];
                };
            };
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the price alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted price alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteAlertResponse"];
                };
            };
        };
    };
    updateAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the price alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threshold": 25,
                 *       "is_paused": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAlertRequest"];
            };
        };
        responses: {
            /** @description The price alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateAlertResponse"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notifications, and the number of unread ones. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNotificationsResponse"];
                };
            };
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ReadNotificationsRequest"];
            };
        };
        responses: {
            /** @description The number of notifications that are still unread, up to 100. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadNotificationsResponse"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the channels, and what the account can add. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChannelsResponse"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "discord",
                 *       "address": "https://discord.example/api/1/x"
                 *     }
                 */
                "application/json": components["schemas"]["CreateChannelRequest"];
            };
        };
        responses: {
            /** @description The channel. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChannelResponse"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteChannelResponse"];
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_paused": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateChannelRequest"];
            };
        };
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateChannelResponse"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestChannelResponse"];
                };
            };
        };
    };
    requestChannelConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestChannelConfirmationResponse"];
                };
            };
        };
    };
    getAlertPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preferences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAlertPreferencesResponse"];
                };
            };
        };
    };
    updateAlertPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digest_hour": 7
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAlertPreferencesRequest"];
            };
        };
        responses: {
            /** @description The preferences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateAlertPreferencesResponse"];
                };
            };
        };
    };
    unsubscribeChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link. */
                unsubscribe_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kind of the channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsubscribeChannelResponse"];
                };
            };
        };
    };
    confirmChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token of the link. */
                confirm_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kind of the channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmChannelResponse"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. Default: all entries, without `meta`. */
                per_page?: components["parameters"]["PerPageOrAll"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks, or a page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResponse"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example/alerts",
                 *       "card_id": 900401,
                 *       "condition": "above",
                 *       "threshold": 19.99
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookResponse"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookResponse"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threshold": 25,
                 *       "paused": true,
                 *       "rotate_secret": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook, with its new secret if it was replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookResponse"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesResponse"];
                };
            };
        };
    };
    sendTestDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery with its attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendTestDeliveryResponse"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                webhook_id: components["parameters"]["WebhookId"];
                /** @description ID of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery with its attempts so far. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverWebhookResponse"];
                };
            };
        };
    };
    getOperatorStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of this server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOperatorStatusResponse"];
                };
            };
        };
    };
    startSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "game": "wickerwild",
                 *       "force": true
                 *     }
                 */
                "application/json": components["schemas"]["StartSyncRequest"];
            };
        };
        responses: {
            /** @description The sync has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartSyncResponse"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSettingsResponse"];
                };
            };
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mode": "business",
                 *       "index_pictures": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSettingsResponse"];
                };
            };
        };
    };
    getHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHistoryImportResponse"];
                };
            };
        };
    };
    startHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "archive": "prices-2025"
                 *     }
                 */
                "application/json": components["schemas"]["StartHistoryImportRequest"];
            };
        };
        responses: {
            /** @description The import has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartHistoryImportResponse"];
                };
            };
        };
    };
    cancelHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import ends soon. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelHistoryImportResponse"];
                };
            };
        };
    };
    uploadHistoryArchive: {
        parameters: {
            query: {
                name: string;
                offset: number;
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            /** @description The bytes that have arrived. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadHistoryArchiveResponse"];
                };
            };
        };
    };
    identifyCard: {
        parameters: {
            query?: {
                /** @description Slug of the game to search in. Default: all games. */
                game?: string;
                /** @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is. */
                include?: "prices" | "confidence" | "prices,confidence";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["IdentifyCardForm"];
                /**
                 * @example {
                 *       "image": "/9j/4AAQSkZJRgA="
                 *     }
                 */
                "application/json": components["schemas"]["IdentifyCardRequest"];
                "image/jpeg": Blob;
                "image/png": Blob;
                "image/webp": Blob;
            };
        };
        responses: {
            /** @description The candidates, best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentifyCardResponse"];
                };
            };
        };
    };
    identifyPage: {
        parameters: {
            query?: {
                /** @description Slug of the game to search in. Default: all games. */
                game?: string;
                /** @description `prices` adds the prices of the first candidate, `confidence` also how reliable each is. */
                include?: "prices" | "confidence" | "prices,confidence";
                /** @description Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin. */
                currency?: components["parameters"]["Currency"];
                /** @description Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources. */
                source?: components["parameters"]["Source"];
                /** @description Maximum number of scans to use. Further cards stay unread. */
                max_scans?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["IdentifyPageForm"];
                /**
                 * @example {
                 *       "image": "/9j/4AAQSkZJRgA="
                 *     }
                 */
                "application/json": components["schemas"]["IdentifyPageRequest"];
                "image/jpeg": Blob;
                "image/png": Blob;
                "image/webp": Blob;
            };
        };
        responses: {
            /** @description The cards by rows and columns, and the cards that stayed unread. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentifyPageResponse"];
                };
            };
        };
    };
    getScanUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance, the usage of the last 30 days, the latest additions, and the picture index. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetScanUsageResponse"];
                };
            };
        };
    };
    getIdentification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the identification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIdentificationResponse"];
                };
            };
        };
    };
    sendIdentificationFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the identification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "card_id": 900402
                 *     }
                 */
                "application/json": components["schemas"]["SendIdentificationFeedbackRequest"];
            };
        };
        responses: {
            /** @description The identification with its feedback. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendIdentificationFeedbackResponse"];
                };
            };
        };
    };
    listReferences: {
        parameters: {
            query?: {
                /** @description ID on the marketplace. */
                card_id?: number;
                account_id?: number;
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The references. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReferencesResponse"];
                };
            };
        };
    };
    deleteReferences: {
        parameters: {
            query: {
                account_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Their number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteReferencesResponse"];
                };
            };
        };
    };
    deleteReference: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the identification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number 1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteReferenceResponse"];
                };
            };
        };
    };
    listScanSessions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the sessions, without their values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScanSessionsResponse"];
                };
            };
        };
    };
    createScanSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Pile",
                 *       "id": "11111111-2222-4333-8444-555555555555"
                 *     }
                 */
                "application/json": components["schemas"]["CreateScanSessionRequest"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateScanSessionResponse"];
                };
            };
        };
    };
    getScanSession: {
        parameters: {
            query?: {
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetScanSessionResponse"];
                };
            };
        };
    };
    deleteScanSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteScanSessionResponse"];
                };
            };
        };
    };
    updateScanSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Trades"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateScanSessionRequest"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateScanSessionResponse"];
                };
            };
        };
    };
    addScanSessionPhoto: {
        parameters: {
            query?: {
                /** @description `true`: the photo shows several cards. */
                page?: "true" | "false";
                /** @description Slug of the game to search in. Default: all games. */
                game?: string;
                /** @description Maximum number of scans to use. Further cards stay unread. */
                max_scans?: number;
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
                /** @description Key of the photo: 1 to 64 letters, digits, `_` and `-`. */
                photo: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddScanSessionPhotoForm"];
                /**
                 * @example {
                 *       "image": "/9j/4AAQSkZJRgA="
                 *     }
                 */
                "application/json": components["schemas"]["AddScanSessionPhotoRequest"];
                "image/jpeg": Blob;
                "image/png": Blob;
                "image/webp": Blob;
            };
        };
        responses: {
            /** @description The photo, its items, and the session with its totals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddScanSessionPhotoResponse"];
                };
            };
        };
    };
    listScanSessionItems: {
        parameters: {
            query?: {
                /** @description Only items that are not reviewed, or only reviewed ones. */
                review?: "open" | "done";
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page. Values above 100 count as 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Currency of the values. Default: `USD`. */
                currency?: components["parameters"]["ValueCurrency"];
            };
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the items, in the order in which they were added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScanSessionItemsResponse"];
                };
            };
        };
    };
    deleteScanSessionItem: {
        parameters: {
            query?: {
                /** @description Revision to change: another one is a conflict. Default: any. */
                revision?: components["parameters"]["Revision"];
            };
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
                /** @description ID of the item. */
                item: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteScanSessionItemResponse"];
                };
            };
        };
    };
    updateScanSessionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
                /** @description ID of the item. */
                item: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "revision": 1,
                 *       "card_id": 900402,
                 *       "quantity": 2,
                 *       "condition": "lightly_played"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateScanSessionItemRequest"];
            };
        };
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateScanSessionItemResponse"];
                };
            };
        };
    };
    duplicateScanSessionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
                /** @description ID of the item. */
                item: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id": "11111111-2222-4333-8444-555555555555"
                 *     }
                 */
                "application/json": components["schemas"]["DuplicateScanSessionItemRequest"];
            };
        };
        responses: {
            /** @description The duplicate. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateScanSessionItemResponse"];
                };
            };
        };
    };
    exportScanSession: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: components["parameters"]["ItemsFormat"];
            };
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": Blob;
                };
            };
        };
    };
    collectScanSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the scan session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "collection_id": "{collection}"
                 *     }
                 */
                "application/json": components["schemas"]["CollectScanSessionRequest"];
            };
        };
        responses: {
            /** @description The number of added items, and of items that the collection already had. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectScanSessionResponse"];
                };
            };
        };
    };
    receivePriceAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the alert, the same for every attempt: ignore one that you have received. */
                "webhook-id": string;
                /** @description Time of the attempt, in epoch seconds. */
                "webhook-timestamp": number;
                /** @description `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, as Standard Webhooks define it. Two, separated by a space, while a secret is being replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "price_alert",
                 *       "card_id": 900401,
                 *       "card_name": "T.S.V. Marigold",
                 *       "condition": "below",
                 *       "threshold": 12.5,
                 *       "current_price": 12.1,
                 *       "timestamp": "2026-11-15T21:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["PriceAlert"];
            };
        };
        responses: {
            /** @description Disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The alert is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
