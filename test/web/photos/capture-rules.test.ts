// Automatic captures: frames of a camera above sample cards that are placed, covered, moved and replaced.
import { describe, expect, test } from 'bun:test'
import type { Sharp } from 'sharp'
import {
  adviseCapture,
  type CaptureAdvice,
  recordCapture,
  startCaptureRecord,
} from '#web/photos/sessions/capture-rules.ts'
import { findFramedCard, similarityTo } from '#web/photos/sessions/framed-card.ts'
import {
  frameDifference,
  frameSharpness,
  type GrayFrame,
  grayOf,
} from '#web/photos/sessions/gray-frame.ts'
import {
  type Placement,
  renderScene,
  SCENE,
  samplePicture,
} from '../../support/photos/camera-scenes.ts'
import { seededRandom } from '../../support/photos/drawn-pictures.ts'

const SIZE = { width: 96, height: 128 }
const next = seededRandom(7)

/** Shrinks a scene to a frame with sensor noise. */
async function frameOf(scene: Sharp): Promise<GrayFrame> {
  const pixels = await scene.resize(SIZE).ensureAlpha().raw().toBuffer()
  const noisy = pixels.map((value) => Math.min(255, Math.max(0, value + (next() - 0.5) * 6)))
  return grayOf(noisy, SIZE.width, SIZE.height)
}

const card = async (id: number, placement?: Placement) =>
  frameOf(await renderScene(samplePicture(id), placement))
const table = await frameOf(await renderScene(undefined))
const [first, second] = [await card(900001), await card(900014)]

/** Covers the lower part of a frame, like a hand. */
function cover({ width, height, gray }: GrayFrame, share: number): GrayFrame {
  const from = Math.round(width * height * (1 - share))
  return { width, height, gray: gray.map((value, at) => (at < from ? value : 190 - (at % 7))) }
}

/** Moves a frame up, as when the phone or the card moves. */
function moved({ width, height, gray }: GrayFrame, rows: number): GrayFrame {
  return { width, height, gray: Uint8Array.from(gray, (_, at) => gray[at + rows * width] ?? 120) }
}

const FRAME_MS = 100
const [SHARP, BLURRED] = [0.38, 0.26]
type Scene = { frame: GrayFrame; ms: number; sharpness?: number }

/** Plays scenes in order, with motion between them, and returns the advice without repetitions. */
function play(...scenes: readonly Scene[]): CaptureAdvice[] {
  const given: CaptureAdvice[] = []
  let record = startCaptureRecord()
  let at = 0
  const look = (scene: GrayFrame, sharpness: number) => {
    const decision = adviseCapture(record, { at, scene, sharpness })
    record = decision.record
    at += FRAME_MS
    if (decision.advice !== given.at(-1)) given.push(decision.advice)
  }
  for (const { frame, ms, sharpness = SHARP } of scenes) {
    for (const rows of [34, 22]) look(moved(frame, rows), sharpness)
    for (let shown = 0; shown < ms; shown += FRAME_MS) look(frame, sharpness)
  }
  return given
}

const captures = (advice: readonly CaptureAdvice[]) =>
  advice.filter((one) => one === 'capture').length

