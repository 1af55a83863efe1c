import 'server-only'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ownAddress } from '@/lib/http/origin'

const PICTURE = { url: '/social.png', width: 1200, height: 630 }

/**
 * What a chat shows of a link to a page for visitors: the product and a picture of the demo. No page with a person's or a
 * guest's data has one. Without a public address the picture would have none either.
 */
export async function socialPreview(): Promise<Metadata> {
  const t = await getTranslations('app')
  const address = ownAddress()
  return {
    ...(address ? { metadataBase: new URL(address) } : {}),
    openGraph: {
      type: 'website',
      siteName: t('name'),
      title: t('social.title'),
      description: t('social.text'),
      images: address ? [{ ...PICTURE, alt: t('social.picture') }] : [],
    },
    twitter: { card: 'summary_large_image' },
  }
}
