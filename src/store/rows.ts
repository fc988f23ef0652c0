/** A part of a list: at most `limit` rows after the first `offset`. */
export type RowWindow = { limit: number; offset: number }

/** The rows of a window, and how many rows the whole list has. */
export type RowPage<Row> = { rows: Row[]; total: number }
