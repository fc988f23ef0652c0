import { useState } from 'react'

type CardImageProps = {
  /** The address on this server: `/pictures/cards/1`. Undefined where there is none. */
  src: string | undefined
  /** What stands in its place where there is no picture; it is not read out beside the card's name. */
  name: string
  /** `tiny`: beside words. `small`: one of many tiles. */
  size?: 'tiny' | 'small' | 'large'
  /** Pictures that are seen at once are asked for first. */
  eager?: boolean
}

/** A card's picture. It keeps its place while it loads, and has the name on it where it cannot be had. */
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
        // A dense screen gets the large one for a tile, which the small one would be too coarse for.
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

/** Where the picture of a card is, if it has one. */
export function cardImageUrl({ id, image_url }: { id: number; image_url: string | null }) {
  return image_url === null ? undefined : `/pictures/cards/${id}`
}
