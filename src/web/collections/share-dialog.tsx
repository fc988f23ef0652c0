import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { dateTimeText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'

type ShareDialogProps = { collection: Collection; onClose: () => void }

/** Shows the link of a collection, creates and ends it. */
export function ShareDialog({ collection, onClose }: ShareDialogProps) {
  const path = { id: collection.id }
  const [sharedAt, setSharedAt] = useState(collection.shared_at)
  const stored = useQuery({
    ...apiQuery('/v1/collections/{id}/share', { path }),
    enabled: sharedAt !== null,
    // Another browser may have created a new one.
    gcTime: 0,
  })
  // An older link is never shown in place of the one that is being fetched.
  const url = sharedAt === null || stored.isFetching ? undefined : stored.data?.data.url
  const create = useAction(async () => {
    const { data } = await api.post('/v1/collections/{id}/share', { path })
    setSharedAt(data.shared_at)
    await refetchAfterChange('/v1/collections')
  })
  const end = useAction(async () => {
    await api.delete('/v1/collections/{id}/share', { path })
    // The link that has ended is not fetched again.
    flushSync(() => setSharedAt(null))
    void refetchAfterChange('/v1/collections')
  })
  return (
    <Dialog title={texts.shareCollection(collection.name)} onClose={onClose}>
      <p>{texts.linkExplained}</p>
      {sharedAt !== null && (
        <>
          {stored.isFetching && <Skeleton height="2.5rem" />}
          <QueryError query={stored} />
          {url && <CopyButton noun="link" text={ownAddress(url)} main />}
          {url === null && <p>{texts.linkCannotBeShown}</p>}
          <p className="small soft">{texts.createdOn(dateTimeText(sharedAt))}</p>
        </>
      )}
      <FormError error={create.error ?? end.error} />
      <p className="visually-hidden" role="status">
        {sharedAt === null ? texts.notShared : texts.shared}
      </p>
      <div className="row end">
        <Button onClick={onClose}>{texts.close}</Button>
        {sharedAt !== null && (
          <Button className="danger" action={end}>
            {texts.endLink}
          </Button>
        )}
        <Button className={url ? '' : 'main'} action={create}>
          {sharedAt === null ? texts.createLink : texts.createNewLink}
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns the address of a link on the server as this browser reaches it. */
function ownAddress(url: string): string {
  return new URL(new URL(url).pathname, location.origin).href
}
