import { expect, test } from 'bun:test'
import { createSyncTrigger, type SyncOptions } from '#store/memory/sync-trigger.ts'

test('requested syncs are started by the attached runner, one at a time', () => {
  const desk = createSyncTrigger()
  expect([desk.start({}), desk.isRunning()]).toEqual(['closed', false])

  const started: SyncOptions[] = []
  desk.attach({ isRunning: () => started.length > 0, start: (wish) => void started.push(wish) })
  expect(desk.isRunning()).toBe(false)
  expect(desk.start({ game: 'pokemon', force: true })).toBe('started')
  expect(desk.start({})).toBe('running')
  expect(desk.isRunning()).toBe(true)
  expect(started).toEqual([{ game: 'pokemon', force: true }])

  desk.attach(undefined)
  expect([desk.start({}), desk.isRunning()]).toEqual(['closed', false])
})
