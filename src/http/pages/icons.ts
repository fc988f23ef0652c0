import { createStaticFile, type StaticFile } from '../endpoint/static-file.ts'
import appleTouchIcon from './icons/apple-touch-icon.png' with { type: 'file' }
import favicon from './icons/favicon.ico' with { type: 'file' }
import icon192 from './icons/icon-192.png' with { type: 'file' }
import icon512 from './icons/icon-512.png' with { type: 'file' }
import maskable512 from './icons/maskable-512.png' with { type: 'file' }

/** Icons, drawn from `src/web/icon.svg` by `scripts/tools/draw-icons.ts`. */
const ICONS = {
  'favicon.ico': ['image/x-icon', favicon],
  'apple-touch-icon.png': ['image/png', appleTouchIcon],
  'icon-192.png': ['image/png', icon192],
  'icon-512.png': ['image/png', icon512],
  'maskable-512.png': ['image/png', maskable512],
} as const satisfies Record<string, readonly [type: string, path: string]>

export type IconName = keyof typeof ICONS

/** Icons of the manifest. */
export const ICON_NAMES = ['icon-192.png', 'icon-512.png', 'maskable-512.png'] as const

export async function loadIcon(name: IconName): Promise<StaticFile> {
  const [type, path] = ICONS[name]
  return createStaticFile(type, new Uint8Array(await Bun.file(path).arrayBuffer()))
}

/** Lets browsers install the dashboard as an app. */
export const MANIFEST = {
  id: '/',
  name: 'Cardstock',
  short_name: 'Cardstock',
  description: 'Trading card prices and identification by photo.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f7f6f3',
  theme_color: '#f7f6f3',
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Identify a card', url: '/identify' },
    { name: 'Search cards', url: '/search' },
  ],
}
