import '@mantine/core/styles.layer.css'
import './globals.css'
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'
import { theme } from '@/components/ui/theme'

/** The product's name in every title. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('app')
  return {
    title: { default: t('name'), template: `%s · ${t('name')}` },
    description: t('description'),
    robots: { index: false },
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#1f1c1b' },
  ],
}

/** The document: language, colour scheme before the first paint, and the texts of what is on every page. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={await getLocale()} className={GeistSans.variable} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" />
      </head>
      <body>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <ClientTexts>{children}</ClientTexts>
        </MantineProvider>
      </body>
    </html>
  )
}
