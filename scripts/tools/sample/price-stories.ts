import type { Printing } from './content/shape'

/**
 * Why some prices move. Days count backwards: 0 is the last day of the sample, -1 the day before.
 * A factor multiplies the printing's usual price; between two of them the price runs straight.
 */
export interface Story {
  set: string
  name: string
  printing: Printing
  because: string
  course: Course
}

export type Course = readonly (readonly [day: number, factor: number])[]

/** What happened to everything in a set that has no story of its own. */
export interface Season {
  /** Nothing of the set was on sale before this day. */
  firstListed: number
  course: Course
}

export const SEASONS: Readonly<Record<string, Season>> = {
  // Announced on 22 September, out on 23 October: dear at first, and settled since early November.
  TPP: {
    firstListed: -54,
    course: [
      [-54, 1.7],
      [-30, 1.5],
      [-23, 1.36],
      [-16, 1.1],
      [-9, 1],
      [0, 1],
    ],
  },
}

/** Products that came on sale later than their set. */
export const FIRST_LISTED: Readonly<Record<string, number>> = {
  'Grand Marshal Cindle': -40,
  'Tidepool Parade Holiday Tin - Grand Marshal': -40,
}

const WON_ON_SUNDAY = 'The deck that won on the last day played four of them.'
const BANNED = 'It was banned from tournaments on the last day.'
const SEEN_BY_MILLIONS = 'A short film about the cat is passed round for a week.'
const REPRINT_ANNOUNCED = 'A reprint was announced a week ago.'

