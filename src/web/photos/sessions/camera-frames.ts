import { shownRegion } from '../camera-preview.tsx'
import type { CameraView } from './capture-rules.ts'
import { frameSharpness, type GrayFrame, grayOf } from './gray-frame.ts'

/** Size of the frames in which cards are looked for, as wide as the preview. */
const SCENE = { width: 96, height: 128 }

/**
 * Positions on the middle line at which the sharpness is measured, as shares of the height, and their size in pixels.
 */
const PATCHES = [0.28, 0.5, 0.72]
const PATCH = 96

/** Height of the frame at which the sharpness is measured: 10 pixels per millimeter of the card. */
const SHARP_HEIGHT = 1_070

/** Returns a function that grabs the current picture of a camera; undefined until the camera has a picture. */
export function createFrameGrabber(video: HTMLVideoElement): () => CameraView | undefined {
  const scene = createSurface(SCENE.width, SCENE.height)
  const patches = createSurface(PATCH, PATCH * PATCHES.length)
  return () => {
    if (video.videoWidth === 0 || scene === null || patches === null) return undefined
    const { x, y, width, height } = shownRegion(video)
    scene.drawImage(video, x, y, width, height, 0, 0, SCENE.width, SCENE.height)
    // Never enlarged, which would look like blur.
    const side = PATCH * Math.max(1, height / SHARP_HEIGHT)
    for (const [index, share] of PATCHES.entries()) {
      const [left, top] = [x + (width - side) / 2, y + height * share - side / 2]
      patches.drawImage(video, left, top, side, side, 0, index * PATCH, PATCH, PATCH)
    }
    const sharpness = frameSharpness(readGray(patches))
    return { at: performance.now(), scene: readGray(scene), sharpness }
  }
}

function createSurface(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context !== null) context.imageSmoothingQuality = 'medium'
  return context
}

function readGray(context: CanvasRenderingContext2D): GrayFrame {
  const { width, height } = context.canvas
  return grayOf(context.getImageData(0, 0, width, height).data, width, height)
}
