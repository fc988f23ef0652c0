import type { Canvas } from '../canvas'
import * as scenery from '../scenery'
import { put, type Scene } from '../scenery'
import { circle, darker, path, polygon, rect, repeat, type Svg, starPoints, stroke } from '../svg'
import * as beasts from './beasts'
import * as folk from './folk'
import { INKED } from './pen'
import * as things from './things'

export type VellumArt = keyof typeof VELLUM_SCENES

/** The art of every Vellum & Thorn card, by the name that the card's content gives it. */
export const VELLUM_SCENES = {
  abbess: (c) => [
    scenery.sky(c, ['#d9a53a', '#c98a2c']),
    scenery.checks(c, 26, '#e9c25a'),
    columns(c, '#f3e4c0'),
    put(c, 0.5, 0.99, 1.15, folk.abbess('#3c4a6b', '#262a44')),
  ],
  'candle-census': (c) => [
    scenery.sky(c, ['#5a2418', '#a8502a']),
    scenery.sunburst(c, 0.5, 0.4, '#e9923a66', 24),
    put(c, 0.5, 1, 1.12, things.candleSteps('#8c6a4a')),
  ],
  'knight-of-the-errant-comma': (c) => [
    scenery.sky(c, ['#a9cfd8', '#e9f0d8']),
    scenery.stripes(c, 20, '#ffffff66'),
    scenery.hills(c, 0.82, '#7f9f4a'),
    put(c, 0.46, 0.97, 1, folk.commaKnight('#b9c2cc', '#b8352f')),
  ],
  'saint-orrery': (c) => [
    scenery.sky(c, ['#101a44', '#26397a']),
    scenery.stars(c, 60, '#f4e3ae'),
    put(c, 0.5, 0.9, 1.15, things.orrery('#e3b23c')),
  ],
  marginwyrm: (c) => [
    scenery.sky(c, ['#f0dfae', '#e3c98a']),
    textLines(c, '#b99f6a'),
    put(c, 0.5, 0.9, 1.05, things.openBook(0, 0, 1.9, '#5a2c20')),
    put(c, 0.48, 0.84, 1, beasts.wyrm({ skin: '#2f6f9f', belly: '#f0c65a', wing: '#8fb8d0' })),
  ],
  'marginwyrm-hatchling': (c) => [
    scenery.sky(c, ['#3f2f5c', '#6d4f8c']),
    scenery.dots(c, 30, 4, '#8f6fb0'),
    rect(0, c.height * 0.88, c.width, c.height, '#2c1f3c'),
    put(c, 0.5, 0.93, 1.08, beasts.hatchling('#5fb89a', '#f6e8c4')),
  ],
  'catalog-of-rains': (c) => [
    scenery.sky(c, ['#6f8fae', '#46607f']),
    scenery.rain(c, 40, '#b8d0e4', 0),
    rect(0, c.height * 0.92, c.width, c.height, '#2f2a2c'),
    put(c, 0.5, 0.96, 1.06, things.cabinet('#9a6436') + things.openDrawer('#9a6436')),
  ],
  whisht: (c) => [
    scenery.sky(c, ['#12233f', '#1f4a66', '#2f7480']),
    scenery.stars(c, 50, '#f4ecc8', 0.7),
    put(c, 0.46, 0.9, 1.12, things.sleepingMoon('#f3e3a8')),
    scenery.waves(c, 0.84, ['#18424f', '#0f2f3c'], 30),
  ],
  'naive-cartographer': (c) => [
    scenery.sky(c, ['#7a4a2c', '#5a3420']),
    scenery.checks(c, 60, '#6b3f26', 0),
    put(c, 0.48, 0.88, 1.08, things.seaMap()),
  ],
  'tide-clerk': (c) => [
    scenery.sky(c, ['#f6d9c0', '#f2b8a0']),
    scenery.sun(c.width * 0.76, c.height * 0.34, 44, '#f2784a'),
    scenery.waves(c, 0.68, ['#5f9fae', '#4a8797']),
    scenery.hills(c, 0.86, '#e6cf9a', 0.02),
    put(c, 0.48, 0.95, 1.08, beasts.heron('#9fb4c9')),
  ],
  'blotting-raven': (c) => [
    scenery.sky(c, ['#f6ead0', '#ecdcb4']),
    textLines(c, '#9c8458'),
    things.splash(c.width * 0.16, c.height * 0.78, 30, '#1a1824'),
    things.splash(c.width * 0.84, c.height * 0.84, 22, '#1a1824'),
    things.splash(c.width * 0.62, c.height * 0.14, 14, '#1a1824'),
    put(c, 0.5, 0.74, 1.02, beasts.raven()),
  ],
  'inkwell-revenant': (c) => [
    scenery.sky(c, ['#20303a', '#3c5a52', '#7f9a5c']),
    scenery.rings(c, 0.5, 0.3, ['#22343c', '#2b4544', '#39594c', '#4f7054', '#6b8a5c']),
    rect(0, c.height * 0.88, c.width, c.height, '#3a2418'),
    put(c, 0.5, 0.94, 1.08, folk.inkwellHand('#5a5f8c', '#efe6c8')),
  ],
  overdue: (c) => [
    scenery.sky(c, ['#6b1f24', '#3c1018']),
    scenery.checks(c, 34, '#7d2a2c', 45),
    put(c, 0.5, 0.95, 1.12, things.hourglass('#b98a3a', '#e3c15a')),
  ],
  'burn-the-index': (c) => [
    scenery.sky(c, ['#1c1020', '#6b1f1f', '#d9542a']),
    put(c, 0.5, 0.9, 1.1, things.cabinet('#6b4024')),
    put(c, 0.3, 1.02, 1.1, things.fire(0, 0, 1, '#e2542a', '#f6c04a')),
    put(c, 0.7, 1.02, 1.2, things.fire(0, 0, 1, '#c8351f', '#f6a83a')),
    put(c, 0.5, 1.04, 1.5, things.fire(0, 0, 1, '#f0812f', '#ffe07a')),
    flyingCards(c),
  ],
  'matchstick-heretic': (c) => [
    scenery.bands(c, ['#f0c9a0', '#e8a97a', '#e08a5c', '#d06a44', '#b84a34', '#8c2f2a']),
    scenery.hills(c, 0.9, '#3c1a18', 0.02),
    put(c, 0.5, 0.95, 1.1, folk.matchstickMan('#e9c98a')),
  ],
  'salamander-wax-seal': (c) => [
    scenery.sky(c, ['#efe0b8', '#e3cf9a']),
    textLines(c, '#b9a06c'),
    path(
      `M ${c.width * 0.34} ${c.height * 0.6} L ${c.width * 0.24} ${c.height * 1.02} L ${c.width * 0.4} ${c.height * 0.94} L ${c.width * 0.5} ${c.height * 1.02} L ${c.width * 0.6} ${c.height * 0.94} L ${c.width * 0.76} ${c.height * 1.02} L ${c.width * 0.66} ${c.height * 0.6} Z`,
      '#3f6f5c',
      INKED,
    ),
    put(c, 0.5, 0.86, 1.1, beasts.salamanderSeal('#c23a2f')),
  ],
  'hedge-theologian': (c) => [
    scenery.sky(c, ['#d8c890', '#c4b070']),
    scenery.dots(c, 22, 2.4, '#a8945a'),
    put(c, 0.5, 0.88, 1.06, things.hedgeMaze('#4f8a3f')),
  ],
  'mycelial-archive': (c) => [
    scenery.shelves(c, ['#5a3f6b', '#3f5f5a', '#6b4a3a', '#7a6b3f', '#40506b'], '#3a281c', 3),
    rect(0, 0, c.width, c.height, '#12241c', { opacity: 0.45 }),
    put(c, 0.24, 1, 1.5, things.toadstool(0, 0, 1, '#5fc8a8')),
    put(c, 0.56, 1.02, 2.1, things.toadstool(0, 0, 1, '#e08a4a')),
    put(c, 0.84, 1, 1.2, things.toadstool(0, 0, 1, '#b87fd0')),
    put(c, 0.4, 0.66, 0.7, things.toadstool(0, 0, 1, '#5fc8a8')),
    put(c, 0.86, 0.34, 0.6, things.toadstool(0, 0, 1, '#e0c64a')),
    put(c, 0.12, 0.34, 0.5, things.toadstool(0, 0, 1, '#b87fd0')),
    scenery.sparks(c, 24, '#c8ffd8'),
  ],
  'lamplight-long-shadow': (c) => [
    rect(0, 0, c.width, c.height, '#f2c24a'),
    scenery.sunburst(c, 0.25, 0.4, '#fbe08a', 18),
    polygon(
      [
        [c.width * 0.62, 0],
        [c.width, 0],
        [c.width, c.height],
        [c.width * 0.38, c.height],
      ],
      '#3c2f5c',
      INKED,
    ),
    put(c, 0.24, 0.94, 1.05, things.streetLamp('#fff0b0')),
    put(c, 0.76, 1, 1, folk.shadowHand()),
  ],
  'unwritten-door': (c) => [
    scenery.sky(c, ['#f8efd8', '#efe0bc']),
    scenery.hills(c, 0.84, '#dcc794', 0.02),
    put(c, 0.48, 0.92, 1.08, things.unwrittenDoor('#8c4a2c', '#171f4a')),
  ],
  'the-ninth-library': (c) => [
    scenery.sky(c, ['#4f9aa8', '#c9dcb8', '#f4d98a']),
    scenery.sun(c.width * 0.18, c.height * 0.26, 30, '#f4c64a'),
    scenery.mountains(c, 0.9, 0.36, '#6f8a7a'),
    scenery.hills(c, 0.9, '#8a7a4a', 0.02),
    put(c, 0.54, 0.98, 1, things.spiralTower('#c9a878')),
  ],
  'salt-psalm': (c) => [
    scenery.sky(c, ['#f0b8a8', '#f8e4d4']),
    scenery.sunburst(c, 0.5, 0.9, '#ffffff77', 22),
    put(c, 0.5, 1, 1.12, things.saltCrystals('#fbf6f0')),
  ],
  'st-odas-boat': (c) => [
    scenery.sky(c, ['#e9c25a', '#f4e3ae']),
    scenery.checks(c, 30, '#e0b04488', 45),
    put(c, 0.5, 0.84, 1, folk.saintsBoat('#9c9aa0', '#f8f0dc')),
    scenery.waves(c, 0.8, ['#3f7fa0', '#2f6788', '#24526f'], 26),
  ],
  'bell-beneath-the-bay': (c) => [
    scenery.sky(c, ['#3f9aa0', '#1a5a6b', '#0c2f44']),
    scenery.lightShafts(c, '#d8fff0', 6),
    scenery.hills(c, 0.9, '#c9b07a', 0.03),
    put(c, 0.5, 0.96, 1.05, things.bell('#b8862f')),
    put(c, 0.16, 0.36, 0.8, beasts.smallFish(0, 0, 1, '#e0683f')),
    put(c, 0.86, 0.5, 0.7, beasts.smallFish(0, 0, 1, '#f0c65a', true)),
    put(c, 0.82, 0.2, 0.5, beasts.smallFish(0, 0, 1, '#e0683f')),
    scenery.bubbles(c, 16),
  ],
  'merrow-of-the-long-vowel': (c) => [
    scenery.sky(c, ['#1f6f6b', '#0f3f4a']),
    scenery.rings(c, 0.6, 0.3, ['#14474f', '#1a5a5c', '#237068', '#358a76', '#56a586']),
    put(c, 0.46, 0.82, 1, folk.merrow('#c9d8b0', '#7a4f9c', '#b8352f')),
  ],
  'stained-glass-pike': (c) => [
    scenery.sky(c, ['#171225', '#2a1f3c']),
    roseWindow(c),
    put(
      c,
      0.5,
      0.82,
      1.1,
      beasts.glassPike(['#d9403a', '#f0b83a', '#3f8fc8', '#5fae5c', '#8c5ab0', '#f0803a']),
    ),
  ],
  'brother-eel': (c) => [
    scenery.sky(c, ['#4a5a3c', '#1f2f2a']),
    scenery.arches(c, '#56624a', '#16241f', 3),
    scenery.water(c, 0.84, '#24403a', '#8fae8a'),
    put(c, 0.5, 0.88, 1.08, beasts.eelMonk('#4f7f8c', '#6b4a34')),
  ],
  'drowned-choirmaster': (c) => [
    scenery.sky(c, ['#7fae9c', '#2f5f5c']),
    staves(c),
    put(c, 0.5, 0.99, 1, folk.choirmaster('#5a2f4f')),
    put(c, 0.12, 0.52, 0.5, beasts.smallFish(0, 0, 1, '#f0c65a')),
    put(c, 0.88, 0.6, 0.5, beasts.smallFish(0, 0, 1, '#f0c65a', true)),
  ],
  'krakens-footnote': (c) => [
    scenery.sky(c, ['#243447', '#0f1a2a']),
    put(c, 0.5, 0.9, 1.1, things.footnotePage()),
    put(c, 0.2, 0.96, 1.1, beasts.tentacle(0, 0, 1, '#8c2f5a')),
    put(c, 0.82, 0.98, 1.3, beasts.tentacle(0, 0, 1, '#a83a5f', true)),
    put(c, 0.5, 1.12, 0.9, beasts.tentacle(0, 0, 1, '#8c2f5a')),
  ],
  'tidal-heresy': (c) => [
    scenery.sky(c, ['#f4d8a8', '#e89a6b']),
    circle(c.width * 0.78, c.height * 0.26, c.height * 0.17, '#c8352f', INKED),
    put(c, 0.46, 0.96, 1, things.heresyWave('#1f3f5c', '#f4ecd8')),
  ],
  'reed-duelist': (c) => [
    scenery.sky(c, ['#c8d890', '#8fae6b']),
    scenery.reeds(c, 0.9, '#4f6f34', 12, 200),
    scenery.water(c, 0.88, '#4a6f5a', '#c8e0b0'),
    put(c, 0.44, 0.95, 1, folk.reedDuelist('#7fae3f', '#34507a')),
  ],
  'coral-reliquary': (c) => [
    scenery.sky(c, ['#0f3f44', '#0a2430']),
    scenery.dots(c, 40, 12, '#14505288'),
    put(c, 0.5, 0.97, 1.12, folk.coralHand('#e8d8b0', '#e0543f')),
  ],
  'crown-of-low-water': (c) => [
    scenery.sky(c, ['#8fb8c0', '#d8e0d0']),
    scenery.water(c, 0.62, '#7fa8ae', '#eef6f0'),
    scenery.hills(c, 0.84, '#8c7a5c', 0.02),
    path(
      `M ${c.width * 0.2} ${c.height} C ${c.width * 0.26} ${c.height * 0.78} ${c.width * 0.74} ${c.height * 0.78} ${c.width * 0.8} ${c.height} Z`,
      '#5c5048',
      INKED,
    ),
    put(c, 0.5, 0.83, 1.02, things.crown('#e0b040')),
  ],
  'crown-of-low-water-borderless': (c) => [
    scenery.sky(c, ['#f8ecc0', '#5fb8b0', '#17546b', '#0a2038']),
    scenery.sunburst(c, 0.5, 0.36, '#ffffff3a', 30),
    drownedSpires(c, '#0f3b52'),
    put(c, 0.5, 0.33, 1.1, things.crown('#f4c64a')),
    ...[-0.3, -0.1, 0.1, 0.3].map((shift) => {
      const drops = repeat(3, (i) =>
        path(`M 0 ${i * 44} q -10 18 0 26 q 10 -8 0 -26 Z`, '#c8f0ee', INKED),
      )
      return put(c, 0.5 + shift * 0.9, 0.36 + Math.abs(shift) * 0.06, 0.7, drops)
    }),
    put(c, 0.16, 0.46, 0.8, beasts.smallFish(0, 0, 1, '#e0683f')),
    put(c, 0.84, 0.42, 0.6, beasts.smallFish(0, 0, 1, '#f0c65a', true)),
  ],
  'widows-lighthouse': (c) => [
    scenery.sky(c, ['#1a1830', '#3c3560']),
    polygon(
      [
        [c.width * 0.4, c.height * 0.3],
        [c.width * 1.1, c.height * 0.02],
        [c.width * 1.1, c.height * 0.5],
      ],
      '#f4dc8a',
      { opacity: 0.85 },
    ),
    scenery.stars(c, 30, '#f4ecc8', 0.6),
    scenery.waves(c, 0.8, ['#2c2a4f', '#211f3f'], 26),
    path(
      `M 0 ${c.height} L 0 ${c.height * 0.86} Q ${c.width * 0.3} ${c.height * 0.74} ${c.width * 0.62} ${c.height} Z`,
      '#14122a',
      INKED,
    ),
    put(c, 0.36, 0.9, 0.98, things.lighthouse('#efe6d8', '#ffe48a')),
  ],
} satisfies Record<string, Scene>