export const STORIES: readonly Story[] = [
  // The last day.
  {
    set: 'NLB',
    name: 'Whisht',
    printing: 'Normal',
    because: WON_ON_SUNDAY,
    course: [
      [-89, 0.94],
      [-1, 1],
      [0, 1.48],
    ],
  },
  {
    set: 'NLB',
    name: 'Whisht',
    printing: 'Foil',
    because: WON_ON_SUNDAY,
    course: [
      [-1, 1],
      [0, 1.22],
    ],
  },
  {
    set: 'DAB',
    name: 'Whisht',
    printing: 'Normal',
    because: WON_ON_SUNDAY,
    course: [
      [-1, 1],
      [0, 1.31],
    ],
  },
  {
    set: 'NLB',
    name: 'Tide Clerk',
    printing: 'Normal',
    because: WON_ON_SUNDAY,
    course: [
      [-1, 1],
      [0, 1.36],
    ],
  },
  {
    set: 'PD1',
    name: 'Gravity Tax',
    printing: 'Normal',
    because: BANNED,
    course: [
      [-1, 1],
      [0, 0.72],
    ],
  },
  {
    set: 'PD1',
    name: 'Gravity Tax',
    printing: 'Foil',
    because: BANNED,
    course: [
      [-1, 1],
      [0, 0.78],
    ],
  },
  {
    set: 'PD1',
    name: 'Gravity Tax',
    printing: 'Cold Foil',
    because: BANNED,
    course: [
      [-1, 1],
      [0, 0.88],
    ],
  },
  {
    set: 'LSN',
    name: 'Weathercock Baron',
    printing: '1st Edition Holofoil',
    because: 'One buyer took every copy under fifty dollars.',
    course: [
      [-1, 1],
      [0, 1.14],
    ],
  },
  {
    set: 'NLB',
    name: 'Overdue',
    printing: 'Normal',
    because:
      'One wrong listing: fifty times the price. It is no mover, and must not be shown as one.',
    course: [
      [-1, 1],
      [0, 50],
    ],
  },
  // The last week.
  {
    set: 'LSN',
    name: 'Café Familiar',
    printing: '1st Edition',
    because: SEEN_BY_MILLIONS,
    course: [
      [-89, 0.5],
      [-8, 0.52],
      [-4, 0.74],
      [-1, 0.97],
      [0, 1],
    ],
  },
  {
    set: 'LSN',
    name: 'Café Familiar',
    printing: 'Unlimited',
    because: SEEN_BY_MILLIONS,
    course: [
      [-89, 0.68],
      [-8, 0.68],
      [-1, 0.98],
      [0, 1],
    ],
  },
  {
    set: 'DAB',
    name: "Kraken's Footnote",
    printing: 'Normal',
    because: REPRINT_ANNOUNCED,
    course: [
      [-89, 1.44],
      [-8, 1.52],
      [-5, 1.16],
      [-1, 1.02],
      [0, 1],
    ],
  },
  {
    set: 'DAB',
    name: "Kraken's Footnote",
    printing: 'Foil',
    because: REPRINT_ANNOUNCED,
    course: [
      [-89, 1.2],
      [-8, 1.24],
      [-5, 1.08],
      [0, 1],
    ],
  },
  {
    set: 'PD1',
    name: 'Emergency Tea',
    printing: 'Normal',
    because: 'Every deck of the autumn season found room for it.',
    course: [
      [-89, 0.69],
      [-9, 0.71],
      [-2, 0.98],
      [0, 1],
    ],
  },
  {
    set: 'PD1',
    name: 'Emergency Tea',
    printing: 'Foil',
    because: 'Every deck of the autumn season found room for it.',
    course: [
      [-89, 0.6],
      [-9, 0.61],
      [-2, 0.97],
      [0, 1],
    ],
  },
  // The last month.
  {
    set: 'TPP',
    name: 'Jellantern Queen (High Tide)',
    printing: 'Holofoil',
    because: 'Few were found when the boxes were opened: it doubled over the release weekend.',
    course: [
      [-54, 0.58],
      [-24, 0.62],
      [-23, 0.82],
      [-21, 1.12],
      [-16, 0.96],
      [-8, 0.98],
      [0, 1],
    ],
  },
  {
    set: 'TPP',
    name: 'Little Whale Ω',
    printing: 'Holofoil',
    because: 'Wanted before the release, found in every third box after it.',
    course: [
      [-54, 2.4],
      [-23, 2.9],
      [-18, 1.7],
      [-10, 1.15],
      [0, 1],
    ],
  },
  {
    set: 'TPP',
    name: 'Grand Marshal Cindle',
    printing: 'Holofoil',
    because: 'A presale card: the nearer the tin, the less anyone pays for waiting.',
    course: [
      [-40, 1.78],
      [0, 1],
    ],
  },
  {
    set: 'TPP',
    name: 'Tidepool Parade Booster Box',
    printing: 'Normal',
    because: 'Sealed boxes are dear while they are scarce, but never by half.',
    course: [
      [-54, 1.3],
      [-23, 1.22],
      [-9, 1],
      [0, 1],
    ],
  },
  {
    set: 'TPP',
    name: 'Tidepool Parade Holiday Tin - Grand Marshal',
    printing: 'Normal',
    because: 'A presale at nearly its list price.',
    course: [
      [-40, 1.09],
      [0, 1],
    ],
  },
  {
    set: 'LSN',
    name: 'Cindlemane Regent',
    printing: '1st Edition Holofoil',
    because: 'The new set brought collectors back to the first one.',
    course: [
      [-89, 0.62],
      [-30, 0.69],
      [0, 1],
    ],
  },
  {
    set: 'PD1',
    name: 'Perihelion',
    printing: 'Cold Foil',
    because: 'A second printing of the set reached the shops.',
    course: [
      [-89, 1.45],
      [-30, 1.38],
      [0, 1],
    ],
  },
  {
    set: 'DAB',
    name: 'Drowned Abbey Booster Box',
    printing: 'Normal',
    because: 'It went out of print.',
    course: [
      [-89, 0.84],
      [-30, 0.9],
      [0, 1],
    ],
  },
  // Past the dollar from which history is kept, and back under it.
  {
    set: 'PD1',
    name: 'Stowaway',
    printing: 'Normal',
    because: 'Found to be good: it passed a dollar at the end of October.',
    course: [
      [-89, 0.26],
      [-21, 0.29],
      [-17, 0.46],
      [-10, 0.76],
      [0, 1],
    ],
  },
  {
    set: 'TPP',
    name: 'Gullible',
    printing: 'Normal',
    because: 'A joke that wore off: it fell under a dollar after the release.',
    course: [
      [-54, 2.3],
      [-23, 2.05],
      [-12, 1.42],
      [-4, 1.05],
      [0, 1],
    ],
  },
]
