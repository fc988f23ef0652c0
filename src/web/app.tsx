import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch } from 'wouter'
import { GamesView } from './catalog/games.tsx'
import { OverlayProvider } from './components/overlay.tsx'
import { LineSkeleton } from './components/skeleton.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyView } from './lazy-view.ts'
import { NotFoundView } from './not-found.tsx'
import { queryClient } from './query-client.ts'
import { parseId } from './route-params.ts'
import { readServiceState } from './service-state.ts'
import { SetupShell, Shell } from './shell.tsx'

// Views that most visits do not open are loaded on demand.
const GameView = lazyView(async () => (await import('./catalog/game.tsx')).GameView)
const SetView = lazyView(async () => (await import('./catalog/set.tsx')).SetView)
const CardView = lazyView(async () => (await import('./catalog/card.tsx')).CardView)
const MoversView = lazyView(async () => (await import('./pricing/movers.tsx')).MoversView)
const SearchView = lazyView(async () => (await import('./search/search.tsx')).SearchView)
const OperatorView = lazyView(async () => (await import('./operations/operator.tsx')).OperatorView)
const SettingsView = lazyView(async () => (await import('./operations/settings.tsx')).SettingsView)
const SetupView = lazyView(async () => (await import('./operations/setup/setup.tsx')).SetupView)
const StatusView = lazyView(async () => (await import('./operations/status.tsx')).StatusView)
const LoginView = lazyView(async () => (await import('./accounts/login.tsx')).LoginView)
const ResetPasswordView = lazyView(
  async () => (await import('./accounts/reset-password.tsx')).ResetPasswordView,
)
const ConfirmEmailView = lazyView(
  async () => (await import('./accounts/login.tsx')).ConfirmEmailView,
)
const AccountView = lazyView(async () => (await import('./accounts/account.tsx')).AccountView)
const AlertsPage = lazyView(async () => (await import('./alerts/alerts-page.tsx')).AlertsPage)
const CollectionsView = lazyView(
  async () => (await import('./collections/collections.tsx')).CollectionsView,
)
const SharedCollectionView = lazyView(
  async () => (await import('./collections/shared-collection.tsx')).SharedCollectionView,
)
const UnsubscribeView = lazyView(
  async () => (await import('./alerts/channel-link.tsx')).UnsubscribeView,
)
const ConfirmView = lazyView(async () => (await import('./alerts/channel-link.tsx')).ConfirmView)
const IdentifyView = lazyView(async () => (await import('./photos/identify.tsx')).IdentifyView)
const ScanSessionsView = lazyView(
  async () => (await import('./photos/sessions/scan-sessions.tsx')).ScanSessionsView,
)

function App() {
  const isSetUp = readServiceState().setup === 'finished'
  const Frame = isSetUp ? Shell : SetupShell
  return (
    <QueryClientProvider client={queryClient}>
      <OverlayProvider>
        <Frame>
          <Suspense fallback={<LineSkeleton />}>{isSetUp ? <Pages /> : <SetupPages />}</Suspense>
        </Frame>
      </OverlayProvider>
    </QueryClientProvider>
  )
}

/** Pages before the setup is finished. Its end loads the page again. */
function SetupPages() {
  return (
    <Switch>
      <Route path="/login">
        <LoginView mode="login" />
      </Route>
      <Route component={SetupView} />
    </Switch>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={GamesView} />
      <Route path="/games/:slug">{({ slug }) => <GameView key={slug} slug={slug} />}</Route>
      <Route path="/sets/:id">{({ id }) => withId(id, SetView)}</Route>
      <Route path="/cards/:id">{({ id }) => withId(id, CardView)}</Route>
      <Route path="/movers" component={MoversView} />
      <Route path="/search" component={SearchView} />
      <Route path="/operator/settings" component={SettingsView} />
      <Route path="/operator/:part?">{({ part }) => <OperatorView part={part} />}</Route>
      <Route path="/setup" component={SetupView} />
      <Route path="/status" component={StatusView} />
      <Route path={/^\/(?<mode>login|register)$/}>
        {({ mode }) => <LoginView mode={mode === 'register' ? mode : 'login'} />}
      </Route>
      <Route path="/reset-password" component={ResetPasswordView} />
      <Route path="/confirm-email" component={ConfirmEmailView} />
      <Route path="/account/:part?">{({ part }) => <AccountView part={part} />}</Route>
      <Route path="/alerts" component={AlertsPage} />
      <Route path="/unsubscribe/:token">{({ token }) => <UnsubscribeView token={token} />}</Route>
      <Route path="/confirm/:token">{({ token }) => <ConfirmView token={token} />}</Route>
      <Route path="/identify" component={IdentifyView} />
      <Route path="/identify/sessions">
        <ScanSessionsView id={undefined} />
      </Route>
      <Route path="/identify/:id">{({ id }) => <ScanSessionsView id={id} />}</Route>
      <Route path="/collection/:id?">{({ id }) => <CollectionsView id={id} />}</Route>
      <Route path="/import/:id">{({ id }) => <CollectionsView importId={id} />}</Route>
      <Route path="/shared/:token">
        {({ token }) => <SharedCollectionView key={token} token={token} />}
      </Route>
      <Route component={NotFoundView} />
    </Switch>
  )
}

/** Remounts the view for each id, so that a page starts at its top. */
function withId(text: string, View: ComponentType<{ id: number }>) {
  const id = parseId(text)
  return id === undefined ? <NotFoundView /> : <View key={id} id={id} />
}

/** Registers the service worker after the page has loaded. Browsers have none over plain HTTP. */
function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    // Without it, pages only lack the offline page.
    void navigator.serviceWorker.register('/sw.js').catch(() => {})
  })
}

const root = document.getElementById('app')
if (root !== null)
  createRoot(root).render(
    <ErrorBoundary>
      <App />
    </ErrorBoundary>,
  )

registerServiceWorker()
