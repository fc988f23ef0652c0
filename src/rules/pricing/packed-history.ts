import { firstDayOf, monthOf } from '../primitives/days.ts'

/**
 * Packed history points: a few bytes per day instead of a row. Row-major and appendable: each point
 * is written as its difference to the previous one.
 *
 * A point is: uvarint(days since the previous point), zigzag(market), zigzag(low), flags and
 * volume, and the average sale price if the flags say so. Prices are in cents plus one, so that 0
 * means null. The first point of a blob counts from day 0 (1 January 1970) and price 0.
 */

export type HistoryPoint = {
  /** Days since 1 January 1970, UTC. */
  day: number
  /** Cents; null if unknown. */
  market_price: number | null
  low_price: number | null
  avg_sales_price: number | null
  /** Units sold that day; null if the upstream does not report it. */
  sales_volume: number | null
}

/** Packs points in ascending order, at most one per day. The blob of no points is empty. */
export function packPoints(points: readonly HistoryPoint[]): Uint8Array {
  const writer = createWriter(points.length * 8 + 16)
  for (const point of points) writePoint(writer, point)
  return writer.blob.slice(0, writer.at)
}

/**
 * Appends ascending points to a blob.
 *
 * @param last the blob's last point, which is older; undefined if it is empty
 */
export function appendPoints(
  blob: Uint8Array,
  last: LastPoint | undefined,
  points: readonly HistoryPoint[],
): Uint8Array {
  const writer = createWriter(32, last)
  for (const point of points) writePoint(writer, point)
  const extended = new Uint8Array(blob.length + writer.at)
  extended.set(blob)
  extended.set(writer.blob.subarray(0, writer.at), blob.length)
  return extended
}

/**
 * Unpacks a blob made by `packPoints` and appends its points to `points`.
 *
 * @param firstDay skips earlier points
 * @param lastDay stops at later points
 * @throws Error if the blob is truncated
 */
export function unpackPoints(
  blob: Uint8Array,
  points: HistoryPoint[] = [],
  firstDay = 0,
  lastDay = Number.POSITIVE_INFINITY,
): HistoryPoint[] {
  const reader: Reader = { blob, at: 0 }
  let day = 0
  let market = 0
  let low = 0

  while (reader.at < blob.length) {
    day += readUvarint(reader)
    if (day > lastDay) break
    market += readZigzag(reader)
    low += readZigzag(reader)
    const sales = readUvarint(reader)
    const average = (sales & HAS_AVERAGE) === 0 ? null : market - 1 + readZigzag(reader)
    if (day < firstDay) continue
    points.push({
      day,
      market_price: unshifted(market),
      low_price: unshifted(low),
      avg_sales_price: average,
      sales_volume: sales < KNOWN_VOLUME ? null : Math.floor(sales / KNOWN_VOLUME) - 1,
    })
  }
  return points
}

/** The points of one month in a blob. Equal points have equal members, whatever precedes them. */
export type PackedMonth = {
  month: number
  /** The beginning of the first point. */
  first: LastPoint
  /** The rest of the first point, and all others. */
  rest: Uint8Array
}

/**
 * Splits a blob by month without creating its points.
 *
 * @throws Error if the blob is truncated
 */
export function splitPackedMonths(blob: Uint8Array): PackedMonth[] {
  const reader: Reader = { blob, at: 0 }
  const months: PackedMonth[] = []
  let open: (Omit<PackedMonth, 'rest'> & { start: number }) | undefined
  let day = 0
  let market = 0
  let low = 0
  let nextDay = 0

  function end(at: number): void {
    if (open === undefined) return
    const { month, first, start } = open
    months.push({ month, first, rest: blob.subarray(start, at) })
  }

  while (reader.at < blob.length) {
    const { at } = reader
    day += readUvarint(reader)
    market += readZigzag(reader)
    low += readZigzag(reader)
    if (day >= nextDay) {
      end(at)
      const month = monthOf(day)
      const first = { day, market_price: unshifted(market), low_price: unshifted(low) }
      open = { month, first, start: reader.at }
      nextDay = firstDayOf(month + 1)
    }
    if ((readUvarint(reader) & HAS_AVERAGE) !== 0) readUvarint(reader)
  }
  end(blob.length)
  return months
}

/** Days from one to another, both included. */
export type DayRange = { first: number; last: number }

/**
 * Finds the last known market price in each of some ranges of days, and the last point, without creating the others.
 *
 * @throws Error if the blob is truncated
 */