describe('a card before the camera', () => {
  test('is captured once, when it lies still', () => {
    expect(play({ frame: table, ms: 600 }, { frame: first, ms: 3_000 })).toEqual([
      'show',
      'hold',
      'capture',
      'next',
    ])
  })

  test('is captured after another one that lies below it', () => {
    const scenes = [first, second, first, second].map((frame) => ({ frame, ms: 800 }))
    expect(captures(play(...scenes))).toBe(4)
  })

  test('is not captured again after a hand passed over it, or after it was moved', async () => {
    const turned = await card(900001, { angle: 2, size: 0.96, dx: 14, dy: -10 })
    const scenes = [first, cover(first, 0.4), first, turned, first]
    expect(captures(play(...scenes.map((frame) => ({ frame, ms: 700 }))))).toBe(1)
  })

  test('counts again after its place was empty: another copy', () => {
    const scenes = [first, table, first, table].map((frame) => ({ frame, ms: 900 }))
    expect(captures(play(...scenes))).toBe(2)
  })

  test('is not captured in motion, or while the table is empty', () => {
    const scenes = [first, table, second].map((frame) => ({ frame, ms: 0 }))
    expect(captures(play(...scenes, { frame: table, ms: 2_000 }))).toBe(0)
  })

  test('is captured once the camera has focused, or can do no better', () => {
    const waits = { frame: first, ms: 900, sharpness: BLURRED }
    expect(captures(play(waits))).toBe(0)
    expect(play(waits).at(-1)).toBe('focus')
    expect(captures(play({ ...waits, ms: 3_000 }))).toBe(1)
    expect(captures(play(waits, { frame: first, ms: 600 }))).toBe(1)
  })

  test('that was captured by hand is not captured again', () => {
    const view = { at: 0, scene: first, sharpness: SHARP }
    const before = recordCapture(adviseCapture(startCaptureRecord(), view).record)
    const { advice } = adviseCapture(before, { ...view, at: FRAME_MS })
    expect(advice).toBe('next')
  })
})

test('cards of the sample are found wherever they lie, and none of 14 looks like another', async () => {
  const ids = Array.from({ length: 14 }, (_, index) => 900001 + index)
  const frames = await Promise.all(
    ids.map((id) =>
      card(id, {
        angle: (next() - 0.5) * 6,
        size: 0.9 + next() * 0.15,
        dx: (next() - 0.5) * 30,
        dy: (next() - 0.5) * 30,
      }),
    ),
  )
  const found = frames.map(findFramedCard)
  expect(found.filter((one) => one === undefined)).toEqual([])
  const similarity = found.flatMap((one, index) =>
    frames.map((frame, other) => ({
      isSame: index === other,
      similarity: one === undefined ? 0 : similarityTo(one, frame),
    })),
  )
  const [same, others] = [true, false].map((kind) =>
    similarity.filter(({ isSame }) => isSame === kind).map((one) => one.similarity),
  )
  expect(Math.min(...(same ?? []))).toBeGreaterThan(0.95)
  expect(Math.max(...(others ?? []))).toBeLessThan(0.82)
})

describe('a table without a card', () => {
  const draw = (brightness: (x: number, y: number) => number): GrayFrame => ({
    ...SIZE,
    gray: Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
      brightness(at % SIZE.width, Math.floor(at / SIZE.width)),
    ),
  })
  test.each([
    ['a plain table', draw(() => 120)],
    ['a gradient', draw((x, y) => x + y)],
    ['wood', draw((x) => 120 + 40 * Math.sin(x / 2))],
    ['a fabric', draw(() => 80 + next() * 90)],
    ['the edge of the table', draw((x) => (x < 15 ? 40 : 160))],
  ])('is not taken for one: %s', (_, frame) => {
    expect(findFramedCard(frame)).toBeUndefined()
  })
})

describe('measures of frames', () => {
  test('a difference does not count a change of the exposure', () => {
    const brighter = { ...first, gray: first.gray.map((value) => Math.min(255, value * 0.5 + 40)) }
    const shifted = { ...first, gray: first.gray.map((value) => value / 2 + 60) }
    const half = { ...first, gray: first.gray.map((value) => value / 2) }
    expect(frameDifference(shifted, half)).toBeLessThan(1)
    expect(frameDifference(first, brighter)).toBeGreaterThan(3)
    expect(frameDifference(first, first)).toBe(0)
  })

  test('blur lowers the sharpness, and darkness does not', async () => {
    const scene = await renderScene(samplePicture(900001))
    const middle = { left: 260, top: 280, width: 200, height: 400 }
    const part = async (of: Sharp) => {
      const pixels = await of.clone().extract(middle).ensureAlpha().raw().toBuffer()
      return frameSharpness(grayOf(pixels, middle.width, middle.height))
    }
    const sharp = await part(scene)
    expect(await part(scene.clone().linear(0.5, 10))).toBeCloseTo(sharp, 1)
    expect(await part(scene.clone().blur(3))).toBeLessThan(0.3)
    expect(sharp).toBeGreaterThan(0.3)
    expect(SCENE.width).toBeGreaterThan(middle.width)
  })
})
