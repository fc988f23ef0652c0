import { expect, test } from 'bun:test'
import { isReadableByAll } from '#jobs/fleet-follower.ts'
import type { Snapshot } from '#rules/operations/snapshot-list.ts'

const versionOf = (schema: number) => ({ snapshot: { schema } as Snapshot, activate_at: 0 })

test.each<[published: number | undefined, others: number[], own: number, canLead: boolean, string]>(
  [
    [undefined, [], 18, true, 'a first server'],
    [18, [18, 18], 18, true, 'servers of one release'],
    [18, [18, 19], 19, false, 'an upgraded server beside an older one'],
    [18, [18, 19], 18, true, 'the older one beside it'],
    [18, [19, 19], 19, true, 'the last one that is upgraded'],
    [19, [18, 19], 18, false, 'a server that cannot read what is published'],
    [19, [18, 19], 19, true, 'a server beside one that cannot read what is published'],
  ],
)(
  'a version of schema %p, servers with %p: one with %p leads is %p (%s)',
  (published, schemas, own, canLead) => {
    const active = published === undefined ? undefined : versionOf(published)
    expect(isReadableByAll({ active, pending: undefined, schemas }, own)).toBe(canLead)
    // The newer of two versions counts.
    const pending = active
    expect(isReadableByAll({ active: pending && versionOf(1), pending, schemas }, own)).toBe(
      canLead,
    )
  },
)
