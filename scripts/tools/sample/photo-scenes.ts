import { join } from 'node:path'

export const PHOTO_WIDTH = 1200
export const PHOTO_HEIGHT = 1600

const PICTURES = join(import.meta.dir, '../../../data/sample/pictures')

/** Position and width of a card in pixels, its rotation and tilt in degrees. */
type Lying = {
  card: number | 'back'
  x?: number
  y?: number
  width?: number
  turn?: number
  tiltX?: number
  tiltY?: number
  sleeve?: string
  slab?: { grader: string; grade: string; line: string }
}

export type Scene = {
  name: string
  what: string
  /** Cards in the photo, by id. */
  cards: number[]
  /** Accepted statuses. */
  status: string[]
  table: Table
  lying: Lying[]
  /** HTML above the cards. */
  above?: string
  /** CSS filter for the whole photo. */
  light?: string
  /** Sigma in pixels. */
  blur?: number
  /** JPEG quality. */
  quality?: number
}

type Table = 'oak' | 'felt' | 'marble' | 'denim' | 'paper' | 'night'

const scene = (
  name: string,
  what: string,
  status: string[],
  rest: Omit<Scene, 'name' | 'what' | 'status' | 'cards'>,
): Scene => ({
  name,
  what,
  status,
  cards: rest.lying.flatMap(({ card }) => (card === 'back' ? [] : [card])),
  ...rest,
})

const glare = (x: number, y: number, w: number, h: number, turn: number) =>
  `<div style="position:absolute;left:${x}px;top:${y}px;width:${w}px;height:${h}px;transform:rotate(${turn}deg);background:radial-gradient(closest-side,#fff 0 25%,#fffc 45%,#fff0 100%)"></div>`

const finger = (x: number, y: number, turn: number) =>
  `<div style="position:absolute;left:${x}px;top:${y}px;width:150px;height:620px;transform:rotate(${turn}deg);border-radius:75px 75px 40px 40px;background:linear-gradient(90deg,#b97d5e,#e3ab8b 35%,#d99c7b 65%,#a86d50);box-shadow:8px 12px 30px #0007"><div style="margin:14px auto;width:86px;height:105px;border-radius:44px 44px 30px 30px;background:linear-gradient(#f4d3c4,#e7b7a2);box-shadow:inset 0 -6px 10px #c58f7855"></div></div>`

const MATCHED = ['matched']
const HONEST = ['matched', 'ambiguous']

/** A clean photo, then photos like those that people really send. */
export const SCENES: readonly Scene[] = [
  scene('clean', 'straight, even light', MATCHED, {
    table: 'oak',
    lying: [{ card: 900210, width: 760, turn: -2 }],
  }),
  scene('tilted', 'seen from the side', MATCHED, {
    table: 'felt',
    lying: [{ card: 900409, width: 720, turn: 12, tiltX: 34, tiltY: -12 }],
  }),
  scene('upside-down', 'the wrong way up', MATCHED, {
    table: 'marble',
    lying: [{ card: 900021, width: 700, turn: 176, tiltX: 8 }],
  }),
  scene('sideways', 'a quarter turn, blue on blue', HONEST, {
    table: 'denim',
    lying: [{ card: 900306, width: 640, turn: 94, tiltY: 9 }],
  }),
  scene('far-away', 'small in the frame', ['matched', 'ambiguous', 'retake'], {
    table: 'paper',
    lying: [{ card: 900416, width: 300, turn: 23, x: 700, y: 520 }],
  }),
  scene('glare', 'a lamp mirrored in it', HONEST, {
    table: 'oak',
    lying: [{ card: 900112, width: 760, turn: 4, tiltX: 12 }],
    above: glare(520, 860, 420, 300, -30) + glare(300, 500, 200, 130, 20),
  }),
  scene('dim', 'in the evening', HONEST, {
    table: 'felt',
    lying: [{ card: 900311, width: 720, turn: -7, tiltX: 10 }],
    light: 'brightness(.34) saturate(.8) sepia(.18)',
    quality: 60,
  }),
  scene('soft', 'slightly out of focus', HONEST, {
    table: 'denim',
    lying: [{ card: 900120, width: 740, turn: 5, tiltY: 14 }],
    blur: 2.6,
  }),
  scene('in-hand', 'held with two fingers', HONEST, {
    table: 'night',
    lying: [{ card: 900418, width: 720, turn: -9, tiltX: -10 }],
    above: finger(150, 1010, 38) + finger(950, 1090, -34),
  }),
  scene('sleeve', 'in a blue sleeve', HONEST, {
    table: 'paper',
    lying: [{ card: 900216, width: 680, turn: 8, tiltX: 14, sleeve: '#2b4cc4' }],
  }),
  scene('cluttered', 'on a desk full of other things', HONEST, {
    table: 'oak',
    lying: [{ card: 900315, width: 560, turn: -18, tiltX: 18, x: 560, y: 820 }],
    above:
      '<div style="position:absolute;left:-60px;top:80px;width:360px;height:520px;background:#f4f1e6;transform:rotate(-14deg);box-shadow:6px 8px 20px #0006;background-image:repeating-linear-gradient(#0000 0 34px,#9bb 34px 36px)"></div><div style="position:absolute;left:900px;top:160px;width:340px;height:340px;border-radius:50%;background:radial-gradient(#4b2a17 0 55%,#eee 57% 70%,#bbb 72%);box-shadow:10px 14px 30px #0008"></div><div style="position:absolute;left:840px;top:1240px;width:560px;height:26px;background:linear-gradient(#f6c445,#d39b1e);transform:rotate(-32deg);box-shadow:3px 5px 9px #0007"></div>',
  }),
  scene('slab', 'graded, in its plastic', HONEST, {
    table: 'night',
    lying: [
      {
        card: 900018,
        width: 520,
        y: 900,
        turn: 3,
        slab: { grader: 'ACME', grade: '9', line: 'WEATHERCOCK BARON' },
      },
    ],
  }),
  scene('reprint', 'the same art stands in two sets', ['matched'], {
    table: 'marble',
    lying: [{ card: 900208, width: 720, turn: -5, tiltX: 9 }],
  }),
  scene('two-cards', 'two side by side', ['retake'], {
    table: 'felt',
    lying: [
      { card: 900405, width: 500, x: 310, y: 800, turn: -6 },
      { card: 900015, width: 500, x: 890, y: 800, turn: 5 },
    ],
  }),
  scene('back', 'the back of a card', ['retake', 'not_found'], {
    table: 'oak',
    lying: [{ card: 'back', width: 700, turn: 3, tiltX: 8 }],
  }),
  scene('no-card', 'an empty table', ['retake', 'not_found'], { table: 'marble', lying: [] }),
]

