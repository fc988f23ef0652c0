// Files of a price history that people download.

import { lineStyle } from '../components/line-swatch.tsx'
import { DOLLARS, dayText, moneyText } from '../format.ts'
import type { PriceHistory } from './history-ranges.ts'

/**
 * Formats a history as CSV: one row per day, one column per printing, empty for an unknown price (RFC 4180). The number
 * of cards comes last, or the part that is carried back, if there is one.
 */
export function historyCsv({ days, lines, cards, carried, currency }: PriceHistory): string {
  const unit = currency === DOLLARS ? '' : ` (${currency})`
  const count = (value: string | number | undefined) => (value === undefined ? [] : [value])
  const header = [
    'date',
    ...lines.map(({ printing }) => printing + unit),
    ...count(cards && 'cards'),
    ...count(carried && `carried back${unit}`),
  ]
  const rows = days.map((day, at) => [
    day,
    ...lines.map(({ prices }) => prices[at] ?? ''),
    ...count(cards?.[at]),
    ...count(carried?.[at]),
  ])
  return [header, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
}

function quoted(cell: string | number): string {
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type ChartPicture = {
  /** The chart as it is shown. */
  canvas: HTMLCanvasElement
  title: string
  history: PriceHistory
  /** Printings without a line. */
  hidden: ReadonlySet<string>
  colors: { ink: string; soft: string; surface: string; named(variable: string): string }
}

/** Draws the chart with its title and a legend, in the size of the screen. */
export function drawChartPicture({ canvas, title, history, hidden, colors }: ChartPicture) {
  const scale = devicePixelRatio
  const shown = history.lines
    .map((line, at) => ({ ...line, at }))
    .filter(({ printing }) => !hidden.has(printing))
  const head = (HEAD_PIXELS + shown.length * ROW_PIXELS) * scale
  const picture = document.createElement('canvas')
  picture.width = canvas.width + 2 * EDGE_PIXELS * scale
  picture.height = canvas.height + head + EDGE_PIXELS * scale
  const brush = picture.getContext('2d')
  if (brush === null) return picture
  brush.fillStyle = colors.surface
  brush.fillRect(0, 0, picture.width, picture.height)
  brush.scale(scale, scale)
  const { fontFamily } = getComputedStyle(document.body)
  brush.fillStyle = colors.ink
  brush.font = `600 17px ${fontFamily}`
  brush.fillText(title, EDGE_PIXELS, 30)
  brush.fillStyle = colors.soft
  brush.font = `13px ${fontFamily}`
  const [first = '', last = ''] = [history.days[0], history.days.at(-1)]
  brush.fillText(`${dayText(first)} – ${dayText(last)}, ${location.host}`, EDGE_PIXELS, 50)
  for (const [row, { printing, prices, at }] of shown.entries()) {
    const y = HEAD_PIXELS + row * ROW_PIXELS
    const { color, dash } = lineStyle(shown[row], at)
    brush.strokeStyle = colors.named(color)
    brush.lineWidth = 2
    brush.setLineDash([...dash])
    brush.beginPath()
    brush.moveTo(EDGE_PIXELS, y - 4)
    brush.lineTo(EDGE_PIXELS + 18, y - 4)
    brush.stroke()
    brush.fillStyle = colors.ink
    const price = prices.findLast((one) => typeof one === 'number')
    brush.fillText(`${printing}  ${moneyText(price, history.currency)}`, EDGE_PIXELS + 26, y)
  }
  brush.setTransform(1, 0, 0, 1, 0, 0)
  brush.drawImage(canvas, EDGE_PIXELS * scale, head)
  return picture
}

const EDGE_PIXELS = 20
const HEAD_PIXELS = 76
const ROW_PIXELS = 20
