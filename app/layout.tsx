import '@/components/ui/mantine-styles'
import './globals.css'
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core'
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { headers } from 'next/headers'
import { getLocale, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { ServiceWorker } from '@/components/shell/service-worker'
import { ClientTexts } from '@/components/ui/client-texts'
import { StyledTree } from '@/components/ui/styled-tree'
import { theme } from '@/components/ui/theme'
import { NONCE_HEADER } from '@/lib/http/page-policy'

/** The product's name in every title. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('app')
  return {
    title: { default: t('name'), template: `%s · ${t('name')}` },
    description: t('description'),
  }
}

// The characters of Spanish and English; other scripts fall back to the system's font.
const geist = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-sans',
})

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#1f1c1b' },
  ],
}

/** The document: language, colour scheme before the first paint, and the texts that every page uses. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined
  return (
    <html lang={await getLocale()} className={geist.variable} {...mantineHtmlProps}>
      <head>
        {/* Browsers hide the nonce from scripts, so React finds none where the server wrote one. */}
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <StyledTree nonce={nonce} theme={theme} withCssVariables={false} defaultColorScheme="auto">
          <ClientTexts>{children}</ClientTexts>
          <ServiceWorker />
        </StyledTree>
      </body>
    </html>
  )
}
