import * as scenery from '../scenery'
import { put, type Scene } from '../scenery'
import { circle, ellipse, path, polygon, rect, stroke } from '../svg'
import * as backdrops from './backdrops'
import * as crew from './crew'
import * as ships from './ships'

export type DriftArt = keyof typeof DRIFT_SCENES

/** The art of every Perihelion Drift card, by the name that the card's content gives it. */
export const DRIFT_SCENES = {
  marigold: (c) => [
    backdrops.deepSpace(c, '#1a1030', ['#d9662f', '#7a2f5c']),
    ships.planet(c.width * 0.9, c.height * 0.9, {
      r: 120,
      colors: ['#d9925a', '#8c4a3a'],
      bands: 4,
    }),
    put(c, 0.46, 0.46, 1.05, ships.marigold({ hull: '#f4ead2', petal: '#f59b23', refit: false }), {
      turn: -10,
    }),
  ],
  'marigold-refit': (c) => [
    backdrops.deepSpace(c, '#04121a', ['#1f8c7a', '#0f4a6b']),
    ships.planet(c.width * 0.16, c.height * 0.2, {
      r: 90,
      colors: ['#7fd8a8', '#2f8c7a'],
      ring: '#e8f4d8',
    }),
    put(c, 0.52, 0.58, 1.15, ships.marigold({ hull: '#8a93a8', petal: '#ff6b2f', refit: true }), {
      flip: true,
      turn: -14,
    }),
    backdrops.laser(c, '#ffe07a'),
  ],
  'overdue-apology': (c) => [
    backdrops.deepSpace(c, '#0a2430', ['#2fa8a0', '#3f5fa8']),
    backdrops.letters(c),
    put(c, 0.48, 0.52, 1.15, ships.courier('#3f9fa8', '#d9a05a'), { turn: 7 }),
  ],
  'quiet-arithmetic': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#e8dcf4', '#b89fd8', '#6b4f9c'])),
    circle(c.width * 0.62, c.height * 0.44, c.height * 0.36, '#f8f0ff'),
    put(c, 0.5, 0.5, 1.1, ships.dagger('#2a2038', '#ff4f7a'), { turn: -4 }),
    backdrops.sums(c),
  ],
  'the-long-haul': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#f2c9a0', '#c98f8a', '#5a4a6b'])),
    ships.planet(c.width * 0.24, c.height * 0.3, {
      r: 56,
      colors: ['#fdf0d8', '#d9b08c'],
      bands: 3,
    }),
    scenery.stars(c, 24, '#ffffff', 1),
    put(
      c,
      0.5,
      0.62,
      1.05,
      ships.freighter('#5f6f80', ['#c8553a', '#3f8f9c', '#d9a83a', '#6b7f4a', '#8c5a94']),
    ),
  ],
  'needle-9': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#2a0f4f', '#6b1f7a', '#d94f8c'], 70)),
    backdrops.speedLines(c, '#ffd0f0'),
    put(c, 0.4, 0.3, 1, ships.needle('#e9e4f4', '#7f4fd0'), { turn: -20 }),
    put(c, 0.62, 0.56, 0.8, ships.needle('#e9e4f4', '#7f4fd0'), { turn: -20 }),
    put(c, 0.34, 0.78, 0.62, ships.needle('#e9e4f4', '#7f4fd0'), { turn: -20 }),
  ],
  'salvage-queen': (c) => [
    backdrops.deepSpace(c, '#241a10', ['#a8702a', '#5a3a2a']),
    backdrops.wreckage(c, '#8a7f70'),
    put(c, 0.54, 0.54, 1.1, ships.salvager('#6b6058')),
  ],
  'sister-parallax': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#041830', '#0f5a7a', '#7fd8d0'], 40)),
    scenery.stars(c, 70, '#ffffff'),
    scenery.sun(c.width * 0.94, c.height * 0.1, 46, '#fff6c8'),
    put(c, 0.46, 0.54, 0.95, ships.sailShip('#5fc8c0', '#f4f0e0'), { turn: 14 }),
  ],
  'hesper-ring': (c) => [
    backdrops.deepSpace(c, '#06101f', ['#1f5f8c', '#0f3f5a']),
    ships.planet(c.width * 0.5, c.height * 1.16, {
      r: 210,
      colors: ['#5fb0e8', '#2f6fa8'],
      bands: 3,
    }),
    put(c, 0.5, 0.46, 1, ships.ringStation('#a8b4c4', '#ffe07a'), { turn: -8 }),
  ],
  dustmarket: (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#3a1f1a', '#a8602f', '#e8b060'])),
    scenery.dots(c, 26, 1.6, '#fff0c855'),
    put(c, 0.5, 0.54, 1, ships.rockMarket('#7a5a4a', '#ffe39a')),
  ],
  'relay-nought': (c) => [
    backdrops.deepSpace(c, '#0f0f18', ['#3a3f5a', '#2a2f44']),
    path(
      `M -10 ${c.height} Q ${c.width * 0.5} ${c.height * 0.6} ${c.width + 10} ${c.height} Z`,
      '#8a8f9c',
    ),
    ellipse(c.width * 0.24, c.height * 0.92, 34, 10, '#6b707f'),
    ellipse(c.width * 0.72, c.height * 0.96, 44, 12, '#6b707f'),
    put(c, 0.52, 0.66, 1, ships.dish('#d8dde6', '#5fe8b0')),
  ],
  'captain-ione-vash': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#f0b04a', '#c8682f'])),
    backdrops.bridgeWindow(c),
    put(c, 0.5, 1.02, 1.06, crew.captain('#27406b', '#8c5a3c')),
  ],
  'pilot-tamsin': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#bfeee8', '#3fa8b0'])),
    backdrops.speedLines(c, '#ffffff'),
    put(c, 0.5, 1.02, 1.06, crew.pilot('#2f6f8c', '#1f3f5a')),
  ],
  'engineer-brunt': (c) => [
    rect(0, 0, c.width, c.height, '#3a2a28'),
    backdrops.pipes(c),
    put(c, 0.5, 1.02, 0.98, crew.boilerman('#8c6f5f')),
  ],
  'doctor-umm': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#e8f0f4', '#c0d0dc'])),
    scenery.checks(c, 40, '#d4e0e8', 0),
    put(c, 0.5, 1.02, 0.98, crew.manyEyed('#a86fc8', '#f8f8f4')),
  ],
  stowaway: (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#1f3a34', '#0f1f20'])),
    backdrops.hold(c),
    put(c, 0.52, 0.98, 1.06, crew.stowaway('#b8864a', '#6fd0a0')),
  ],
  'ensigns-first-spacewalk': (c) => [
    backdrops.deepSpace(c, '#020818', ['#1f2f6b', '#0f1f4a']),
    ships.planet(c.width * 0.3, c.height * 1.3, {
      r: 230,
      colors: ['#4f9fe0', '#2f8c6b'],
      bands: 4,
    }),
    stroke(
      `M ${c.width} ${c.height * 0.04} C ${c.width * 0.7} ${c.height * 0.1} ${c.width * 0.92} ${c.height * 0.5} ${c.width * 0.58} ${c.height * 0.56}`,
      '#f0c24f',
      5,
    ),
    put(c, 0.48, 0.84, 0.92, crew.astronaut('#f4f4f0', '#f0803a'), { turn: -18 }),
  ],
  'gravity-tax': (c) => [
    rect(0, 0, c.width, c.height, '#0a0612'),
    scenery.stars(c, 60, '#d8c8ff'),
    backdrops.blackHole(c),
    backdrops.coins(c),
  ],
  'solar-squall': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#3a0a0a', '#a82a12'])),
    backdrops.prominences(c),
    put(c, 0.18, 0.22, 0.3, ships.courier('#d8dde6', '#8a93a3'), { turn: 20 }),
  ],
  'emergency-tea': (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#2f4f5a', '#1a2f38'])),
    rect(c.width * 0.2, c.height * 0.07, c.width * 0.6, c.height * 0.86, '#d9483c', { rx: 16 }),
    rect(c.width * 0.24, c.height * 0.12, c.width * 0.52, c.height * 0.76, '#f4ecd8', { rx: 10 }),
    put(c, 0.5, 0.72, 1.05, crew.teapot('#2f8fa0'), { turn: -12 }),
    polygon(
      [
        [c.width * 0.26, c.height * 0.14],
        [c.width * 0.44, c.height * 0.14],
        [c.width * 0.28, c.height * 0.82],
        [c.width * 0.26, c.height * 0.82],
      ],
      '#ffffff',
      { opacity: 0.5 },
    ),
    backdrops.droplets(c),
  ],
  'ghost-signal': (c) => [rect(0, 0, c.width, c.height, '#06140f'), backdrops.radar(c, '#3fe88a')],
  perihelion: (c) => [
    rect(0, 0, c.width, c.height, c.linear(['#fff4c0', '#ffc04a', '#f07a1f'])),
    scenery.rings(c, 0.5, 1.05, [
      '#ffd870',
      '#ffc24f',
      '#ffa93a',
      '#ff8c2a',
      '#f56a1f',
      '#e04a1a',
      '#fff0b0',
    ]),
    put(c, 0.5, 0.3, 0.5, ships.marigold({ hull: '#3a1f1a', petal: '#5a2a1a', refit: false })),
    circle(c.width * 0.86, c.height * 0.14, 11, '#7a2f1a'),
  ],
  'marigold-blueprint': (c) => [backdrops.blueprint(c)],
} satisfies Record<string, Scene>
