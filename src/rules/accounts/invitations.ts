// Conditions of creating an account, and the codes that invite people.

/** `invite` requires an invitation of the operator; `closed` lets only the operator create accounts. */
export const REGISTRATION_MODES = ['open', 'invite', 'closed'] as const

/** Days until an invitation expires, unless the operator chooses others. */
export const INVITATION_DAYS = 14

/** Maximum days until an invitation expires. */
export const INVITATION_DAYS_MAX = 365

/** Generates a code of 128 random bits, in hexadecimal digits. */
export function generateInvitationCode(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(16)).toString('hex')
}

/** Returns the page that creates an account with a code. No server or other page sees a fragment. */
export function invitationUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/register#invitation=${code}`
}

/** Times in epoch milliseconds; null if it did not happen. */
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
