/** Texts of the account's pages: overview, keys and usage. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const overview = 'Overview'
export const keys = 'Keys'
export const usage = 'Usage'
export const plan = 'Plan'
export const scans = 'Scans'
export const alerts = 'Alerts'
export const webhooks = 'Webhooks'
export const security = 'Security'
export const yourAccount = 'Your account'
export const operator = 'Operator'
export const logOut = 'Log out'
export const requestsPerDay = (dailyLimit: string) => `${dailyLimit} requests per day`
export const activeKeyCount = (number: number) =>
  pluralText(number, { one: 'active key', other: 'active keys' })
export const plus25FreeScans = 'plus 25 free scans'
export const scansLeft = 'scans left'
export const firstSteps = 'First steps'
export const createAKey = 'Create a key'
export const done = 'Done'
export const sendTheKeyWithEachRequest =
  'Send the key with each request. It is shown only once, so save it now.'
export const createKey = 'Create key'
export const tryIt = 'Try it'
export const replaceTheKey = 'Replace YOUR_KEY with your key.'
export const buildSomething = 'Build something'
export const tryAllEndpointsInTheBrowser = ({
  docs,
  identify,
}: Record<'docs' | 'identify', Markup>) =>
  rich`Try ${docs('all endpoints')} in the browser, or ${identify('identify a card')} by photo.`
export const loading = 'Loading'
export const isRevoked = (name: string) => `“${name}” is revoked.`
export const sendAKeyWithEachRequest = 'Send a key with each request, in the X-API-Key header.'
export const activeKeys = 'Active keys'
export const revokedKeysOf = (number: string) => `Revoked keys (${number})`
export const revokedKeys = 'Revoked keys'
export const noKeysYet = 'No keys yet'
export const programsNeedAKey =
  'Your programs need a key to get prices. Create one and try it with the example request.'
export const created = 'Created'
export const lastUsed = 'Last used'
export const never = 'Never'
export const today = 'Today'
export const total = 'Total'
export const revoked = 'Revoked'
export const revokeNamed = (name: string) => `Revoke ${name}`
export const revoke = 'Revoke'
export const revokeQuestion = (name: string) => `Revoke “${name}”?`
export const revokeKey = 'Revoke key'
export const revokedAtOnce = ({
  key,
  lastUsed,
}: {
  key: ReactNode
  lastUsed?: string | undefined
}) =>
  lastUsed === undefined
    ? rich`Requests with ${key} will be rejected immediately. You cannot undo this. This key was never used.`
    : rich`Requests with ${key} will be rejected immediately. You cannot undo this. This key was last used ${lastUsed}.`
export const name = 'Name'
export const defaultLabel = 'Default'
export const keyNameHint = 'The program that will use it, such as “Shop window”.'
export const cancel = 'Cancel'
export const yourKey = (name: string) => `Your key “${name}”`
export const keyIsShownOnlyOnce = 'The key is shown only once, so save it now.'
export const requestsWithYourKeys = 'Requests with your keys in the last 30 days. Days are in UTC.'
export const requestsIn30Days = (number: number) =>
  pluralText(number, { one: '# request in 30 days', other: '# requests in 30 days' })
export const key = 'Key'
export const allKeys = 'All keys'
export const keyOption = ({ name, last4 }: Record<'name' | 'last4', string>) =>
  `${name} (…${last4})`
export const revokedKeyOption = ({ name, last4 }: Record<'name' | 'last4', string>) =>
  `${name} (…${last4}), revoked`
export const requestsByDay = 'Requests by day'
export const requests = 'Requests'
export const showAsTable = 'Show as table'
export const day = 'Day'
export const endpoints = 'Endpoints'
export const noRequestsYet = 'No requests yet.'
export const tryARequest = 'Try a request'
export const sampleRequest = ({ key, origin }: { key: string; origin: string }) =>
  `curl -H "X-API-Key: ${key}" "${origin}/v1/sets?per_page=3"`
export const requestsLeft = ({
  left,
  limit,
  small,
}: {
  left: string
  limit: string
  small: Markup
}) => rich`${left} ${small(`of ${limit} requests left`)}`
export const requestsLeftToday = 'Requests left today'
export const leftOf = ({ left, limit }: Record<'left' | 'limit', string>) => `${left} of ${limit}`
export const usedToday = ({ used, reset }: Record<'used' | 'reset', string>) =>
  `${used} used. Resets at midnight UTC (${reset}).`
export const requestCount = (used: number) =>
  pluralText(used, { one: '# request', other: '# requests' })
export const serverIsPrivateItsAccounts = 'This server is private: its accounts have no limits.'
