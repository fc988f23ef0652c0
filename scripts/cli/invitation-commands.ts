// Invitations: create, list and revoke. They are needed with REGISTRATION=invite.

import {
  createInvitation,
  type Invitation,
  listInvitations,
  revokeInvitation,
} from '#actions/accounts/manage-invitations.ts'
import type { Deps } from '#deps.ts'
import { isForPeople, printList, printResult } from './terminal.ts'
import { formatTable, formatTime } from './text.ts'

/** Creates an invitation and prints it once. */
export async function invite(
  deps: Deps,
  { email, expires, json }: { email: string | undefined; expires: number; json: boolean },
): Promise<undefined> {
  const { expires_at, ...created } = await createInvitation(deps, { email, days: expires })
  const expiry = new Date(expires_at).toISOString()
  printResult({ ...created, expires_at: expiry }, { json, text: created.url })
  if (!isForPeople(json)) return
  process.stderr.write(
    `Invitation ${created.id} for one account${email === undefined ? '' : ` with ${email}`}, until ${formatTime(expires_at)} UTC.\n` +
      `The code alone is ${created.code}. Save it now: it is not shown again.\n`,
  )
  if (deps.config.registration !== 'invite') {
    process.stderr.write('The server does not require invitations. Set REGISTRATION=invite.\n')
  }
}

/** Prints all invitations, newest first. */
export async function printInvitations(
  deps: Deps,
  { json }: { json: boolean },
): Promise<undefined> {
  const invitations = (await listInvitations(deps)).map(toJson)
  printList(invitations, {
    json,
    table: () => (invitations.length === 0 ? 'No invitations.' : formatInvitations(invitations)),
  })
}

/** Revokes an invitation and prints it. */
export async function revoke(
  deps: Deps,
  { id, json }: { id: number; json: boolean },
): Promise<undefined> {
  const invitation = toJson(await revokeInvitation(deps, id))
  printResult(invitation, { json, text: `Invitation ${id} is revoked.` })
}

function toJson(invitation: Invitation) {
  const { id, email, status, account_id } = invitation
  const { created_at, expires_at, revoked_at, used_at } = invitation
  return {
    id,
    status,
    email,
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
    revoked_at: toIso(revoked_at),
    used_at: toIso(used_at),
    account_id,
  }
}

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

function formatInvitations(invitations: readonly ReturnType<typeof toJson>[]): string {
  return formatTable(
    ['id', 'status', 'for', 'until (UTC)', 'account'],
    invitations.map(({ id, status, email, expires_at, account_id }) => [
      id,
      status,
      email ?? 'anyone',
      formatTime(expires_at),
      account_id ?? '',
    ]),
  )
}
