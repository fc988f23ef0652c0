import { expect, test } from 'bun:test'
import { createSyncTrigger, type SyncOptions } from '#store/memory/sync-trigger.ts'

test('requested syncs are started by the attached runner, one at a time', () => {
  const syncTrigger = createSyncTrigger()
  expect([syncTrigger.start({}), syncTrigger.isRunning()]).toEqual(['closed', false])

  const started: SyncOptions[] = []
  syncTrigger.attach({
    isRunning: () => started.length > 0,
    start: (options) => void started.push(options),
  })
  expect(syncTrigger.isRunning()).toBe(false)
  expect(syncTrigger.start({ game: 'pokemon', force: true })).toBe('started')
  expect(syncTrigger.start({})).toBe('running')
  expect(syncTrigger.isRunning()).toBe(true)
  expect(started).toEqual([{ game: 'pokemon', force: true }])

  syncTrigger.attach(undefined)
  expect([syncTrigger.start({}), syncTrigger.isRunning()]).toEqual(['closed', false])
})
