// Plans how a network is run: an operation whose rows depend only on the rows nearby, and which is read once, makes no
// map of its own. It is performed for the rows that are needed of it.
import type { Rows } from './join-rows.ts'
import { type NetworkFile, type Operation, strideOf } from './network-file.ts'

export type RunPlan = {
  /** Operations that make a map, each with the maps that nothing reads after it. */
  steps: { operation: Operation; frees: string[] }[]
  /** The other operations, by their results. */
  passing: ReadonlyMap<string, Operation>
  /** Returns true if a row of the result depends only on rows nearby, and on at least one. */
  isLocal(operation: Operation): boolean
}

/** Plans the steps of a checked network. */
export function planSteps({ ops, outputs, weights }: NetworkFile): RunPlan {
  const kernels = new Map(weights.map(({ name, shape }) => [name, shape[0] ?? 0]))
  const isLocal = (operation: Operation) => {
    if (operation.op === 'conv' || operation.op === 'depthwise') {
      const [top, bottom] = operation.pad
      return Math.max(top, bottom) < (kernels.get(operation.weights) ?? 0)
    }
    return operation.op !== 'mean' && operation.op !== 'avgpool' && operation.op !== 'resize'
  }
  const readers = Map.groupBy(
    ops.flatMap((operation) => inputsOf(operation).map((name) => ({ name, operation }))),
    ({ name }) => name,
  )
  const isPassing = (operation: Operation) => {
    const [reader, ...others] = readers.get(operation.out) ?? []
    if (reader === undefined || others.length > 0 || outputs.includes(operation.out)) return false
    return isLocal(operation) && isLocal(reader.operation)
  }
  const passing = new Map(ops.filter(isPassing).map((operation) => [operation.out, operation]))
  const sourcesOf = (operation: Operation): string[] =>
    inputsOf(operation).flatMap((name) => {
      const between = passing.get(name)
      return between === undefined ? [name] : sourcesOf(between)
    })
  const steps = ops.filter(({ out }) => !passing.has(out))
  const last = new Map<string, number>()
  for (const [index, step] of steps.entries()) {
    for (const name of [step.out, ...sourcesOf(step)]) last.set(name, index)
  }
  for (const name of outputs) last.delete(name)
  const freedAt = Map.groupBy(last.keys(), (name) => last.get(name))
  return {
    steps: steps.map((operation, index) => ({ operation, frees: freedAt.get(index) ?? [] })),
    passing,
    isLocal,
  }
}

export function inputsOf(operation: Operation): string[] {
  return [operation.in].flat()
}

/** Returns the rows of the input on which rows of the result depend. They may reach beyond the map. */
export function rowsBefore(operation: Operation, { top, bottom }: Rows, kernel: number): Rows {
  switch (operation.op) {
    case 'conv':
    case 'depthwise': {
      const [down] = strideOf(operation.stride)
      const start = top * down - operation.pad[0]
      return { top: start, bottom: start + (bottom - top - 1) * down + kernel }
    }
    case 'maxpool':
      return { top, bottom: bottom + 1 }
    case 'repeat': {
      const { times } = operation
      return { top: Math.floor(top / times), bottom: Math.ceil(bottom / times) }
    }
    default:
      return { top, bottom }
  }
}

/**
 * Returns the height of the result.
 *
 * @param down height of the picture, relative to the input of the network
 */
export function heightAfter(
  operation: Operation,
  { height, kernel, down }: { height: number; kernel: number; down: number },
): number {
  switch (operation.op) {
    case 'conv':
    case 'depthwise': {
      const [above, below] = operation.pad
      return Math.floor((height + above + below - kernel) / strideOf(operation.stride)[0]) + 1
    }
    case 'mean':
      return 1
    case 'avgpool':
      return Math.floor(height / operation.size[0])
    case 'repeat':
      return height * operation.times
    case 'resize':
      return Math.round(operation.size[0] * down)
    default:
      return height
  }
}
