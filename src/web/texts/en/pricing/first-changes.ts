/** Texts that say when the first changes of prices are expected. */

export const yesterday = 'yesterday'
export const today = 'today'
export const tomorrow = 'tomorrow'
export const onDay = (day: string) => `on ${day}`

type Expected = { since: string; days: number; when: string }

export const firstMovers = ({ since, days, when }: Expected) =>
  days === 1
    ? `Prices since ${since}. First movers ${when}.`
    : `Prices since ${since}. First movers over ${days} days ${when}.`
export const firstChanges = ({ since, days, when }: Expected) =>
  days === 1
    ? `Prices since ${since}. First changes ${when}.`
    : `Prices since ${since}. First changes over ${days} days ${when}.`
