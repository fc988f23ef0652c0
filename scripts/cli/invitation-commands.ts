// Invitations: create, list and revoke. They matter with REGISTRATION=invite.

import {
  createInvitation,
  type Invitation,
  listInvitations,
  revokeInvitation,
} from '#actions/accounts/manage-invitations.ts'
import type { Deps } from '#deps.ts'
import { INVITATION_DAYS, INVITATION_DAYS_MAX } from '#rules/accounts/invitations.ts'
import { parseWholeNumber, printResult, UsageError } from './terminal.ts'

/** Creates an invitation and prints it once. */
export async function invite(
  deps: Deps,
  {
    email,
    expires,
    json,
  }: { email?: string | undefined; expires?: string | undefined; json: boolean },
): Promise<undefined> {
  const days = expires === undefined ? INVITATION_DAYS : parseWholeNumber('--expires', expires)
  if (days > INVITATION_DAYS_MAX) {
    throw new UsageError(`--expires must be at most ${INVITATION_DAYS_MAX} days.`)
  }
  const { expires_at, ...created } = await createInvitation(deps, { email, days })
  const expiry = new Date(expires_at).toISOString()
  if (json || !process.stdout.isTTY) {
    printResult({ ...created, expires_at: expiry })
    return
  }
  process.stdout.write(`${created.url}\n`)
  process.stderr.write(
    `Invitation ${created.id} for one account${email === undefined ? '' : ` with ${email}`}, until ${expiry}.\n` +
      `The code alone is ${created.code}. Save it now: it is not shown again.\n`,
  )
  if (deps.config.registration !== 'invite') {
    process.stderr.write('The server does not ask for invitations. Set REGISTRATION=invite.\n')
  }
}

/** Prints all invitations, newest first. */
export async function printInvitations(
  deps: Deps,
  { json }: { json: boolean },
): Promise<undefined> {
  for (const invitation of await listInvitations(deps)) printInvitation(invitation, json)
}

/** Revokes an invitation and prints it. */
export async function revoke(
  deps: Deps,
  text: string,
  { json }: { json: boolean },
): Promise<undefined> {
  printInvitation(await revokeInvitation(deps, parseWholeNumber('ID', text)), json)
}

function printInvitation(invitation: Invitation, json: boolean): void {
  const { id, email, status, account_id } = invitation
  const [created_at, expires_at, revoked_at, used_at] = [
    invitation.created_at,
    invitation.expires_at,
    invitation.revoked_at,
    invitation.used_at,
  ].map((time) => (time === null ? null : new Date(time).toISOString()))
  if (json || !process.stdout.isTTY) {
    printResult({ id, status, email, created_at, expires_at, revoked_at, used_at, account_id })
    return
  }
  const cells = [String(id).padStart(5), status.padEnd(7), `until ${expires_at}`, email ?? 'anyone']
  process.stdout.write(`${cells.join('  ')}\n`)
}
