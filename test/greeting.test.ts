/** The setup address, which a server repeats for the person who started it. */
import { afterEach, expect, jest, test } from 'bun:test'
import { repeatSetup } from '../src/greeting.ts'
import { createTestApp, PASSWORD, PUBLIC_URL, SETUP_TOKEN } from './support/test-app.ts'

afterEach(() => jest.useRealTimers())

test('the address of the setup is printed every five minutes until the setup is finished', async () => {
  const { deps, client, close } = await createTestApp({ isNew: true })
  jest.useFakeTimers()
  let printed: string[] = []
  const waitFiveMinutes = async () => {
    printed = []
    jest.advanceTimersByTime(5 * 60_000)
    // Lets the ledger respond.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    return printed.join('')
  }
  let reads = 0
  const readStored = () => {
    reads++
    return deps.liveConfig.readStored()
  }
  const liveConfig = { ...deps.liveConfig, readStored }
  repeatSetup({ ...deps, liveConfig }, SETUP_TOKEN, (text) => void printed.push(text))
  const first = `\n  Set it up:      ${PUBLIC_URL}/setup#token=${SETUP_TOKEN}\n`
  expect(await waitFiveMinutes()).toStartWith(first)
  expect(await waitFiveMinutes()).toStartWith(first)
  const account = { email: 'owner@shop.example', password: PASSWORD }
  await client.post('/v1/auth/setup', { token: SETUP_TOKEN, ...account })
  expect(await waitFiveMinutes()).toStartWith(`\n  Set it up:      ${PUBLIC_URL}/setup\n`)
  await deps.liveConfig.store({ isSetUp: true }, deps.now())
  expect(await waitFiveMinutes()).toBe('')
  expect(reads).toBe(4)
  await waitFiveMinutes()
  expect(reads).toBe(4)
  close()
})
