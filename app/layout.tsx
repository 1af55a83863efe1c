import '@/components/ui/mantine-styles'
import './globals.css'
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core'
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
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

// What Spanish and English need; the rest of the alphabets falls back to the system's.
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

/** The document: language, colour scheme before the first paint, and the texts of what is on every page. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={await getLocale()} className={geist.variable} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" />
      </head>
      <body>
        <MantineProvider theme={theme} withCssVariables={false} defaultColorScheme="auto">
          <ClientTexts>{children}</ClientTexts>
        </MantineProvider>
      </body>
    </html>
  )
}
