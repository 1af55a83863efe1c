import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { es } from '@/lib/i18n/es'

type Feature = keyof typeof es.client

// The texts of the frame and of components/ui, which every page carries.
const EVERYWHERE: Feature[] = ['error', 'errors', 'form', 'frame', 'search']

/** Gives the client components below the texts of these features (`client.<feature>`), in the visitor's language. */
export async function ClientTexts({
  features = [],
  children,
}: {
  features?: Feature[]
  children: ReactNode
}) {
  const { client } = await getMessages()
  const shown = Object.fromEntries([...EVERYWHERE, ...features].map((feature) => [feature, client[feature]]))
  return (
    <NextIntlClientProvider messages={{ client: shown as typeof client }}>{children}</NextIntlClientProvider>
  )
}
