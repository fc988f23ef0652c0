import { Link } from 'wouter'
import type { ApiError } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'

/** Shows why a photo was not identified and whether it cost a scan. */
export function IdentifyError({ error, again }: { error: ApiError; again: () => void }) {
  if (error.code === 'SCAN_BALANCE_EMPTY') {
    return (
      <div className="note wait" role="alert">
        <div>
          <h2>No scans left</h2>
          <p>Scan packs never expire. Your photo stays here until you close this page.</p>
        </div>
        <div className="row">
          <Link className="button main" href="/account/scans">
            See scan packs
          </Link>
          <AgainButton again={again} />
        </div>
      </div>
    )
  }
  if (error.code === 'IDENTIFY_UNAVAILABLE') {
    return (
      <div className="note wait" role="alert">
        <div>
          <h2>The photo could not be read</h2>
          <p>{error.message}</p>
          <p>Your scan was refunded.</p>
        </div>
        <AgainButton again={again} />
      </div>
    )
  }
  if (error.code === 'INVALID_IMAGE') return <PhotoError error={error} />
  // A retry would come from the same region.
  if (error.code === 'IDENTIFY_REGION_UNAVAILABLE') return <ErrorMessage error={error} />
  return <ErrorMessage error={error} onRetry={again} />
}

/** Asks for another photo: a retry would fail again. */
export function PhotoError({ error }: { error: ApiError }) {
  return (
    <div className="note bad" role="alert">
      <div>
        <h2>Invalid photo</h2>
        <p>{error.message}</p>
      </div>
    </div>
  )
}

function AgainButton({ again }: { again: () => void }) {
  return <Button onClick={again}>Try again</Button>
}
