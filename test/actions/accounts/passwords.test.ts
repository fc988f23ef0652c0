import { describe, expect, spyOn, test } from 'bun:test'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'

const PASSWORD = 'the right one'

const passwords = createPasswordHasher()
const HASH = await passwords.hash(PASSWORD)

describe('a password', () => {
  test('is stored as argon2id with 19 MiB and two passes, each time with another salt', async () => {
    const hashes = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
    for (const hash of [HASH, ...hashes])
      expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(new Set([HASH, ...hashes]).size).toBe(3)
  })

  test('matches only its own hash, and never a missing one', async () => {
    const fits = { matches: true, outdated: false }
    const fails = { matches: false, outdated: false }
    expect(await passwords.verify(PASSWORD, HASH)).toEqual(fits)
    for (const wrong of ['', 'the right on', 'the right one ', 'The right one']) {
      expect(await passwords.verify(wrong, HASH)).toEqual(fails)
    }
    expect(await passwords.verify(PASSWORD, undefined)).toEqual(fails)
  })

  test('of an account without one takes as long to refuse as any other', async () => {
    const verify = spyOn(Bun.password, 'verify')
    try {
      for (const missing of [undefined, '']) {
        expect((await passwords.verify(PASSWORD, missing)).matches).toBe(false)
      }
      const hashes = verify.mock.calls.map(([, hash]) => hash)
      expect(hashes).toHaveLength(2)
      for (const hash of hashes) expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    } finally {
      verify.mockRestore()
    }
  })

  test.each([
    ['a NUL', 'before\0after!', 'before\0other!'],
    ['an accent of its own', 'passéword'.normalize('NFC'), 'passéword'.normalize('NFD')],
    ['a space at the end', 'eight or more ', 'eight or more'],
    ['another length beyond 72 bytes', 'a'.repeat(80), 'a'.repeat(81)],
    ['the last of 1,024 bytes', `${'a'.repeat(1_023)}b`, `${'a'.repeat(1_023)}c`],
  ])('differs from another by %s', async (_by, password, other) => {
    const hash = await passwords.hash(password)
    expect((await passwords.verify(password, hash)).matches).toBe(true)
    expect((await passwords.verify(other, hash)).matches).toBe(false)
  })

  test('that was hashed with other parameters matches, and is outdated', async () => {
    const kinds = [
      { algorithm: 'argon2id', memoryCost: 8_192, timeCost: 2 },
      { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 1 },
      { algorithm: 'argon2i', memoryCost: 19_456, timeCost: 2 },
      { algorithm: 'bcrypt', cost: 4 },
    ] as const
    for (const kind of kinds) {
      const hash = await Bun.password.hash(PASSWORD, kind)
      expect(await passwords.verify(PASSWORD, hash)).toEqual({ matches: true, outdated: true })
      expect(await passwords.verify('a wrong one', hash)).toEqual({
        matches: false,
        outdated: false,
      })
    }
  })

  test.each([
    '',
    'none',
    PASSWORD,
    '$argon2id$',
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$',
    '$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
    '$2b$10$',
    '\0',
    '$unknown$v=1$x$y',
  ])('never matches %p, which is not a hash', async (garbage) => {
    expect(await passwords.verify(PASSWORD, garbage)).toEqual({ matches: false, outdated: false })
  })
})

describe('concurrent hashing', () => {
  test('runs up to the limit, queues 64, and rejects the next with Retry-After', async () => {
    const own = createPasswordHasher(2)
    const order: number[] = []
    const checks = Array.from({ length: 70 }, (_, index) =>
      // An empty password is refused immediately: this tests only the queue.
      own.verify(index % 16 === 0 ? PASSWORD : '', HASH).then(
        ({ matches }) => {
          order.push(index)
          return matches ? 'fits' : 'fails'
        },
        ({ code, retryAfter }) => {
          expect([index >= 66, code, retryAfter]).toEqual([true, 'UNAVAILABLE', 2])
          return 'refused'
        },
      ),
    )
    const ends = await Promise.all(checks)
    expect(ends.filter((end) => end === 'refused')).toHaveLength(4)
    expect(ends.filter((end) => end === 'fits')).toHaveLength(5)
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 66 }, (_, at) => at))
    // A free turn can be taken by anybody.
    expect((await own.verify(PASSWORD, HASH)).matches).toBe(true)
  })

  test('lets a caller of a lower rank overtake a full queue', async () => {
    const own = createPasswordHasher(1)
    const order: string[] = []
    const enter = (name: string, rank: number) =>
      own.verify('', HASH, rank).then(
        () => void order.push(name),
        ({ code }) => void order.push(code),
      )
    const first = own.verify(PASSWORD, HASH)
    const flood = Array.from({ length: 200 }, (_, index) => enter('flood', index + 1))
    const honest = enter('honest', 0)
    await Promise.all([first, honest, ...flood])
    expect(order.filter((end) => end === 'flood')).toHaveLength(63)
    expect(order.filter((end) => end === 'UNAVAILABLE')).toHaveLength(137)
    expect(order.find((end) => end !== 'UNAVAILABLE')).toBe('honest')
  })

  test('gives each network its turn, and refuses those of the largest crowd', async () => {
    const own = createPasswordHasher(1)
    const order: string[] = []
    const enter = (network: string) =>
      own.verify('', HASH, 1, network).then(
        () => void order.push(network),
        ({ code }) => void order.push(`${network} ${code}`),
      )
    const first = own.verify(PASSWORD, HASH)
    const flood = Array.from({ length: 200 }, () => enter('flood'))
    const others = ['shop', 'home', 'shop'].map(enter)
    await Promise.all([first, ...flood, ...others])
    const served = order.filter((end) => !end.endsWith('UNAVAILABLE'))
    expect(served.slice(0, 6)).toEqual(['flood', 'shop', 'home', 'flood', 'shop', 'flood'])
    expect(order.filter((end) => end === 'flood UNAVAILABLE')).toHaveLength(203 - 64)
  })

  test('never runs more than the limit', async () => {
    for (const slots of [1, 2]) {
      const own = createPasswordHasher(slots)
      let [running, most] = [0, 0]
      const real = Bun.password.verify
      Bun.password.verify = async (password, hash) => {
        most = Math.max(most, ++running)
        await Bun.sleep(1)
        running--
        return password === hash
      }
      try {
        await Promise.all(Array.from({ length: 30 }, () => own.verify('a', 'a')))
      } finally {
        Bun.password.verify = real
      }
      expect(most).toBe(slots)
    }
  })
})
