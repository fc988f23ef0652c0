import { beforeAll, describe, expect, spyOn, test } from 'bun:test'
import * as tf from '@tensorflow/tfjs-core'
import fc from 'fast-check'
import { loadBackend } from '#vision/runtime/backend.ts'
import { createNetwork, toInput } from '#vision/runtime/model.ts'
import { ACTIVATIONS, type Convolution, type NetworkFile } from '#vision/runtime/network-file.ts'

type Op = NetworkFile['ops'][number]
type Array4 = { shape: number[]; data: Float32Array }

beforeAll(async () => {
  await loadBackend()
})

const numbers = (count: number, seed: number) => {
  let state = seed + 1
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
}

const size = (shape: number[]) => shape.reduce((product, side) => product * side, 1)

/** A linear convolution of the input. */
const CONVOLUTION: Convolution = {
  op: 'conv',
  in: 'input',
  out: 'y',
  weights: 'w',
  bias: 'b',
  stride: 1,
  pad: [0, 0, 0, 0],
  act: 'linear',
}

/** Creates a network file with float32 weights from a seed. */
function build(
  input: [number, number, number],
  ops: Op[],
  outputs: string[],
  shapes: Record<string, number[]>,
) {
  const names = Object.keys(shapes)
  const drawn = Object.values(shapes).map((shape, index) => numbers(size(shape), index * 77 + 3))
  const bin = Buffer.concat(drawn.map((each) => Buffer.from(each.buffer)))
  const file: NetworkFile = {
    name: 'tiny',
    input,
    ops,
    outputs,
    weights: names.map((name) => ({ name, shape: shapes[name] ?? [], dtype: 'float32' as const })),
  }
  return { file, bin, drawn }
}

/** Computes a convolution by its definition, as loops. */
function convolved(
  x: Array4,
  [weights = new Float32Array(), bias = new Float32Array()]: Float32Array[],
  [tall, wide]: [number, number],
  { stride, pad, act, op }: Extract<Op, { pad: unknown }>,
): Array4 {
  const [down, across] = typeof stride === 'number' ? [stride, stride] : stride
  const [height = 0, width = 0, channels = 0] = x.shape
  const [top, bottom, left, right] = pad
  const outs = bias.length
  const rows = Math.floor((height + top + bottom - tall) / down) + 1
  const columns = Math.floor((width + left + right - wide) / across) + 1
  const data = new Float32Array(rows * columns * outs)
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      for (let o = 0; o < outs; o++) {
        let sum = bias[o] ?? 0
        for (let i = 0; i < tall; i++) {
          for (let j = 0; j < wide; j++) {
            const [y, z] = [r * down - top + i, c * across - left + j]
            if (y < 0 || z < 0 || y >= height || z >= width) continue
            const pixel = (y * width + z) * channels
            const tap = i * wide + j
            if (op === 'depthwise')
              sum += (x.data[pixel + o] ?? 0) * (weights[tap * channels + o] ?? 0)
            else
              for (let k = 0; k < channels; k++) {
                sum += (x.data[pixel + k] ?? 0) * (weights[(tap * channels + k) * outs + o] ?? 0)
              }
          }
        }
        data[(r * columns + c) * outs + o] = act === 'relu6' ? Math.min(6, Math.max(0, sum)) : sum
      }
    }
  }
  return { shape: [rows, columns, outs], data }
}

function expectClose(got: Float32Array | undefined, wanted: Float32Array) {
  expect(got?.length).toBe(wanted.length)
  const distances = wanted.map((value, i) => Math.abs(value - (got?.[i] ?? 0)))
  const furthest = distances.reduce((max, distance) => Math.max(max, distance), 0)
  expect(furthest).toBeLessThan(1e-4)
}

