'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'

/** Chooses the hour at which the morning report is mailed. Off by default. */
export function MorningMail({ hour, hours }: { hour: number | null; hours: readonly number[] }) {
  const t = useTranslations('client.account.morning')
  const change = useChange()
  const [chosen, setChosen] = useState(hour)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function choose(value: string) {
    const next = value === '' ? null : Number(value)
    setBusy(true)
    setChosen(next)
    const problem = await change({
      method: 'PUT',
      path: '/api/account/morning-mail',
      body: { hour: next },
      done: next === null ? t('off') : t('on', { hour: next }),
    })
    setBusy(false)
    setFailure(problem)
    if (problem) setChosen(chosen)
  }

  return (
    <>
      <NativeSelect
        label={t('hour')}
        value={chosen === null ? '' : String(chosen)}
        disabled={busy}
        onChange={(event) => void choose(event.currentTarget.value)}
        data={[
          { value: '', label: t('never') },
          ...hours.map((each) => ({ value: String(each), label: t('at', { hour: each }) })),
        ]}
      />
      <Failure text={failure} />
    </>
  )
}
