'use client'
import { ErrorPage } from '@/components/ui/error-page'

/** An error outside the frame, or in the frame itself. */
export default function RootError({ retry }: { retry: () => void }) {
  return (
    <main>
      <ErrorPage retry={retry} />
    </main>
  )
}
