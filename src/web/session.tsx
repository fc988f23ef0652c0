import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { Me } from '#client/endpoints.ts'
import { ApiError, api } from './api.ts'
import { forgetAnswers } from './ask.ts'

/** Who is logged in: undefined while nobody knows yet, null where nobody is. */
type SessionState = { me: Me | null | undefined; refresh(): Promise<void>; leave(): Promise<void> }

const SessionContext = createContext<SessionState>({
  me: undefined,
  refresh: async () => {},
  leave: async () => {},
})

/** Keeps who is logged in for every view below it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me | null>()
  const refresh = useCallback(async () => {
    forgetAnswers()
    setMe(await whoIsIt())
  }, [])
  const leave = useCallback(async () => {
    await api.post('/v1/auth/logout')
    localStorage.removeItem(ENTERED)
    await refresh()
  }, [refresh])
  useEffect(() => void refresh(), [refresh])
  return <SessionContext value={{ me, refresh, leave }}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}

/**
 * The cookie itself no script can read. That somebody has logged in here is remembered beside it, so
 * that visitors are not asked who they are.
 */
const ENTERED = 'cardstock.entered'

/** To be called before `refresh`, when somebody has just logged in. */
export function rememberEntry(): void {
  localStorage.setItem(ENTERED, 'yes')
}

/** Whoever cannot be asked for is nobody: the pages that are open to all stay usable. */
async function whoIsIt(): Promise<Me | null> {
  if (localStorage.getItem(ENTERED) === null) return null
  try {
    return (await api.get('/v1/auth/me')).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) localStorage.removeItem(ENTERED)
    return null
  }
}
