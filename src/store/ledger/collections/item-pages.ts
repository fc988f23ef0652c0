// Pages of the items of a list, also of a hundred thousand items, of which any page in any order takes a few milliseconds
// of SQLite, because its index is read from the nearer end and the items of the page alone.
import { ITEM_SORTS, type ItemSort } from '#rules/collections/list-kinds.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { ListItemRow } from '../schema/collections.ts'
import { ITEM_MEMBERS } from './item-writer.ts'

/** Restricts a list of items. */
export type ItemFilter = { game: string | undefined; set_id: number | undefined }

type PageRow = Pick<ListItemRow, (typeof ITEM_MEMBERS)[number]>

export type ItemPages = {
  /** Returns a page of the items of a list. */
  read(
    list_id: string,
    filter: ItemFilter,
    page: RowWindow & { sort: ItemSort },
  ): Promise<RowPage<PageRow>>
}

export function openItemPages(engine: LedgerEngine): ItemPages {
  const { query } = engine
  const lists = prepareLists(engine)
  return {
    async read(list_id, filter, { sort, limit, offset }) {
      const { total: count, orders } = lists(filter)
      const given = { list_id, game: filter.game ?? null, set_id: filter.set_id ?? null }
      const { total = 0 } = (await query(count.get(given))) ?? {}
      const size = Math.min(limit, total - offset)
      if (size <= 0) return { rows: [], total }
      const afterwards = total - offset - size
      const { forwards, backwards } = orders(sort, total)
      if (offset <= afterwards) {
        return { rows: await query(forwards.all({ ...given, limit: size, offset })), total }
      }
      const rows = await query(backwards.all({ ...given, limit: size, offset: afterwards }))
      return { rows: rows.reverse(), total }
    },
  }
}

/** Each order, its reverse, and the index that has all columns of the order and of the filters. */
const ORDERS: Record<ItemSort, { forwards: string; backwards: string; index: string }> = {
  added_desc: { forwards: 'id DESC', backwards: 'id', index: 'list_items_by_id' },
  added_asc: { forwards: 'id', backwards: 'id DESC', index: 'list_items_by_id' },
  name: { forwards: 'name, id', backwards: 'name DESC, id DESC', index: 'list_items_by_name' },
  value_desc: {
    forwards: 'value DESC NULLS LAST, id',
    backwards: 'value NULLS FIRST, id DESC',
    index: 'list_items_by_falling_value',
  },
  value_asc: {
    forwards: 'value NULLS LAST, id',
    backwards: 'value DESC NULLS FIRST, id DESC',
    index: 'list_items_by_value',
  },
}

/** So few items of a set or a game are sorted faster than they are found among all others: in 3 ms of SQLite. */
const SORTED_MAX = 2_000

/** The games of a list, each in one step of the index of its sets, whose entries of a set are found with them. */
const GAMES = `WITH RECURSIVE games (game) AS
  (SELECT min(game) FROM list_items WHERE list_id = @list_id
    UNION ALL
   SELECT (SELECT min(game) FROM list_items WHERE list_id = @list_id AND game > games.game)
     FROM games WHERE game IS NOT NULL)
  SELECT game FROM games`

type ListParameters = { list_id: string; game: string | null; set_id: number | null }

type Wanted = ListParameters & RowWindow

/** Prepares each order with each filter, because unused conditions would prevent the use of an index. */
function prepareLists(engine: LedgerEngine) {
  // SQLite would read the whole list in its order. The outer index is the primary key.
  const selectRows = (where: string, order: string, index: string) =>
    `SELECT ${ITEM_MEMBERS.join(', ')} FROM list_items INDEXED BY sqlite_autoindex_list_items_1
      WHERE list_id = @list_id AND id IN
        (SELECT id FROM list_items INDEXED BY ${index} WHERE ${where}
          ORDER BY ${order} LIMIT @limit OFFSET @offset)
      ORDER BY ${order}`
  const prepareOrders = (where: string, isFew: boolean) =>
    new Map(
      ITEM_SORTS.map((sort) => {
        const { forwards, backwards, index: ordered } = ORDERS[sort]
        const index = isFew ? 'list_items_by_set' : ordered
        return [
          sort,
          {
            forwards: engine.prepare<[Wanted], PageRow>(selectRows(where, forwards, index)),
            backwards: engine.prepare<[Wanted], PageRow>(selectRows(where, backwards, index)),
          },
        ]
      }),
    )
  const prepareFilter = (...columns: string[]) => {
    const where = ['list_id', ...columns].map((name) => `${name} = @${name}`).join(' AND ')
    const found = columns[0] === 'set_id' ? `${where} AND game IN (${GAMES})` : where
    const [few, many] = [prepareOrders(found, true), prepareOrders(where, false)]
    return {
      // The row of the list counts all of its items.
      total: engine.prepare<[ListParameters], { total: number }>(
        columns.length === 0
          ? 'SELECT items AS total FROM lists WHERE id = @list_id'
          : `SELECT count(*) AS total FROM list_items WHERE ${found}`,
      ),
      orders(sort: ItemSort, total: number) {
        const order = (columns.length > 0 && total <= SORTED_MAX ? few : many).get(sort)
        if (order === undefined) throw new Error(`no order is prepared for ${sort}`)
        return order
      },
    }
  }
  const [all, game, set, setOfGame] = [
    prepareFilter(),
    prepareFilter('game'),
    prepareFilter('set_id'),
    prepareFilter('game', 'set_id'),
  ]
  return (filter: ItemFilter) => {
    if (filter.game === undefined) return filter.set_id === undefined ? all : set
    return filter.set_id === undefined ? game : setOfGame
  }
}