describe('an operation', () => {
  test('a convolution of any shape, stride and padding equals its definition', () => {
    const cases = fc.record({
      op: fc.constantFrom('conv' as const, 'depthwise' as const),
      height: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 12 }),
      channels: fc.integer({ min: 1, max: 9 }),
      outs: fc.integer({ min: 1, max: 9 }),
      tall: fc.integer({ min: 1, max: 5 }),
      wide: fc.integer({ min: 1, max: 5 }),
      stride: fc.oneof(
        fc.constantFrom(1, 2),
        fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 2)),
      ),
      pad: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2)),
      act: fc.constantFrom('relu6' as const, 'linear' as const),
    })
    fc.assert(
      fc.property(cases, (c) => {
        fc.pre(c.height + c.pad[0] + c.pad[1] >= c.tall && c.width + c.pad[2] + c.pad[3] >= c.wide)
        const outs = c.op === 'conv' ? c.outs : c.channels
        const times = c.op === 'conv' ? c.outs : 1
        const op = { ...c, in: 'input', out: 'y', weights: 'w', bias: 'b' }
        const { file, bin, drawn } = build([c.height, c.width, c.channels], [op], ['y'], {
          w: [c.tall, c.wide, c.channels, times],
          b: [outs],
        })
        const x = { shape: file.input, data: numbers(size(file.input), 5) }
        const network = createNetwork(file, bin)
        const { y } = network.run(x.data)
        network.close()
        expectClose(y, convolved(x, drawn, [c.tall, c.wide], op).data)
      }),
      { numRuns: 300, seed: 4 },
    )
  })

  test.each([
    ['an odd map, downwards', 11, 7, [1, 1, 1, 1], 3, 2],
    ['a full map in one step', 10, 7, [0, 0, 0, 0], 0, 1],
    ['five by five', 12, 9, [2, 2, 2, 2], 5, 1],
  ] as const)('depthwise over %s equals its definition', (_, height, width, pad, k, stride) => {
    const [tall, wide] = [k || height, k || width]
    const op: Convolution = {
      ...CONVOLUTION,
      op: 'depthwise',
      stride,
      pad: [...pad] as Convolution['pad'],
    }
    const { file, bin, drawn } = build([height, width, 16], [op], ['y'], {
      w: [tall, wide, 16, 1],
      b: [16],
    })
    const x = { shape: file.input, data: numbers(size(file.input), 9) }
    const { y } = createNetwork(file, bin).run(x.data)
    expectClose(y, convolved(x, drawn, [tall, wide], op).data)
  })

  test('the largest of neighbors and repeated pixels equal manual results, also of a wider picture', () => {
    const { file, bin } = build(
      [2, 2, 1],
      [
        { op: 'maxpool', in: 'input', out: 'most' },
        { op: 'repeat', in: 'input', out: 'repeated', times: 2 },
      ],
      ['most', 'repeated'],
      {},
    )
    const network = createNetwork(file, bin)
    const few = network.run(new Float32Array([4, 1, 2, 3]))
    // At the right and the bottom there are no further neighbors.
    expect([...(few.most ?? [])]).toEqual([4, 3, 3, 3])
    expect([...(few.repeated ?? [])]).toEqual([4, 4, 1, 1, 4, 4, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3])
    const wide = network.run(new Float32Array([4, 1, 2, 5]), { width: 4, height: 1 })
    expect([...(wide.most ?? [])]).toEqual([4, 2, 5, 5])
    network.close()
  })

  test('sums, concatenation and resize with half-pixel centers equal manual results', () => {
    const { file, bin } = build(
      [1, 2, 1],
      [
        { op: 'add', in: ['input', 'input'], out: 'twice' },
        { op: 'add', in: ['twice', 'twice'], out: 'clipped', act: 'relu6' },
        { op: 'concat', in: ['input', 'twice'], out: 'both' },
        { op: 'resize', in: 'input', out: 'larger', size: [1, 4] },
      ],
      ['both', 'clipped', 'larger'],
      {},
    )
    const outputs = createNetwork(file, bin).run(new Float32Array([1, 3]))
    expect([...(outputs.both ?? [])]).toEqual([1, 2, 3, 6])
    expect([...(outputs.clipped ?? [])]).toEqual([4, 6])
    expect([...(outputs.larger ?? [])]).toEqual([1, 1.5, 2.5, 3])
  })
})

