import { type ComponentType, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch } from 'wouter'
import { GameView } from './catalog/game.tsx'
import { GamesView } from './catalog/games.tsx'
import { SetView } from './catalog/set.tsx'
import { ToldOnceProvider } from './components/secret-dialog.tsx'
import { LineBones } from './components/skeleton.tsx'
import { Boundary } from './error-boundary.tsx'
import { late } from './lazy-view.ts'
import { NothingView } from './not-found.tsx'
import { idOf } from './route-params.ts'
import { SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'

// What most visits never open is loaded when it is opened.
const CardView = late(async () => (await import('./catalog/card.tsx')).CardView)
const MoversView = late(async () => (await import('./pricing/movers.tsx')).MoversView)
const SearchView = late(async () => (await import('./search/search.tsx')).SearchView)
const OperatorView = late(async () => (await import('./operations/operator.tsx')).OperatorView)
const StatusView = late(async () => (await import('./operations/status.tsx')).StatusView)
const EntryView = late(async () => (await import('./accounts/login.tsx')).EntryView)
const AccountView = late(async () => (await import('./accounts/account.tsx')).AccountView)
const IdentifyView = late(async () => (await import('./photos/identify.tsx')).IdentifyView)

function App() {
  return (
    <SessionProvider>
      <ToldOnceProvider>
        <Shell>
          <Suspense fallback={<LineBones />}>
            <Switch>
              <Route path="/" component={GamesView} />
              <Route path="/games/:slug">{({ slug }) => <GameView key={slug} slug={slug} />}</Route>
              <Route path="/sets/:id">{({ id }) => withId(id, SetView)}</Route>
              <Route path="/cards/:id">{({ id }) => withId(id, CardView)}</Route>
              <Route path="/movers" component={MoversView} />
              <Route path="/search" component={SearchView} />
              <Route path="/operator" component={OperatorView} />
              <Route path="/status" component={StatusView} />
              <Route path={/^\/(?<way>login|register)$/}>
                {({ way }) => <EntryView way={way === 'register' ? way : 'login'} />}
              </Route>
              <Route path="/account/:part?">{({ part }) => <AccountView part={part} />}</Route>
              <Route path="/identify" component={IdentifyView} />
              <Route component={NothingView} />
            </Switch>
          </Suspense>
        </Shell>
      </ToldOnceProvider>
    </SessionProvider>
  )
}

/** Another id is another page, which begins at its top. */
function withId(text: string, View: ComponentType<{ id: number }>) {
  const id = idOf(text)
  return id === undefined ? <NothingView /> : <View key={id} id={id} />
}

const root = document.getElementById('app')
if (root !== null)
  createRoot(root).render(
    <Boundary>
      <App />
    </Boundary>,
  )