const noise = (base: string, frequency: string, octaves: number, matrix: string, seed: number) =>
  `<svg width="100%" height="100%" style="position:absolute;inset:0"><filter id="t" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="${seed}"/><feColorMatrix values="${matrix}"/></filter><rect width="100%" height="100%" fill="${base}"/><rect width="100%" height="100%" filter="url(#t)"/></svg>`

const shade = (r: number, g: number, b: number, a: number) =>
  `0 0 0 0 ${r} 0 0 0 0 ${g} 0 0 0 0 ${b} ${a} 0 0 0 -${(a * 0.42).toFixed(2)}`

const TABLES: Record<Table, string> = {
  oak: noise('#a9753f', '0.004 0.09', 4, shade(0.28, 0.15, 0.05, 2.2), 3),
  felt: noise('#1f5d3c', '0.8', 3, shade(0, 0.1, 0.05, 1.6), 5),
  marble: noise('#e9e6e1', '0.006 0.011', 5, shade(0.45, 0.44, 0.46, 1.9), 8),
  denim: noise('#33507d', '0.02 0.9', 3, shade(0.05, 0.08, 0.2, 2.4), 11),
  paper: noise('#d8cdb8', '0.03', 4, shade(0.55, 0.47, 0.36, 0.9), 13),
  night: noise('#22242c', '0.012', 4, shade(0, 0, 0, 1.8), 17),
}

const BACK =
  'background:#5a2a82 conic-gradient(from 45deg,#7b43a8 25%,#4d2370 0 50%,#7b43a8 0 75%,#4d2370 0) 0 0/60px 60px;border:26px solid #20102f'

/** Renders the page that shows a scene. */
export async function drawScene({ table, lying, above, light }: Scene): Promise<string> {
  const things = await Promise.all(lying.map(drawThing))
  return `<!doctype html><meta charset="utf-8"><style>
*{box-sizing:border-box}html,body{margin:0;overflow:hidden}
.photo{position:relative;width:${PHOTO_WIDTH}px;height:${PHOTO_HEIGHT}px;overflow:hidden;filter:${light ?? 'none'}}
.lens{position:absolute;inset:0;background:radial-gradient(ellipse at 40% 35%,#fff2 0,#0000 40%,#0005 100%)}
.stage{position:absolute;inset:0;perspective:2200px;perspective-origin:50% 45%}
.thing{position:absolute;transform-style:preserve-3d}
.card{position:absolute;inset:0;border-radius:4.6% / 3.3%;background-size:100% 100%;box-shadow:7px 10px 22px #0009}
</style><div class="photo">${TABLES[table]}<div class="stage">${things.join('')}</div>${above ?? ''}<div class="lens"></div></div>`
}

async function drawThing(lying: Lying): Promise<string> {
  const {
    card,
    x = PHOTO_WIDTH / 2,
    y = PHOTO_HEIGHT / 2,
    width = 700,
    turn = 0,
    tiltX = 0,
    tiltY = 0,
  } = lying
  const height = (width * 88) / 63
  const face = card === 'back' ? BACK : `background-image:url(${await pictureUrl(card)})`
  const around = lying.slab === undefined ? sleeveOf(lying.sleeve) : slabOf(lying.slab)
  return `<div class="thing" style="left:${x - width / 2}px;top:${y - height / 2}px;width:${width}px;height:${height}px;transform:rotateX(${tiltX}deg) rotateY(${tiltY}deg) rotateZ(${turn}deg)">${around}<div class="card" style="${face}"></div></div>`
}

const sleeveOf = (color: string | undefined) =>
  color === undefined
    ? ''
    : `<div style="position:absolute;inset:-1.4% -2.2% -1.4% -2.2%;background:${color};border-radius:1.5%;box-shadow:8px 12px 26px #0009"></div>`

const slabOf = ({ grader, grade, line }: NonNullable<Lying['slab']>) =>
  `<div style="position:absolute;left:-12%;right:-12%;top:-40%;bottom:-10%;background:linear-gradient(120deg,#e8eef4dd,#cfd9e2cc);border-radius:4%;box-shadow:0 0 0 6px #f6fafd88 inset,14px 20px 40px #000a"></div><div style="position:absolute;left:0;right:0;top:-33%;height:24%;background:#fff;border:6px solid #b3202c;border-radius:8px;font:700 34px Cabin,sans-serif;color:#111;padding:18px 24px">${line}<div style="position:absolute;right:26px;top:44px;font-size:78px">${grade}</div><div style="position:absolute;left:24px;bottom:14px;color:#b3202c">${grader}</div></div>`

async function pictureUrl(card: number): Promise<string> {
  const bytes = await Bun.file(join(PICTURES, `${card}.webp`)).arrayBuffer()
  return `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}`
}
