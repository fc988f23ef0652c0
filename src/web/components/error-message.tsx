import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import * as texts from '#texts/frame.ts'
import type { ApiError } from '../api.ts'
import { Button } from './button.tsx'
import { PlansLink } from './plans-link.tsx'

type NotFound = { title: string; text: string }

type QueryErrorProps = {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  notFound?: NotFound
}

/** Shows the error of a failed query; nothing for other queries. */
export function QueryError({ query, ...props }: QueryErrorProps) {
  if (query.error === null) return null
  return <ErrorMessage error={query.error} onRetry={() => void query.refetch()} {...props} />
}

type ErrorMessageProps = {
  error: ApiError
  onRetry?: () => void
  /** Replaces the API's message if the error is a 404. */
  notFound?: NotFound
}

/** Shows an API error with the next step. */
export function ErrorMessage({ error, onRetry, notFound }: ErrorMessageProps) {
  const needsLogin = requiresLogin(error)
  const isTier = error.code === 'TIER_REQUIRED'
  const missing = error.status === 404 ? notFound : undefined
  const heading = missing?.title ?? errorHeading(error)
  const text = needsLogin ? texts.accountIsFree : (missing?.text ?? error.message)
  const isExpected = needsLogin || isTier || error.code === 'RATE_LIMIT_EXCEEDED'
  return (
    <div className={`note ${isExpected ? 'wait' : 'bad'}`} role="alert">
      <div>
        <h2>{heading}</h2>
        {error.code !== 'NETWORK' && <p>{text}</p>}
        {error.requestId !== undefined && error.status >= 500 && (
          <p className="small soft">
            {texts.sendThisId} <code>{error.requestId}</code>
          </p>
        )}
      </div>
      <div className="row">
        {needsLogin && (
          <Link className="button main" href={loginUrl()}>
            {texts.logInOrCreateAccount}
          </Link>
        )}
        {isTier && <PlansLink className="button main" />}
        {onRetry !== undefined && !needsLogin && !isTier && error.status !== 404 && (
          <Button onClick={onRetry}>{texts.tryAgain}</Button>
        )}
      </div>
    </div>
  )
}

/** Returns true if logging in solves the error. */
export function requiresLogin({ code }: ApiError): boolean {
  return ['SESSION_REQUIRED', 'API_KEY_REQUIRED'].includes(code)
}

/** Login URL that returns to this page. */
export function loginUrl(): string {
  return `/login?to=${encodeURIComponent(location.pathname + location.search)}`
}

function errorHeading(error: ApiError): string {
  const { status, code } = error
  if (requiresLogin(error)) return texts.logInToContinue
  return HEADINGS[code] ?? BY_STATUS[status] ?? texts.somethingWentWrong
}

/** Complete message, without further text. */
export const UNREACHABLE = texts.unreachable

const HEADINGS: Readonly<Record<string, string>> = {
  RATE_LIMIT_EXCEEDED: texts.dailyLimitReached,
  TOO_MANY_ATTEMPTS: texts.tooManyAttempts,
  TIER_REQUIRED: texts.notIncludedInYourPlan,
  IDENTIFY_REGION_UNAVAILABLE: texts.notAvailableInYourRegion,
  NETWORK: UNREACHABLE,
}

const BY_STATUS: Readonly<Record<number, string>> = {
  404: texts.notFound,
  500: texts.serverError,
  503: texts.serverIsBusy,
}