function columns(c: Canvas, stone: string): Svg {
  const column = (x: number) =>
    rect(x - 18, c.height * 0.1, 36, c.height, stone, INKED) +
    rect(x - 27, c.height * 0.04, 54, c.height * 0.07, stone, INKED) +
    stroke(
      `M ${x - 6} ${c.height * 0.13} V ${c.height} M ${x + 7} ${c.height * 0.13} V ${c.height}`,
      darker(stone, 0.35),
      3,
    )
  return column(c.width * 0.09) + column(c.width * 0.91)
}

/** Lines of writing, too small to read. */
function textLines(c: Canvas, color: string): Svg {
  return repeat(Math.floor(c.height / 15), (row) => {
    const from = c.random.between(16, 26)
    const to = c.width - c.random.between(16, 60)
    return stroke(`M ${from} ${12 + row * 15} H ${to}`, color, 3, {
      'stroke-dasharray': '24 6 9 6 34 7 14 6',
      opacity: 0.6,
    })
  })
}

function flyingCards(c: Canvas): Svg {
  return repeat(9, () => {
    const [x, y] = [c.random.between(0, c.width), c.random.between(0, c.height * 0.5)]
    const transform = `translate(${x} ${y}) rotate(${c.random.between(-60, 60)})`
    return rect(-13, -9, 26, 18, '#f6e8c4', { ...INKED, 'stroke-width': 2.4, transform })
  })
}

