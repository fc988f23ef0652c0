import { expect, test } from 'bun:test'
import { retryLater } from '#jobs/start-tasks.ts'

test.each(['an exception', 'a failed outcome'])(
  '%s is followed by further attempts until one succeeds',
  async (kind) => {
    const outcomes: string[] = []
    const { run, close } = retryLater(
      async () => {
        const isGood = outcomes.push('') > 3
        if (!isGood && kind === 'an exception') throw new Error('away')
        return isGood ? 'done' : 'failed'
      },
      (outcome) => outcome === 'failed',
      2,
    )
    const first = await run().catch((error) => error.message)
    expect(first).toBe(kind === 'an exception' ? 'away' : 'failed')
    while (outcomes.length < 4) await Bun.sleep(1)
    await Bun.sleep(20)
    expect(outcomes).toHaveLength(4)
    close()
  },
)

test('no attempt follows the end', async () => {
  let attempts = 0
  const { run, close } = retryLater(
    async () => {
      attempts++
      return 'failed'
    },
    () => true,
    2,
  )
  await run()
  close()
  await run()
  await Bun.sleep(20)
  expect(attempts).toBe(2)
})
