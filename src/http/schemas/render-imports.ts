import type { ImportView } from '#actions/collections/manage-imports.ts'
import type { Deps } from '#deps.ts'
import { type AccountLimits, tierLimits } from '#rules/accounts/tiers.ts'
import {
  type DecidedRow,
  DRAFT_KINDS,
  formatRowId,
  rowValue,
} from '#rules/collections/import-draft.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { pick } from '#rules/primitives/pick.ts'
import type { PricedCard } from '#store/catalog/priced-cards.ts'
import { timeText } from './members.ts'

/** Renders an import for its owner. */
export function renderImport(
  { draft, kept, name, items, undo_until, ...view }: ImportView,
  owner: AccountLimits,
  entries: ReturnType<typeof renderImportRows> = [],
) {
  const { items: max } = tierLimits(owner)
  return {
    id: view.id,
    collection_id: view.collection_id,
    collection_name: name,
    state: view.state,
    revision: view.revision,
    expires_at: timeText(draft?.expires_at ?? null),
    undo_until: timeText(undo_until),
    file_name: draft?.file_name ?? null,
    rows: view.rows,
    columns: draft?.columns ?? [],
    is_repeated: draft?.is_repeated ?? false,
    room: owner.is_unlimited ? null : Math.max(0, max - items),
    totals: draft === undefined ? [] : renderTotals(draft.totals),
    imported: view.imported,
    unowned: view.unowned,
    removed: view.removed,
    kept: kept.items,
    kept_count: kept.total,
    entries,
  }
}

function renderTotals(totals: NonNullable<ImportView['draft']>['totals']) {
  return DRAFT_KINDS.map((kind) => {
    const { rows, accepted, accepted_unowned, skipped, value, accepted_value } = totals[kind]
    return {
      kind,
      rows,
      accepted,
      unowned: accepted_unowned,
      skipped,
      value: toDollars(value),
      accepted_value: toDollars(accepted_value),
    }
  })
}

/** Renders rows of a draft with the pictures, printings and current prices of their cards. */
export function renderImportRows({ catalog }: Pick<Deps, 'catalog'>, rows: readonly DecidedRow[]) {
  const cards = catalog.pricedCards.getByIds(
    rows.flatMap(({ card, alternatives }) => [...(card ? [card.card_id] : []), ...alternatives]),
  )
  return rows.map((row) => renderRow(row, cards))
}

function renderRow(row: DecidedRow, cards: ReadonlyMap<number, PricedCard>) {
  const { card, copies, alternatives, notes, source, price } = row
  const priced = card === null ? undefined : cards.get(card.card_id)
  return {
    id: formatRowId(row),
    row: row.row,
    kind: row.kind,
    state: row.state,
    is_changed: row.is_changed,
    text: source.join(', ').slice(0, TEXT_SHOWN),
    reason: row.reason,
    notes,
    card: card && {
      ...pick(card, ['card_id', 'name', 'number', 'set_name']),
      image_url: priced?.card.image_url ?? null,
    },
    printing: copies.printing,
    printings: (priced?.printings ?? []).map(({ printing, market_price }) => {
      return { printing, market_price: toDollars(market_price) }
    }),
    condition: copies.condition,
    grade: copies.grade,
    language: copies.language,
    quantity: copies.quantity,
    market_price: toDollars(price),
    value: toDollars(rowValue(row)),
    alternatives: alternatives
      .filter((id) => id !== card?.card_id)
      .flatMap((id) => cards.get(id) ?? [])
      .map(renderAlternative),
  }
}

const TEXT_SHOWN = 300

function renderAlternative({ card, printings }: PricedCard) {
  const { id: card_id, name, number, set_name, image_url } = card
  const market_price = toDollars(printings[0]?.market_price ?? null)
  return { card_id, name, number, set_name, image_url, market_price }
}
