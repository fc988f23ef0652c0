import type { Deps } from '#deps.ts'

/** Chooses the hour (UTC) of an account's daily digest; null for single messages. */
export async function setDigestHour(
  { ledger }: Pick<Deps, 'ledger'>,
  accountId: number,
  hour: number | null,
): Promise<void> {
  await ledger.channels.setDigestHour(accountId, hour ?? undefined)
}
