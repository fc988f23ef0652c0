import { type ComponentType, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch } from 'wouter'
import { idOf } from './address.ts'
import { Boundary } from './boundary.tsx'
import { late } from './late.ts'
import { LineBones } from './parts/bones.tsx'
import { SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'
import { ToldOnceProvider } from './told-once.tsx'
import { GameView } from './views/game.tsx'
import { GamesView } from './views/games.tsx'
import { NothingView } from './views/nothing.tsx'
import { SetView } from './views/set.tsx'

// What most visits never open is loaded when it is opened.
const CardView = late(async () => (await import('./views/card.tsx')).CardView)
const MoversView = late(async () => (await import('./views/movers.tsx')).MoversView)
const SearchView = late(async () => (await import('./views/search.tsx')).SearchView)
const OperatorView = late(async () => (await import('./views/operator.tsx')).OperatorView)
const StatusView = late(async () => (await import('./views/status.tsx')).StatusView)
const EntryView = late(async () => (await import('./views/entry.tsx')).EntryView)
const AccountView = late(async () => (await import('./views/account.tsx')).AccountView)
const IdentifyView = late(async () => (await import('./views/identify.tsx')).IdentifyView)

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
