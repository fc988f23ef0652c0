import type { ReactNode } from 'react'
import { Link } from 'wouter'

type TileProps = {
  /** Page of the tile, if it has one. */
  href: string | undefined
  name: string
  art: ReactNode
  /** Controls over the image. */
  over?: ReactNode
  className?: string | undefined
  children?: ReactNode
  fan?: boolean
}

/** Image, if there is one, with text that links to one page. */
export function Tile({ href, name, art, over, className = '', children, fan = false }: TileProps) {
  return (
    <li className={`tile ${className}`}>
      {art !== null && <div className={fan ? 'tile-art fan' : 'tile-art'}>{art}</div>}
      <div className="tile-text">
        {href ? <Link href={href}>{name}</Link> : <strong>{name}</strong>}
        {children}
      </div>
      {over !== undefined && <div className="tile-over">{over}</div>}
    </li>
  )
}
