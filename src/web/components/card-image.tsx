import { useRef } from 'react'
import { usePicture } from '../hooks/use-picture.ts'
import { type Face, initialsOf, tintOf } from './face.ts'

type CardImageProps = {
  /** Path on this server, such as `/pictures/cards/1`; undefined without an image. */
  src: string | undefined
  /** Drawn instead of a missing image. Hidden from screen readers. */
  face: Face
  /** `tiny` beside text, `small` in a grid. */
  size?: 'tiny' | 'small' | 'large'
}

/** Shows a card image in a fixed box, or a drawn face until it has arrived. */
export function CardImage({ src, face, size = 'large' }: CardImageProps) {
  const box = useRef<HTMLSpanElement>(null)
  const isLarge = size === 'large'
  // The small image is too coarse for high-density screens.
  const variant = isLarge || (size === 'small' && devicePixelRatio > 1) ? 'large' : 'small'
  const picture = usePicture(src && `${src}?size=${variant}`, box)
  const isEmpty = picture.state === 'pending' || picture.state === 'missing'
  return (
    <span
      ref={box}
      className={isEmpty ? 'art empty' : 'art'}
      style={tintOf(face)}
      aria-hidden={isEmpty || undefined}
    >
      {isEmpty && <DrawnFace face={face} isTiny={size === 'tiny'} />}
      {picture.state === 'ready' && (
        <img
          src={picture.url}
          alt=""
          width={isLarge ? 480 : 160}
          height={isLarge ? 670 : 223}
          decoding="async"
        />
      )}
    </span>
  )
}

type DrawnFaceProps = { face: Face; isTiny: boolean }

/** Name, initials, set and number, laid out like a card. A tiny one has the initials alone. */
function DrawnFace({ face: { name, set_name, number, rarity }, isTiny }: DrawnFaceProps) {
  return (
    <span className="face">
      {!isTiny && <span className="face-name">{name}</span>}
      <span className="face-initials">{initialsOf(name)}</span>
      {!isTiny && (
        <span className="face-foot">
          <span>{set_name}</span>
          <span>{number}</span>
          <span>{rarity}</span>
        </span>
      )}
    </span>
  )
}

/** Returns the image path of a card; undefined if it has none. */
export function cardImageUrl({ id, image_url }: { id: number; image_url: string | null }) {
  return image_url === null ? undefined : `/pictures/cards/${id}`
}
