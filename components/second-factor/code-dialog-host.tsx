'use client'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { onAskForCode } from '@/components/forms/ask-for-code'

const CodeDialog = dynamic(() => import('./code-dialog'), { ssr: false })

/** Shows the dialog for the code of the second factor when a request asks for it. */
export function CodeDialogHost() {
  const [settle, setSettle] = useState<((confirmed: boolean) => void) | null>(null)
  useEffect(
    () =>
      onAskForCode(
        () =>
          new Promise((resolve) => {
            setSettle(() => (confirmed: boolean) => {
              setSettle(null)
              resolve(confirmed)
            })
          }),
      ),
    [],
  )
  return settle ? <CodeDialog onDone={settle} /> : null
}
