import { Link } from 'wouter'
import type { ApiError } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'

/** Why a photo was not read, whether it cost a scan, and the way on. The photo is still there. */
export function IdentifyError({ error, again }: { error: ApiError; again: () => void }) {
  if (error.code === 'SCAN_BALANCE_EMPTY') {
    return (
      <div className="note wait" role="alert">
        <div>
          <h2>No scans are left</h2>
          <p>A pack of scans never expires. Your photo stays here as long as this page does.</p>
        </div>
        <div className="row">
          <Link className="button main" href="/account/scans">
            See the packs
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
          <h2>The photo was not read</h2>
          <p>{error.message}</p>
          <p>It cost nothing: the scan came back.</p>
        </div>
        <AgainButton again={again} />
      </div>
    )
  }
  if (error.code === 'INVALID_IMAGE') return <PhotoError error={error} />
  // Another try is no other place.
  if (error.code === 'IDENTIFY_REGION_UNAVAILABLE') return <ErrorMessage error={error} />
  return <ErrorMessage error={error} again={again} />
}

/** Another photo is needed, not another try. */
export function PhotoError({ error }: { error: ApiError }) {
  return (
    <div className="note bad" role="alert">
      <div>
        <h2>This photo cannot be read</h2>
        <p>{error.message}</p>
      </div>
    </div>
  )
}

function AgainButton({ again }: { again: () => void }) {
  return (
    <button type="button" className="button" onClick={again}>
      Try again
    </button>
  )
}
