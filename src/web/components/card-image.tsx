import { useState } from 'react'

type CardImageProps = {
  /** Path on this server, such as `/pictures/cards/1`; undefined without an image. */
  src: string | undefined
  /** Shown instead of a missing image. Hidden from screen readers. */
  name: string
  /** `tiny` beside text, `small` in a grid. */
  size?: 'tiny' | 'small' | 'large'
  /** Loads an image above the fold first. */
  eager?: boolean
}

/** Shows a card image in a fixed box, or the name if it cannot be loaded. */
export function CardImage({ src, name, size = 'large', eager = false }: CardImageProps) {
  const [failed, setFailed] = useState<string>()
  if (src === undefined || failed === src) {
    return (
      <span className="art empty" aria-hidden="true">
        {name}
      </span>
    )
  }
  const isLarge = size === 'large'
  return (
    <span className="art">
      <img
        src={`${src}?size=${isLarge ? 'large' : 'small'}`}
        // The small image is too coarse for high-density screens.
        srcSet={size === 'small' ? `${src}?size=small 160w, ${src}?size=large 480w` : undefined}
        sizes={size === 'small' ? '(max-width: 48rem) 42vw, 10rem' : undefined}
        alt=""
        width={isLarge ? 480 : 160}
        height={isLarge ? 670 : 223}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setFailed(src)}
      />
    </span>
  )
}

/** Returns the image path of a card; undefined if it has none. */
export function cardImageUrl({ id, image_url }: { id: number; image_url: string | null }) {
  return image_url === null ? undefined : `/pictures/cards/${id}`
}
