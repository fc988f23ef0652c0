import { useState } from 'react'
import * as texts from '#texts/photos/review.ts'
import type { ApiError } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { useGames } from '../../catalog/queries.ts'
import { FormError } from '../../components/form-error.tsx'
import { GameSelect } from '../../components/select.tsx'
import { listText } from '../../texts/list-text.ts'
import { PhotoPick } from '../photo-pick.tsx'
import { usePhotoSources } from '../photo-sources.ts'
import { ScanCamera } from './scan-camera.tsx'
import type { ScanQueue } from './scan-queue.ts'
import type { OpenedQueue } from './use-scan-queue.ts'

type AddPhotosProps = Pick<OpenedQueue, 'state' | 'answered'> & { queue: ScanQueue }

/** Adds photos to a scan session: dropped, pasted and chosen ones, and the camera's. */
export function AddPhotos({ queue, state, answered }: AddPhotosProps) {
  const games = useGames()
  const [game, setGame] = useState('')
  const [isPage, setPage] = useState(false)
  const [isCamera, setCamera] = useState(false)
  const [others, setOthers] = useState<readonly string[]>([])
  const [error, setError] = useState<ApiError>()
  // Files may be dropped while earlier ones are stored.
  const add = (files: readonly File[], shows: { isPage: boolean }) =>
    queue.add(files, { game: game || undefined, ...shows }).then(
      (names) => {
        setError(undefined)
        setOthers(names)
      },
      (cause) => setError(toApiError(cause)),
    )
  const isOver = usePhotoSources((files) => void add(files, { isPage }))
  return (
    <section className={isOver ? 'drop-zone slim over' : 'drop-zone slim'} aria-labelledby="add">
      <div className="stack tight">
        <h2 id="add">{isOver ? texts.dropThePhotosToAddThem : texts.addPhotos}</h2>
        <p className="soft">{texts.dropAnyNumberOfPhotosHere}</p>
        <PhotoPick
          isMany
          onPick={(files) => void add(files, { isPage })}
          onCamera={() => setCamera(true)}
        />
        <div className="row">
          <GameSelect
            label={texts.searchIn}
            all={texts.anyGame}
            games={games.data?.data ?? []}
            value={game}
            onChange={setGame}
          />
          <label className="check">
            <input
              type="checkbox"
              checked={isPage}
              onChange={({ target }) => setPage(target.checked)}
            />
            {texts.severalCardsInOnePhoto}
          </label>
        </div>
        <FormError error={error} />
        {others.length > 0 && (
          <p className="field-error" role="alert">
            {texts.filesLeftOut({ number: others.length, names: listText(others) })}
          </p>
        )}
        <p className="small soft">{texts.jpegPngOrWebPPhotosStay}</p>
      </div>
      {isCamera && (
        <ScanCamera
          onPhoto={(photo) => void add([photo], { isPage: false })}
          error={error}
          answered={answered}
          waiting={state.photos.filter(({ problem }) => problem === undefined).length}
          onClose={() => setCamera(false)}
        />
      )}
    </section>
  )
}
