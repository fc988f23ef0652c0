import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { CardImage } from '../components/card-image.tsx'
import { CameraIcon } from '../components/icons.tsx'
import { isHandheld } from './photo-pick.tsx'

/** Shows how to add a photo. The whole page accepts dropped files. */
export function PhotoDropZone({ isOver, pick }: { isOver: boolean; pick: ReactNode }) {
  return (
    <div className={isOver ? 'drop-zone over' : 'drop-zone'}>
      <span className="drop-zone-card" aria-hidden="true">
        <CameraIcon />
      </span>
      <div className="stack tight">
        <h2>{isOver ? texts.dropThePhotoToIdentifyIt : texts.addAPhoto}</h2>
        <p className="soft">
          {isHandheld() ? texts.takeAPhotoOfOneCard : texts.dropOrPasteAPhotoAnywhere}
        </p>
        {pick}
        <p className="small soft">{texts.jpegPngOrWebPPhotos}</p>
      </div>
    </div>
  )
}

export function PhotoTips() {
  return (
    <section className="panel tips" aria-labelledby="tips">
      <h2 id="tips">{texts.tipsForAGoodPhoto}</h2>
      <ul className="stack tight soft">
        <li>
          {texts.oneWholeCardShowAllFour((text) => (
            <strong>{text}</strong>
          ))}
        </li>
        <li>
          {texts.evenLightAvoidReflections((text) => (
            <strong>{text}</strong>
          ))}
        </li>
        <li>
          {texts.sharpPrintTheCollector((text) => (
            <strong>{text}</strong>
          ))}
        </li>
      </ul>
    </section>
  )
}

/** Explains identification to visitors. */
export function SignedOutIntro({ games }: { games: readonly Game[] }) {
  return (
    <div className="signed-out-intro panel">
      <div className="signed-out-art" aria-hidden="true">
        {games.slice(0, 3).map(({ slug, name, image_url }) => (
          <CardImage
            key={slug}
            src={image_url === null ? undefined : `/pictures/games/${slug}`}
            face={{ name, game_slug: slug }}
          />
        ))}
      </div>
      <div className="stack">
        <ol className="signed-out-steps">
          <li>
            {texts.addAPhotoDropOrPaste((text) => (
              <strong>{text}</strong>
            ))}
          </li>
          <li>
            {texts.findTheCardItsText((text) => (
              <strong>{text}</strong>
            ))}
          </li>
          <li>
            {texts.knowItsValueSeeTodaysPrice((text) => (
              <strong>{text}</strong>
            ))}
          </li>
        </ol>
        <div className="row">
          <Link className="button main" href="/login?to=%2Fidentify">
            {texts.logInOrCreateAccount}
          </Link>
          <p className="soft">{texts.freeAccountWith25Scans}</p>
        </div>
      </div>
    </div>
  )
}
