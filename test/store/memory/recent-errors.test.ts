import { expect, test } from 'bun:test'
import { createRecentErrors } from '#store/memory/recent-errors.ts'

const AT = new Date('2026-11-15T21:30:00.000Z')

test('errors are listed with event, request and message, newest first', () => {
  const errors = createRecentErrors()
  errors.add(AT, 'request failed', { request_id: 'r1', error: new Error('the disk is full') })
  errors.add(AT, 'job failed', { job: 'purge the ledger', error: new Error('it is locked') })
  errors.add(AT, 'sync could not read', { game: 'pokemon', set: 12, reason: 'no such file.' })
  errors.add(AT, 'reader thread failed')
  const line = { at: AT, request_id: undefined }
  expect(errors.list()).toEqual([
    { ...line, event: 'reader thread failed', message: '' },
    { ...line, event: 'sync could not read', message: 'game pokemon: set 12: no such file.' },
    { ...line, event: 'job failed', message: 'purge the ledger: it is locked' },
    { ...line, event: 'request failed', message: 'the disk is full', request_id: 'r1' },
  ])
})

test('only the last fifty are kept', () => {
  const errors = createRecentErrors()
  for (let number = 1; number <= 60; number++) errors.add(AT, `failure ${number}`)
  const events = errors.list().map(({ event }) => event)
  expect([events.length, events[0], events.at(-1)]).toEqual([50, 'failure 60', 'failure 11'])
})

test('stacks and non-text facts are omitted', () => {
  const errors = createRecentErrors()
  const error = new Error('mail to ann@shop.example failed')
  errors.add(AT, 'mail failed', { error, photo: new Uint8Array(9), session: { token: 'x' } })
  expect(errors.list()[0]?.message).toBe('mail to … failed')
})

test('the account is omitted', () => {
  const errors = createRecentErrors()
  const [kind, detail] = ['two_subscriptions', 'live subscriptions sub_1Mow, sub_2Nxy']
  errors.add(AT, 'billing records are inconsistent', { kind, account_id: 17, detail })
  expect(errors.list()[0]?.message).toBe('kind two_subscriptions: detail live subscriptions …, …')
})