export function scanPoints(
  blob: Uint8Array,
  ranges: readonly DayRange[],
): { prices: (number | null)[]; last: LastPoint | undefined } {
  const reader: Reader = { blob, at: 0 }
  const prices: (number | null)[] = ranges.map(() => null)
  let day = 0
  let market = 0
  let low = 0

  while (reader.at < blob.length) {
    day += readUvarint(reader)
    market += readZigzag(reader)
    low += readZigzag(reader)
    if ((readUvarint(reader) & HAS_AVERAGE) !== 0) readZigzag(reader)
    if (market === 0) continue
    for (let index = 0; index < ranges.length; index++) {
      const range = ranges[index]
      if (range !== undefined && day >= range.first && day <= range.last) prices[index] = market - 1
    }
  }
  const last = { day, market_price: unshifted(market), low_price: unshifted(low) }
  return { prices, last: blob.length === 0 ? undefined : last }
}

/** The part of a blob's last point to which the next one is the difference. */
export type LastPoint = Pick<HistoryPoint, 'day' | 'market_price' | 'low_price'>

// Passed as an object, because reading variables shared by closures measured about 50 % slower.
type Reader = { blob: Uint8Array; at: number }

function readUvarint(reader: Reader): number {
  const byte = reader.blob[reader.at++]
  // Fast path: nearly every number in a history is a single byte.
  if (byte !== undefined && byte < 0x80) return byte
  return readLongUvarint(reader, byte)
}

function readLongUvarint(reader: Reader, first: number | undefined): number {
  let value = 0
  let scale = 1
  for (let byte = first; ; byte = reader.blob[reader.at++]) {
    if (byte === undefined) throw new Error('a packed history blob is truncated')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
    scale *= 128
  }
}

function readZigzag(reader: Reader): number {
  const value = readUvarint(reader)
  if (value < 0x80000000) return (value >>> 1) ^ -(value & 1)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/** Merges two ascending lists of points. If both have the same day, the point of `newer` wins. */
export function mergePoints(
  older: readonly HistoryPoint[],
  newer: readonly HistoryPoint[],
): HistoryPoint[] {
  const first = newer[0]
  if (first === undefined) return [...older]
  // Fast path: usually the newer list begins after the older one.
  if ((older.at(-1)?.day ?? -1) < first.day) return [...older, ...newer]
  const byDay = new Map(older.map((point) => [point.day, point]))
  for (const point of newer) byDay.set(point.day, point)
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

// The sales number has a flag in its lowest bit and the volume plus one above it.
const HAS_AVERAGE = 1
const KNOWN_VOLUME = 2

type Writer = { blob: Uint8Array; at: number; day: number; market: number; low: number }

/** Creates a writer that continues after `last`. */
function createWriter(capacity: number, last?: LastPoint): Writer {
  return {
    blob: new Uint8Array(capacity),
    at: 0,
    day: last?.day ?? 0,
    market: shifted(last?.market_price ?? null),
    low: shifted(last?.low_price ?? null),
  }
}

function writePoint(writer: Writer, point: HistoryPoint): void {
  const market = shifted(point.market_price)
  const low = shifted(point.low_price)
  const volume = point.sales_volume === null ? 0 : (point.sales_volume + 1) * KNOWN_VOLUME
  writeUvarint(writer, point.day - writer.day)
  writeZigzag(writer, market - writer.market)
  writeZigzag(writer, low - writer.low)
  writeUvarint(writer, volume + (point.avg_sales_price === null ? 0 : HAS_AVERAGE))
  if (point.avg_sales_price !== null) writeZigzag(writer, point.avg_sales_price - (market - 1))
  writer.day = point.day
  writer.market = market
  writer.low = low
}

function writeUvarint(writer: Writer, value: number): void {
  if (writer.at + 10 > writer.blob.length) {
    const larger = new Uint8Array(writer.blob.length * 2)
    larger.set(writer.blob)
    writer.blob = larger
  }
  let rest = value
  while (rest >= 128) {
    writer.blob[writer.at++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  writer.blob[writer.at++] = rest
}

function writeZigzag(writer: Writer, value: number): void {
  writeUvarint(writer, value < 0 ? -value * 2 - 1 : value * 2)
}

/** Encodes a price; 0 means unknown. */
function shifted(price: number | null): number {
  return price === null ? 0 : price + 1
}

function unshifted(price: number): number | null {
  return price === 0 ? null : price - 1
}