describe('an activation', () => {
  const definitions = {
    linear: (x: number) => x,
    relu: (x: number) => Math.max(0, x),
    relu6: (x: number) => Math.min(6, Math.max(0, x)),
    gelu: (x: number) =>
      (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
    hardsigmoid: (x: number) => Math.min(6, Math.max(0, x + 3)) / 6,
    hardswish: (x: number) => (x * Math.min(6, Math.max(0, x + 3))) / 6,
  }

  test.each(ACTIVATIONS)('%s equals its definition after both convolutions', (act) => {
    const fields: Convolution = { ...CONVOLUTION, act }
    const { file } = build(
      [1, 81, 1],
      [
        { ...fields, out: 'whole' },
        { ...fields, op: 'depthwise', out: 'each' },
      ],
      ['whole', 'each'],
      { w: [1, 1, 1, 1], b: [1] },
    )
    const network = createNetwork(file, Buffer.from(Float32Array.of(1, 0).buffer))
    const input = Float32Array.from({ length: 81 }, (_, at) => (at - 40) / 5)
    const { whole, each } = network.run(input)
    network.close()
    expectClose(whole, input.map(definitions[act]))
    expectClose(each, input.map(definitions[act]))
  })
})

describe('an average', () => {
  test('over the map weights each channel, at any width', () => {
    const { file, bin } = build(
      [2, 2, 2],
      [
        { op: 'mean', in: 'input', out: 'm' },
        { op: 'mul', in: ['input', 'm'], out: 'y' },
      ],
      ['m', 'y'],
      {},
    )
    const network = createNetwork(file, bin)
    const { m, y } = network.run(Float32Array.of(1, 10, 2, 20, 3, 30, 6, 60))
    expect([...(m ?? [])]).toEqual([3, 30])
    expect([...(y ?? [])]).toEqual([3, 300, 6, 600, 9, 900, 18, 1800])
    const wide = network.run(Float32Array.of(1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 9, 0), {
      width: 3,
      height: 2,
    })
    expect([...(wide.m ?? [])]).toEqual([4, 0])
  })

  test('of areas ignores incomplete areas', () => {
    const { file, bin } = build(
      [3, 5, 1],
      [{ op: 'avgpool', in: 'input', out: 'y', size: [3, 2] }],
      ['y'],
      {},
    )
    const { y } = createNetwork(file, bin).run(
      Float32Array.of(1, 1, 2, 3, 99, 1, 1, 2, 3, 99, 4, 4, 2, 3, 99),
    )
    expectClose(y, Float32Array.of(2, 2.5))
  })
})

const AROUND: Pick<Convolution, 'pad'> = { pad: [1, 1, 1, 1] }

/** Three operations, one of which is read twice. */
const RESIDUAL = () =>
  build(
    [8, 8, 3],
    [
      { ...CONVOLUTION, ...AROUND, out: 'a', weights: 'w1', bias: 'b1', stride: 2, act: 'relu6' },
      { ...CONVOLUTION, ...AROUND, op: 'depthwise', in: 'a', out: 'd', weights: 'w2', bias: 'b2' },
      { op: 'add', in: ['a', 'd'], out: 's' },
    ],
    ['s'],
    { w1: [3, 3, 3, 4], b1: [4], w2: [3, 3, 4, 1], b2: [4] },
  )

/** Operations of every kind that look at the rows nearby, and factors of the whole map. */
const NEARBY = () => {
  const around = { ...CONVOLUTION, pad: [1, 1, 1, 1] as Convolution['pad'], weights: 'w3' }
  return build(
    [64, 64, 2],
    [
      { ...around, out: 'half', stride: 2, act: 'relu' },
      { op: 'maxpool', in: 'half', out: 'most' },
      { ...around, in: 'most', out: 'quarter', stride: 2, act: 'gelu' },
      { ...around, op: 'depthwise', in: 'quarter', out: 'deep', weights: 'w5', pad: [2, 2, 2, 2] },
      { op: 'mean', in: 'deep', out: 'mean' },
      { op: 'mul', in: ['deep', 'mean'], out: 'scaled' },
      { op: 'repeat', in: 'scaled', out: 'repeated', times: 2 },
      { op: 'add', in: ['half', 'repeated'], out: 'sum', act: 'hardswish' },
      { op: 'concat', in: ['sum', 'most'], out: 'both' },
      { ...CONVOLUTION, in: 'both', out: 'y', weights: 'w1', bias: 'b1' },
    ],
    ['y'],
    { w3: [3, 3, 2, 2], b: [2], w5: [5, 5, 2, 1], w1: [1, 1, 4, 3], b1: [3] },
  )
}

describe('a network', () => {
  test('a large picture, which is run in bands, equals the same one in a batch, which is not', () => {
    const { file, bin } = NEARBY()
    const network = createNetwork(file, bin)
    const size = { width: 320, height: 344 }
    const input = numbers(320 * 344 * 2, 8)
    const whole = network.run(new Float32Array([...input, ...input]), size).y
    const inBands = network.run(input, size).y
    network.close()
    expect(inBands?.length).toBe(160 * 172 * 3)
    expectClose(inBands, whole?.subarray(0, 160 * 172 * 3) ?? new Float32Array())
  })

  test('a large picture needs less memory at once than each picture of a batch', () => {
    const { file, bin } = NEARBY()
    const network = createNetwork(file, bin)
    const runKernel = tf.engine().runKernel.bind(tf.engine())
    const mostBytes = (pictures: number) => {
      const before = tf.memory().numBytes
      let most = 0
      const spy = spyOn(tf.engine(), 'runKernel').mockImplementation((...call) => {
        const result = runKernel<never>(...call)
        most = Math.max(most, tf.memory().numBytes - before)
        return result
      })
      network.run(numbers(320 * 344 * 2 * pictures, 8), { width: 320, height: 344 })
      spy.mockRestore()
      return most / pictures
    }
    expect(mostBytes(1)).toBeLessThan(0.8 * mostBytes(2))
    network.close()
  })

  test('weights in half precision are rounded to nearest', () => {
    const { file } = build([1, 1, 1], [CONVOLUTION], ['y'], { w: [1, 1, 1, 2], b: [2] })
    const half = file.weights.map((entry) => ({
      ...entry,
      quantization: { dtype: 'float16' as const },
    }))
    const bin = new Uint8Array(new Uint16Array([0x3c00, 0xc000, 0x3555, 0x0000]).buffer)
    const { y } = createNetwork({ ...file, weights: half }, bin).run(new Float32Array([1]))
    expectClose(y, new Float32Array([4 / 3, -2]))
  })

  test('a batch equals single runs', () => {
    const { file, bin } = RESIDUAL()
    const network = createNetwork(file, bin)
    const [one, other] = [numbers(192, 1), numbers(192, 2)]
    const outputs = [one, other].flatMap((input) => [...(network.run(input).s ?? [])])
    const both = network.run(new Float32Array([...one, ...other]))
    expect(outputs).toHaveLength(128)
    expectClose(both.s, new Float32Array(outputs))
  })

  test('a wider picture has the same results, including resize', () => {
    const up: Op = { op: 'resize', in: 'input', out: 'y', size: [8, 12] }
    const { file, bin } = build([4, 6, 1], [up], ['y'], {})
    const { y } = createNetwork(file, bin).run(numbers(40, 3), { width: 10, height: 4 })
    const same = { ...file, input: [4, 10, 1] as [number, number, number] }
    const own = createNetwork({ ...same, ops: [{ ...up, size: [8, 20] } as Op] }, bin)
    expectClose(y, own.run(numbers(40, 3)).y ?? new Float32Array())
    expect(y).toHaveLength(160)
  })

  test('no run leaks a tensor, even if it fails', () => {
    const { file, bin } = RESIDUAL()
    const before = tf.memory().numTensors
    const network = createNetwork(file, bin)
    const open = tf.memory().numTensors
    for (let i = 0; i < 20; i++) network.run(numbers(192, i))
    expect(() => network.run(new Float32Array(7))).toThrow('a multiple of 192')
    expect(tf.memory().numTensors).toBe(open)
    network.close()
    expect(tf.memory().numTensors).toBe(before)
  })

  test.each([1, 4, 30])('no tensor is left if operation %i of a run in bands fails', (failing) => {
    const { file, bin } = NEARBY()
    const network = createNetwork(file, bin)
    const before = tf.memory()
    const runKernel = tf.engine().runKernel.bind(tf.engine())
    let performed = 0
    const spy = spyOn(tf.engine(), 'runKernel').mockImplementation((...call) => {
      if (++performed === failing) throw new Error('no memory')
      return runKernel<never>(...call)
    })
    try {
      const run = () => network.run(numbers(320 * 344 * 2, 8), { width: 320, height: 344 })
      expect(run).toThrow('no memory')
    } finally {
      spy.mockRestore()
    }
    const { numTensors, numBytes } = tf.memory()
    expect({ numTensors, numBytes }).toEqual({
      numTensors: before.numTensors,
      numBytes: before.numBytes,
    })
    network.close()
  })

  /** Sets fields that the types do not allow. */
  const spoilOp = (file: NetworkFile, index: number, fields: object) =>
    Object.assign(file.ops[index] ?? {}, fields)

  test.each<[string, (file: NetworkFile) => void, string]>([
    ['an unknown operation', (f) => spoilOp(f, 0, { op: 'pool' }), 'is unknown'],
    ['an unknown input', (f) => spoilOp(f, 1, { in: 'z' }), 'reads "z"'],
    ['a name written twice', (f) => spoilOp(f, 1, { out: 'a' }), 'already exists'],
    ['missing weights', (f) => spoilOp(f, 0, { weights: 'z' }), 'no weights "z"'],
    ['a missing bias', (f) => spoilOp(f, 0, { bias: 'z' }), 'no bias "z"'],
    ['a bias of another length', (f) => spoilOp(f, 0, { bias: 'w1' }), 'has a bias'],
    ['weights for other channels', (f) => spoilOp(f, 0, { weights: 'w2' }), 'channels'],
    [
      'a product of unlike shapes',
      (f) => spoilOp(f, 2, { op: 'mul', in: ['a', 'input'] }),
      'multiplies',
    ],
    [
      'an area larger than the map',
      (f) => spoilOp(f, 2, { op: 'avgpool', in: 'a', size: [5, 1] }),
      'results in the shape',
    ],
    ['a mean of nothing', (f) => spoilOp(f, 2, { op: 'mean', in: 'z' }), 'reads "z"'],
    ['a sum of unlike shapes', (f) => spoilOp(f, 2, { in: ['a', 'input'] }), 'adds'],
    ['an unknown activation', (f) => spoilOp(f, 0, { act: 'erf' }), 'unknown activation "erf"'],
    [
      'a kernel larger than the map',
      (f) => Object.assign(f, { input: [0, 0, 3] }),
      'results in the shape',
    ],
    ['an output that nothing writes', (f) => f.outputs.push('z'), 'the output "z"'],
  ])('%s is rejected', (_, spoil, reason) => {
    const { file, bin } = RESIDUAL()
    spoil(file)
    expect(() => createNetwork(file, bin)).toThrow(reason)
  })

  test('truncated weights are rejected', () => {
    const { file, bin } = RESIDUAL()
    expect(() => createNetwork(file, bin.subarray(4))).toThrow('bytes, expected')
  })
})

test('pixels are converted to -1 to 1', () => {
  expect([...toInput(new Uint8Array([0, 255]))]).toEqual([-1, 1])
  // A shorter input has its own length.
  expect([...toInput(new Uint8Array([255]))]).toEqual([1])
})
