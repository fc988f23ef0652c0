// Rules for creating accounts, and invitation codes.

/** `invite` requires an invitation by the operator; with `closed`, only the operator can create accounts. */
export const REGISTRATION_MODES = ['open', 'invite', 'closed'] as const

/** Default number of days until an invitation expires. */
export const INVITATION_DAYS = 14

/** Maximum days until an invitation expires. */
export const INVITATION_DAYS_MAX = 365

/** Generates a code of 128 random bits, in hexadecimal digits. */
export function generateInvitationCode(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(16)).toString('hex')
}

/** Returns the page that creates an account with a code in the fragment, which browsers send to no server. */
export function invitationUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/register#invitation=${code}`
}

/** Times in epoch milliseconds; null if it has not happened. */
export type InvitationTimes = {
  expires_at: number
  revoked_at: number | null
  used_at: number | null
}

export type InvitationStatus = 'open' | 'used' | 'revoked' | 'expired'

export function invitationStatus(times: InvitationTimes, now: number): InvitationStatus {
  if (times.used_at !== null) return 'used'
  if (times.revoked_at !== null) return 'revoked'
  return times.expires_at > now ? 'open' : 'expired'
}
