import { useRef } from 'react'
import { usePicture } from '../hooks/use-picture.ts'

type CardImageProps = {
  /** Path on this server, such as `/pictures/cards/1`; undefined without an image. */
  src: string | undefined
  /** Shown instead of a missing image. Hidden from screen readers. */
  name: string
  /** `tiny` beside text, `small` in a grid. */
  size?: 'tiny' | 'small' | 'large'
}

/** Shows a card image in a fixed box, or the name until the image has arrived. */
export function CardImage({ src, name, size = 'large' }: CardImageProps) {
  const box = useRef<HTMLSpanElement>(null)
  const isLarge = size === 'large'
  // The small image is too coarse for high-density screens.
  const variant = isLarge || (size === 'small' && devicePixelRatio > 1) ? 'large' : 'small'
  const picture = usePicture(src && `${src}?size=${variant}`, box)
  const isEmpty = picture.state === 'pending' || picture.state === 'missing'
  return (
    <span ref={box} className={isEmpty ? 'art empty' : 'art'} aria-hidden={isEmpty || undefined}>
      {isEmpty && name}
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

/** Returns the image path of a card; undefined if it has none. */
export function cardImageUrl({ id, image_url }: { id: number; image_url: string | null }) {
  return image_url === null ? undefined : `/pictures/cards/${id}`
}
