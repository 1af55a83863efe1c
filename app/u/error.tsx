'use client'
import { ErrorPage } from '@/components/ui/error-page'

/** A guest's page that failed while it was made. */
export default function UnsubscribeError({ retry }: { retry: () => void }) {
  return (
    <main>
      <ErrorPage retry={retry} forGuest />
    </main>
  )
}
