'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import type { OptionalStep } from '@/lib/setup/schema'

interface SkipStepProps {
  step: OptionalStep
  /** The step's title: a screen reader hears the button by itself. */
  title: string
  skipped: boolean
}

/** Puts an optional step off for the whole group, or opens it again. */
export function SkipStep({ step, title, skipped }: SkipStepProps) {
  const t = useTranslations('client.setupSteps')
  const change = useChange()
  const [failure, setFailure] = useState<string | null>(null)
  const word = t(skipped ? 'unskip' : 'skip')
  const toggle = async () =>
    setFailure(await change({ method: 'PUT', path: `/api/setup/steps/${step}`, body: { skipped: !skipped } }))
  return (
    <>
      <Failure text={failure} />
      <Button variant="subtle" onClick={toggle} aria-label={`${word}: ${title}`}>
        {word}
      </Button>
    </>
  )
}
