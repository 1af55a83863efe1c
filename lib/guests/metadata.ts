import type { Metadata } from 'next'

/** The head of a guest's page. Guests know their restaurant, not this program, and have nothing to install. */
export const guestMetadata = (title: string): Metadata => ({
  title: { absolute: title },
  description: null,
  manifest: null,
})
