import { useState } from 'react'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { dateTimeText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { refetchAfterChange } from '../query-client.ts'

type ShareDialogProps = { collection: Collection; onClose: () => void }

/** Creates the link of a collection, shows it once, and ends it. */
export function ShareDialog({ collection, onClose }: ShareDialogProps) {
  const path = { id: collection.id }
  const [link, setLink] = useState<string>()
  const [sharedAt, setSharedAt] = useState(collection.shared_at)
  const create = useAction(async () => {
    const { data } = await api.post('/v1/collections/{id}/share', { path })
    setLink(new URL(`/shared/${data.token}`, location.origin).href)
    setSharedAt(data.shared_at)
    refetchAfterChange('/v1/collections')
  })
  const end = useAction(async () => {
    await api.delete('/v1/collections/{id}/share', { path })
    setLink(undefined)
    setSharedAt(null)
    refetchAfterChange('/v1/collections')
  })
  return (
    <Dialog title={`Share “${collection.name}”`} onClose={onClose}>
      <p>
        Everybody who has the link sees the cards and their values. Prices paid, targets, dates,
        notes and places stay hidden.
      </p>
      {link !== undefined && (
        <>
          <CopyButton noun="link" text={link} main />
          <p className="small soft">Copy it now: it is not stored, and cannot be shown again.</p>
        </>
      )}
      {link === undefined && sharedAt !== null && (
        <p>
          There is a link, created on {dateTimeText(sharedAt)}. It is not stored: create a new one
          if you have lost it. The old one ends then.
        </p>
      )}
      <FormError error={create.error ?? end.error} />
      <p className="visually-hidden" role="status">
        {sharedAt === null ? 'Not shared' : 'Shared'}
      </p>
      <div className="row end">
        <Button onClick={onClose}>Close</Button>
        {sharedAt !== null && (
          <Button className="danger" action={end}>
            End link
          </Button>
        )}
        {link === undefined && (
          <Button className="main" action={create}>
            {sharedAt === null ? 'Create link' : 'Create new link'}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
