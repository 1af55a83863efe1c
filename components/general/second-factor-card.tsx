'use client'
import { Switch } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Organization } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

interface SecondFactorCardProps {
  required: boolean
  /** Whether the person's role may change it. */
  editable: boolean
}

/** Whether a super_admin or admin must have a second factor; the switch saves at once. */
export function SecondFactorCard({ required: stored, editable }: SecondFactorCardProps) {
  const t = useTranslations('client.general')
  const form = useTranslations('client.form')
  const say = useToast()
  const [required, setRequired] = useState(stored)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function change(wanted: boolean) {
    setBusy(true)
    setFailure(null)
    const body = { require_second_factor: wanted }
    const answer = await send<Organization>('PATCH', '/api/organization', body)
    setBusy(false)
    if (!answer.ok)
      return setFailure(answer.status === 409 ? t('ownFirst') : form(formProblem(answer.status)))
    setRequired(answer.data.require_second_factor)
    say(t(answer.data.require_second_factor ? 'secondFactorOn' : 'secondFactorOff'))
  }

  return (
    <Panel title={t('cards.secondFactor.title')}>
      <p className={classes.text}>{t('cards.secondFactor.text')}</p>
      <Switch
        label={t('fields.require_second_factor')}
        checked={required}
        disabled={busy || !editable}
        error={failure}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
    </Panel>
  )
}