function roseWindow(c: Canvas): Svg {
  const [x, y] = [c.width / 2, c.height / 2]
  const colors = ['#24406b', '#4a2f5c', '#2f5a5c', '#5c3a2f']
  return repeat(2, (ring) =>
    repeat(16, (i) => {
      const radius = ring === 0 ? c.height * 0.62 : c.height * 0.34
      const [px, py] = scenery.onCircle(x, y, radius, ((i + ring / 2) * Math.PI) / 8)
      return circle(px, py, ring === 0 ? 44 : 26, colors[(i + ring) % 4] ?? '#24406b', INKED)
    }),
  )
}

function staves(c: Canvas): Svg {
  return repeat(3, (stave) =>
    repeat(5, (line) => {
      const y = c.height * (0.14 + stave * 0.3) + line * 11
      return stroke(
        `M -5 ${y} Q ${c.width * 0.25} ${y - 24} ${c.width * 0.5} ${y} T ${c.width + 5} ${y}`,
        '#e9f4e0',
        2,
        { opacity: 0.6 },
      )
    }),
  )
}

function drownedSpires(c: Canvas, color: string): Svg {
  return repeat(9, (i) => {
    const x = (c.width * (i + 0.5)) / 9
    const high = c.height * c.random.between(0.14, 0.34)
    const foot = c.height * 0.66
    const spire = polygon(
      [
        [x - 20, foot - high * 0.6],
        [x, foot - high],
        [x + 20, foot - high * 0.6],
      ],
      darker(color, 0.2),
    )
    const glow = polygon(starPoints(x, foot - high * 0.4, 7, 3, 4), '#9fe8e0')
    return rect(x - 16, foot - high * 0.6, 32, c.height, color) + spire + glow
  })
}
