import { expect, test } from 'bun:test'
import { openSyncDesk, type SyncWish } from '#rules/sync/sync-trigger.ts'

test('what is asked for is started by who serves the desk, one at a time', () => {
  const desk = openSyncDesk()
  expect([desk.start({}), desk.isRunning()]).toEqual(['closed', false])

  const started: SyncWish[] = []
  desk.serve({ isRunning: () => started.length > 0, start: (wish) => void started.push(wish) })
  expect(desk.isRunning()).toBe(false)
  expect(desk.start({ game: 'pokemon', force: true })).toBe('started')
  expect(desk.start({})).toBe('running')
  expect(desk.isRunning()).toBe(true)
  expect(started).toEqual([{ game: 'pokemon', force: true }])

  desk.serve(undefined)
  expect([desk.start({}), desk.isRunning()]).toEqual(['closed', false])
})
