// Programs of client developers. Each calls generated code, and writes its findings as one line of JSON. Types are
// checked, so a name or member that the generator omits is an error.

/** Results that each program reports. */
export type ClientResults = {
  game: string
  found: string
  prices: number
  resolved: number
  unmatched: string
  error: string
}

/** The last lines of both TypeScript programs. */
const REPORT_RESULTS = `console.log(JSON.stringify({
  game: games.data?.data[0]?.slug,
  found: card.name,
  prices: rows.length,
  resolved: names.data?.data.results[0]?.match.card.id,
  unmatched: names.data?.data.unmatched[0]?.reason,
  error: code,
}))`

/** Uses the types of openapi-typescript in `schema.d.ts`. */
export const FETCH_PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from '../../support/chaos/schema.d.ts'

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })
const found = await client.GET('/v1/search', { params: { query: { q: 'cindlemane' } } })
const cards: components['schemas']['SearchResult'][] = found.data?.data ?? []
const [card] = cards
if (card === undefined) throw new Error('no card was found')
const games = await client.GET('/v1/games')
const prices = await client.GET('/v1/cards/{id}/prices', { params: { path: { id: 900003 } } })
const rows: components['schemas']['Price'][] = [prices.data?.data ?? []].flat()
const items = [{ name: 'Cindlemane Regent' }, { name: 'no such card' }]
const names = await client.POST('/v1/bulk/resolve/name', { body: { items } })
const identified = await client.POST('/v1/identify', { body: { image: 'bm90IGEgcGhvdG8=' } })
const code: components['schemas']['ErrorCode'] | undefined = identified.error?.error.code
${REPORT_RESULTS}
`

/** Uses the functions of @hey-api/openapi-ts in `generated/`. */
export const SDK_PROGRAM = `
import { getCardPrices, identifyCard, listGames, resolveNames, searchCards } from './generated'
import type { ErrorCode, Price, SearchResult } from './generated'
import { client } from './generated/client.gen'

const [, , baseUrl = '', key = ''] = process.argv
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? undefined : key) })
const found = await searchCards({ query: { q: 'cindlemane' } })
const cards: SearchResult[] = found.data?.data ?? []
const [card] = cards
if (card === undefined) throw new Error('no card was found')
const games = await listGames()
const prices = await getCardPrices({ path: { id: 900003 } })
const rows: Price[] = [prices.data?.data ?? []].flat()
const items = [{ name: 'Cindlemane Regent' }, { name: 'no such card' }]
const names = await resolveNames({ body: { items } })
const identified = await identifyCard({ body: { image: 'bm90IGEgcGhvdG8=' } })
const code: ErrorCode | undefined = identified.error?.error.code
${REPORT_RESULTS}
`

/** Uses the package of openapi-python-client in `cardstock_client/`. */
export const PYTHON_PROGRAM = `
import json
import sys

from cardstock_client import AuthenticatedClient
from cardstock_client.api.bulk import resolve_names
from cardstock_client.api.cards import get_card_prices
from cardstock_client.api.games import list_games
from cardstock_client.api.identify import identify_card
from cardstock_client.api.search import search_cards
from cardstock_client.models import (
    ErrorResponse,
    IdentifyCardRequest,
    NameItem,
    ResolveNamesRequest,
)

_, base_url, key = sys.argv
client = AuthenticatedClient(
    base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key"
)
card = search_cards.sync(client=client, q="cindlemane").data[0]
prices = get_card_prices.sync(900003, client=client).data
items = [NameItem(name="Cindlemane Regent"), NameItem(name="no such card")]
names = resolve_names.sync(client=client, body=ResolveNamesRequest(items=items)).data
identified = identify_card.sync(client=client, body=IdentifyCardRequest(image="bm90IGEgcGhvdG8="))
assert isinstance(identified, ErrorResponse), identified
print(json.dumps({
    "game": list_games.sync(client=client).data[0].slug,
    "found": card.name,
    "prices": len(prices) if isinstance(prices, list) else 1,
    "resolved": names.results[0].match.card.id,
    "unmatched": names.unmatched[0].reason,
    "error": identified.error.code,
}))
`
