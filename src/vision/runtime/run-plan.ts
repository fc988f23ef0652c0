// Runs the steps of a network, band by band.
import * as tf from '@tensorflow/tfjs-core'
import { averageOfBands, type BandedMap, disposeMap, divideRows, takeRows } from './bands.ts'
import { joinRows, type Rows } from './join-rows.ts'
import type { Operation } from './network-file.ts'
import { perform, type RelativeSize, read } from './operations.ts'
import { heightAfter, inputsOf, type RunPlan, rowsBefore } from './plan.ts'

type RunOptions = {
  plan: RunPlan
  weights: ReadonlyMap<string, tf.Tensor>
  relativeSize: RelativeSize
  /** Returns the maximum height of the bands of a map. */
  rowsMax(height: number): number
}

/**
 * Performs all steps.
 *
 * @param maps the input, to which the outputs are added; the caller disposes of them, even after an error
 */
export function runPlan(
  maps: Map<string, BandedMap>,
  { plan, weights, relativeSize, rowsMax }: RunOptions,
): void {
  const kernelOf = (operation: Operation) =>
    'weights' in operation ? (read(weights, operation.weights).shape[0] ?? 0) : 1

  const heights = new Map<string, number>()
  function heightOf(name: string): number {
    const known = maps.get(name)?.height ?? heights.get(name)
    if (known !== undefined) return known
    const height = heightOfResult(read(plan.passing, name))
    heights.set(name, height)
    return height
  }
  function heightOfResult(operation: Operation): number {
    const [input = ''] = inputsOf(operation)
    const [height, kernel] = [heightOf(input), kernelOf(operation)]
    return heightAfter(operation, { height, kernel, down: relativeSize.down })
  }

  function rowsOf(name: string, rows: Rows): tf.Tensor4D {
    const map = maps.get(name)
    return map === undefined ? rowsAfter(read(plan.passing, name), rows) : takeRows(map, rows)
  }

  /** Performs an operation for some rows of its result. */
  function rowsAfter(operation: Operation, rows: Rows): tf.Tensor4D {
    const isWhole = rows.top === 0 && rows.bottom === heightOfResult(operation)
    return isWhole || !plan.isLocal(operation) ? wholeAfter(operation) : partAfter(operation, rows)
  }

  function wholeAfter(operation: Operation): tf.Tensor4D {
    const inputs = inputsOf(operation).map((name) =>
      rowsOf(name, { top: 0, bottom: heightOf(name) }),
    )
    return performOn(operation, inputs)
  }

  function partAfter(operation: Operation, rows: Rows): tf.Tensor4D {
    const before = rowsBefore(operation, rows, kernelOf(operation))
    const reads = inputsOf(operation).map((name) => {
      const height = heightOf(name)
      // A factor has one value per channel.
      if (operation.op === 'mul' && height === 1) return { name, top: 0, bottom: 1 }
      return { name, top: Math.max(0, before.top), bottom: Math.min(height, before.bottom) }
    })
    const [first = before] = reads
    const result = performOn(
      padWithin(operation, { top: first.top - before.top, bottom: before.bottom - first.bottom }),
      reads.map(({ name, top, bottom }) => rowsOf(name, { top, bottom })),
    )
    // A repeated row may begin above the wanted ones, and the neighbors of the last one lie below them.
    const top = operation.op === 'repeat' ? rows.top - first.top * operation.times : 0
    const part = joinRows([{ map: result, rows: { top, bottom: top + rows.bottom - rows.top } }])
    result.dispose()
    return part
  }

  function performOn(operation: Operation, inputs: readonly tf.Tensor4D[]): tf.Tensor4D {
    const result = perform(operation, inputs, weights, relativeSize)
    for (const input of inputs) input.dispose()
    return result
  }

  for (const { operation, frees } of plan.steps) {
    // An operation that fails leaves none of its tensors.
    maps.set(
      operation.out,
      tf.tidy(() => mapAfter(operation)),
    )
    for (const name of frees) {
      disposeMap(maps.get(name))
      maps.delete(name)
    }
  }

  function mapAfter(operation: Operation): BandedMap {
    const height = heightOfResult(operation)
    const whole = { top: 0, bottom: height }
    if (operation.op === 'mean') {
      return { height, bands: [{ rows: whole, map: averageOfBands(read(maps, operation.in)) }] }
    }
    const bands = plan.isLocal(operation) ? divideRows(height, rowsMax(height)) : [whole]
    return { height, bands: bands.map((rows) => ({ rows, map: rowsAfter(operation, rows) })) }
  }
}

/** Pads a convolution above and below only as far as the rows that it needs are beyond the map. */
function padWithin(operation: Operation, { top, bottom }: Rows): Operation {
  if (!('pad' in operation)) return operation
  const [, , left, right] = operation.pad
  return { ...operation, pad: [top, bottom, left, right] }
}
