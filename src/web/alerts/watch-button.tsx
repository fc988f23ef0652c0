import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { Card } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/watch-price.ts'
import { Button } from '../components/button.tsx'
import { loginUrl } from '../components/error-message.tsx'
import { BellIcon } from '../components/icons.tsx'
import { lazyView } from '../lazy-view.ts'
import { useSession } from '../session.ts'

const WatchPrice = lazyView(async () => (await import('./watch-price.tsx')).WatchPrice)

const NAMED = { 'aria-label': texts.watchThisPrice, title: texts.watchThisPrice }

type WatchButtonProps = {
  card: Card | undefined
  /** Initial printing; undefined for the most expensive one. */
  printing: string | undefined
}

/** Button that creates a price alert for a card; visitors log in first. */
export function WatchButton({ card, printing }: WatchButtonProps) {
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (me === null) {
    return (
      <Link className="button icon-button" href={loginUrl()} {...NAMED}>
        <BellIcon />
      </Link>
    )
  }
  return (
    <>
      <Button
        className="icon-button"
        isBusy={card === undefined}
        onClick={() => setOpen(true)}
        {...NAMED}
      >
        <BellIcon />
      </Button>
      {isOpen && card !== undefined && (
        <Suspense>
          <WatchPrice card={card} printing={printing} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
