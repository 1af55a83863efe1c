import type { MetadataRoute } from 'next'
import { getTranslations } from 'next-intl/server'
import { visitorLocale } from '@/lib/i18n/visitor-locale'

/** What a phone needs to install the app. Browsers ask for it without cookies, so it goes by their language. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const locale = await visitorLocale()
  const [t, nav] = await Promise.all([
    getTranslations({ locale, namespace: 'app' }),
    getTranslations({ locale, namespace: 'nav' }),
  ])
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${name}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const shortcut = (name: string, url: string) => ({ name, url, icons: [icon('icon', 192, 'any')] })
  return {
    id: '/',
    name: t('name'),
    short_name: t('name'),
    description: t('description'),
    lang: locale,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#ffffff',
    background_color: '#f7f5f2',
    categories: ['business', 'productivity'],
    icons: [
      icon('icon', 192, 'any'),
      icon('icon', 512, 'any'),
      icon('maskable', 192, 'maskable'),
      icon('maskable', 512, 'maskable'),
    ],
    shortcuts: [
      shortcut(nav('service'), '/service'),
      shortcut(nav('reservations'), '/reservations'),
      shortcut(nav('customers'), '/customers'),
    ],
  }
}
