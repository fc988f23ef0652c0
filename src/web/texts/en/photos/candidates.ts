/** Texts of candidates and their prices. */
import type { ReactNode } from 'react'
import { type Markup, rich } from '../../rich-text.ts'

export const matchFound = (span: ReactNode) => rich`${span}Match found`
export const likely = 'Likely'
export const scoreOf = (score: string) => `Score ${score}`
export const isMyCard = 'This is my card'
export const noCurrentListings = 'No current listings.'
export const pricesOfByPrinting = (name: string) => `Prices of ${name} by printing`
export const printing = 'Printing'
export const market = 'Market'
export const lowest = 'Lowest'
export const in7Days = '7 days'
export const inYourPhoto = 'In your photo'
export const showPricesOf = ({ name, span }: { name: string; span: Markup }) =>
  rich`Show prices${span(` of ${name}`)}`
