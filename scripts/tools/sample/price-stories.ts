import type { Printing } from './usual-prices.ts'

/**
 * Factors on the usual price, as `day:factor` pairs. Days count backwards: 0 is the last day of the sample, -1 the
 * day before. Between two pairs, the factor is interpolated linearly.
 */
type Course = string

/** Course of all products of a set without their own story. */
export type Season = {
  /** Nothing of the set was on sale before this day. */
  firstListed: number
  course: Course
}

export const SEASONS: Readonly<Record<string, Season>> = {
  // Announced on 22 September, released on 23 October: expensive at first, stable since early November.
  TPP: { firstListed: -54, course: '-54:1.7 -30:1.5 -23:1.36 -16:1.1 -9:1 0:1' },
}

/** The first day of products that came on sale later than their set, by name. */
export const FIRST_LISTED: Readonly<Record<string, number>> = {
  'Grand Marshal Cindle': -40,
  'Tidepool Parade Holiday Tin - Grand Marshal': -40,
}

export type Story = [set: string, name: string, printing: Printing, course: Course]

export const STORIES: readonly Story[] = [
  // The deck that won on the last day played four of them.
  ['NLB', 'Whisht', 'Normal', '-89:0.94 -1:1 0:1.48'],
  ['NLB', 'Whisht', 'Foil', '-1:1 0:1.22'],
  ['DAB', 'Whisht', 'Normal', '-1:1 0:1.31'],
  ['NLB', 'Tide Clerk', 'Normal', '-1:1 0:1.36'],
  // It was banned from tournaments on the last day.
  ['PD1', 'Gravity Tax', 'Normal', '-1:1 0:0.72'],
  ['PD1', 'Gravity Tax', 'Foil', '-1:1 0:0.78'],
  ['PD1', 'Gravity Tax', 'Cold Foil', '-1:1 0:0.88'],
  // A buyer took every copy under fifty dollars.
  ['LSN', 'Weathercock Baron', '1st Edition Holofoil', '-1:1 0:1.14'],
  // A wrong listing at fifty times the price, which must not be shown as a mover.
  ['NLB', 'Overdue', 'Normal', '-1:1 0:50'],
  // A short film about the cat is passed round for a week.
  ['LSN', 'Café Familiar', '1st Edition', '-89:0.5 -8:0.52 -4:0.74 -1:0.97 0:1'],
  ['LSN', 'Café Familiar', 'Unlimited', '-89:0.68 -8:0.68 -1:0.98 0:1'],
  // A reprint was announced a week ago.
  ['DAB', "Kraken's Footnote", 'Normal', '-89:1.44 -8:1.52 -5:1.16 -1:1.02 0:1'],
  ['DAB', "Kraken's Footnote", 'Foil', '-89:1.2 -8:1.24 -5:1.08 0:1'],
  // Every deck of the autumn season found room for it.
  ['PD1', 'Emergency Tea', 'Normal', '-89:0.69 -9:0.71 -2:0.98 0:1'],
  ['PD1', 'Emergency Tea', 'Foil', '-89:0.6 -9:0.61 -2:0.97 0:1'],
  // Few were found when the boxes were opened: it doubled over the release weekend.
  [
    'TPP',
    'Jellantern Queen (High Tide)',
    'Holofoil',
    '-54:0.58 -24:0.62 -23:0.82 -21:1.12 -16:0.96 -8:0.98 0:1',
  ],
  // In demand before the release, then found in every third box.
  ['TPP', 'Little Whale Ω', 'Holofoil', '-54:2.4 -23:2.9 -18:1.7 -10:1.15 0:1'],
  // A presale card, whose price falls as the release of the tin approaches.
  ['TPP', 'Grand Marshal Cindle', 'Holofoil', '-40:1.78 0:1'],
  // Sealed boxes are more expensive while they are scarce, but by less than half.
  ['TPP', 'Tidepool Parade Booster Box', 'Normal', '-54:1.3 -23:1.22 -9:1 0:1'],
  // A presale at nearly its list price.
  ['TPP', 'Tidepool Parade Holiday Tin - Grand Marshal', 'Normal', '-40:1.09 0:1'],
  // The new set brought collectors back to the first one.
  ['LSN', 'Cindlemane Regent', '1st Edition Holofoil', '-89:0.62 -30:0.69 0:1'],
  // A second printing of the set reached the shops.
  ['PD1', 'Perihelion', 'Cold Foil', '-89:1.45 -30:1.38 0:1'],
  // It went out of print.
  ['DAB', 'Drowned Abbey Booster Box', 'Normal', '-89:0.84 -30:0.9 0:1'],
  // Found to be good: it passed a dollar at the end of October.
  ['PD1', 'Stowaway', 'Normal', '-89:0.26 -21:0.29 -17:0.46 -10:0.76 0:1'],
  // A joke that wore off: it fell under a dollar after the release.
  ['TPP', 'Gullible', 'Normal', '-54:2.3 -23:2.05 -12:1.42 -4:1.05 0:1'],
]

/** Returns the factor of a course on a day. */
export function factorOn(course: Course, day: number): number {
  const points = course.split(' ').map((pair) => pair.split(':').map(Number) as [number, number])
  let [fromDay, from] = points[0] ?? [0, 1]
  for (const [toDay, to] of points) {
    if (day <= toDay) {
      const share = toDay === fromDay ? 1 : (day - fromDay) / (toDay - fromDay)
      return day <= fromDay ? from : from + (to - from) * share
    }
    ;[fromDay, from] = [toDay, to]
  }
  return from
}
