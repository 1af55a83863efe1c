import { Button } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'

/**
 * The submit button of a form outside the dashboard. Disabled until React handles the form: an earlier submit would load
 * the page again and lose the input.
 */
export function SubmitButton({ busy, children }: { busy: boolean; children: ReactNode }) {
  const ready = useMounted()
  return (
    <Button type="submit" size="md" loading={busy} disabled={!ready} fullWidth>
      {children}
    </Button>
  )
}
