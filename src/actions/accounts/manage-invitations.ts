import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import {
  generateInvitationCode,
  type InvitationStatus,
  invitationStatus,
  invitationUrl,
} from '#rules/accounts/invitations.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { InvitationRecord } from '#store/ledger/invitations.ts'

type InvitationDeps = Pick<Deps, 'ledger' | 'now'>

/** An invitation, and its current status. */
export type Invitation = InvitationRecord & { status: InvitationStatus }

/**
 * Creates an invitation, as the operator. The code is only returned here: the ledger stores its hash.
 *
 * @param email the only address that may use it; undefined if any may
 * @throws ServiceError VALIDATION_ERROR for an invalid address
 */
export async function createInvitation(
  { ledger, now, config }: InvitationDeps & Pick<Deps, 'config'>,
  { email, days }: { email: string | undefined; days: number },
) {
  if (email !== undefined && !isEmailAddress(email)) {
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  }
  const code = generateInvitationCode((bytes) => randomBytes(bytes))
  const wanted = { email: email ?? null, validMs: days * MS_PER_DAY }
  const created = await ledger.invitations.create({ code_hash: hashSecret(code), ...wanted }, now())
  const { id, expires_at } = created
  return { id, code, url: invitationUrl(config.publicUrl, code), email: wanted.email, expires_at }
}

/** Lists all invitations, newest first. */
export async function listInvitations({ ledger, now }: InvitationDeps): Promise<Invitation[]> {
  const all = await ledger.invitations.list()
  return all.map((one) => ({ ...one, status: invitationStatus(one, now().getTime()) }))
}

/**
 * Revokes an invitation, as the operator.
 *
 * @throws ServiceError NOT_FOUND, also if it has been used
 */
export async function revokeInvitation(
  { ledger, now }: InvitationDeps,
  id: number,
): Promise<Invitation> {
  const revoked = await ledger.invitations.revoke(id, now())
  if (revoked === undefined || revoked.used_at !== null) {
    throw new ServiceError('NOT_FOUND', `No unused invitation has the id ${id}.`)
  }
  return { ...revoked, status: invitationStatus(revoked, now().getTime()) }
}
