// Manages accounts, invitations, tiers, keys, scans and manual billing, and prints the audit log.

import { adoptStorage } from '#deps/storage.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import {
  createAccount,
  createAccountKey,
  grantAccountScans,
  listAccounts,
  removeAccount,
  revokeAccountKey,
  showAccount,
  updateOperator,
  updatePassword,
  updateTier,
} from './cli/account-commands.ts'
import { ADMIN } from './cli/admin-commands.ts'
import { printAuditLog } from './cli/audit-command.ts'
import {
  completeManualCheckout,
  listCheckouts,
  printBillingReport,
  refundManualCheckout,
} from './cli/billing-commands.ts'
import { invite, printInvitations, revoke } from './cli/invitation-commands.ts'
import { move } from './cli/move-ledger.ts'
import { republish, rollBack } from './cli/roll-back.ts'
import { type ExitCode, runGroup } from './cli/run-command.ts'
import { commandConfig, printResult } from './cli/terminal.ts'

await runGroup(ADMIN, {
  'account create': withDeps(createAccount),
  'account show': withDeps(showAccount),
  'account list': withDeps(listAccounts),
  'account tier': withDeps(updateTier),
  'account password': withDeps(updatePassword),
  'account operator': withDeps(updateOperator),
  'account delete': withDeps(removeAccount),
  invite: withDeps(invite),
  'invite list': withDeps(printInvitations),
  'invite revoke': withDeps(revoke),
  'key create': withDeps(createAccountKey),
  'key revoke': withDeps(revokeAccountKey),
  'scans grant': withDeps(grantAccountScans),
  'billing list': withDeps(listCheckouts),
  'billing complete': withDeps(completeManualCheckout),
  'billing refund': withDeps(refundManualCheckout),
  'billing report': withDeps(printBillingReport),
  audit: withDeps(printAuditLog),
  'rollback-catalog': withDeps(rollBack),
  'republish-catalog': withDeps(republish),
  'move-ledger': move,
  // Runs without opening the data folder: opening it would fail because of the files that this command accepts.
  async adopt({ file, json }) {
    const is_new = await adoptStorage(commandConfig(), file)
    const text = `${file} is ${is_new ? 'new and empty' : 'accepted'}.`
    printResult({ file, is_new }, { json, text })
    return 0
  },
})

/** Opens the data folder for a command, and closes it afterwards. */
function withDeps<Values>(run: (deps: Deps, input: Values) => Promise<ExitCode>) {
  return async (input: Values): Promise<ExitCode> => {
    const deps = await openDeps(commandConfig())
    try {
      return await run(deps, input)
    } finally {
      await closeDeps(deps)
    }
  }
}
