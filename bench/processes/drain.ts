// Spends an account's quota until a request is refused, and prints how many were allowed.
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { openLedger } from '#store/open-ledger.ts'

const [dataDir = '', account = '', startAt = ''] = process.argv.slice(2)
const ledger = openLedger(dataDir)
const spending = createQuotaCharger({ ledger, now: () => new Date() })
const spender = { account_id: Number(account), tier: 'business' } as const

// All processes start at the same moment: otherwise the first would spend the whole quota before the next one starts.
await Bun.sleep(Math.max(0, Number(startAt) - Date.now()))
let allowed = 0
while ((await spending.charge(spender)).isAllowed) allowed++
await spending.close()
ledger.close()
process.stdout.write(`${allowed}\n`)
