import { type Attributes, stroke } from '../svg'

/*
 * Vellum & Thorn is painted as a scribe would: flat colour inside one heavy line.
 */

export const LINE = '#26190f'

export const INKED: Attributes = {
  stroke: LINE,
  'stroke-width': 4,
  'stroke-linejoin': 'round',
  'stroke-linecap': 'round',
}

export const FINE: Attributes = { ...INKED, 'stroke-width': 2.4 }

export const hatch = (d: string, width = 2.4) => stroke(d, LINE, width)
