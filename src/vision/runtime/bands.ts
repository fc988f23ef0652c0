// Maps in horizontal bands: of most maps of a large picture, only a band exists at a time.
import * as tf from '@tensorflow/tfjs-core'
import { joinRows, type Rows } from './join-rows.ts'

/** A map as bands from top to bottom. */
export type BandedMap = { height: number; bands: { rows: Rows; map: tf.Tensor4D }[] }

/** Divides a map into bands of about the same height, which have at most `rowsMax` rows. */
export function divideRows(height: number, rowsMax: number): Rows[] {
  const count = Math.ceil(height / rowsMax)
  const at = (index: number) => Math.round((index * height) / count)
  return Array.from({ length: count }, (_, index) => ({ top: at(index), bottom: at(index + 1) }))
}

/** Returns some rows of a map as one tensor, which the caller disposes of. */
export function takeRows({ bands }: BandedMap, wanted: Rows): tf.Tensor4D {
  const parts = bands.flatMap(({ rows, map }) => {
    const top = Math.max(wanted.top, rows.top) - rows.top
    const bottom = Math.min(wanted.bottom, rows.bottom) - rows.top
    return top < bottom ? [{ map, rows: { top, bottom } }] : []
  })
  return joinRows(parts)
}

/** Averages each channel over all bands. */
export function averageOfBands({ height, bands }: BandedMap): tf.Tensor4D {
  return tf.tidy(() =>
    bands
      .map(({ map }) => {
        const average = averageOfMap(map)
        return map.shape[1] === height
          ? average
          : tf.mul<tf.Tensor4D>(average, map.shape[1] / height)
      })
      .reduce((sum, part) => tf.add(sum, part)),
  )
}

/** Averages each channel. The WASM backend pools ten times as fast as it reduces. */
export function averageOfMap(map: tf.Tensor4D): tf.Tensor4D {
  const [, height, width] = map.shape
  return tf.avgPool(map, [height, width], 1, 'valid')
}

/** Copies all numbers of a map. */
export function readNumbers({ bands }: BandedMap): Float32Array {
  const numbers = new Float32Array(bands.reduce((sum, { map }) => sum + map.size, 0))
  let to = 0
  for (const { map } of bands) {
    // Both backends run synchronously.
    numbers.set(map.dataSync<'float32'>(), to)
    to += map.size
  }
  return numbers
}

export function disposeMap(map: BandedMap | undefined): void {
  for (const band of map?.bands ?? []) band.map.dispose()
}
