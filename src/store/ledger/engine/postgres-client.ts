import pg from 'pg'

export type PostgresAddress = {
  /** URL of the database: `postgres://user:password@host/name`. */
  url: string
  /** Certificates of the connection; without them, `sslmode` in the URL decides. */
  tls?: pg.PoolConfig['ssl']
  /** Maximum wait for a connection or a statement's result, in milliseconds. */
  answerMs?: number
}

/** Default of `answerMs`: a caller waits less than two seconds. */
export const ANSWER_MS = 900

/** Returns the settings of every connection to the ledger. */
export function clientOptions({ url, tls, answerMs = ANSWER_MS }: PostgresAddress) {
  return {
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    // The database stops first, so that no part of a failed operation continues there.
    statement_timeout: answerMs - 100,
    types: { getTypeParser },
    ...(tls === undefined ? {} : { ssl: tls }),
  }
}

/** Returns int8 and sums (numeric) as numbers, because ids, cents and times are far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const isNumber = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
  return isNumber ? Number : pg.types.getTypeParser(oid, format as 'text')
}
