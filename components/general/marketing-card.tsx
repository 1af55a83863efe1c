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

/** Whether running automations and saving loyalty rules is for marketing people; the switch saves at once. */
export function MarketingCard({ limited: stored }: { limited: boolean }) {
  const t = useTranslations('client.general')
  const form = useTranslations('client.form')
  const say = useToast()
  const [limited, setLimited] = useState(stored)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function change(wanted: boolean) {
    setBusy(true)
    setFailure(null)
    const body = { limit_marketing_to_roles: wanted }
    const answer = await send<Organization>('PATCH', '/api/organization', body)
    setBusy(false)
    if (!answer.ok) return setFailure(form(formProblem(answer.status)))
    setLimited(answer.data.limit_marketing_to_roles)
    say(t(answer.data.limit_marketing_to_roles ? 'marketingLimited' : 'marketingOpen'))
  }

  return (
    <Panel title={t('cards.marketing.title')}>
      <p className={classes.text}>{t('cards.marketing.text')}</p>
      <Switch
        label={t('fields.limit_marketing_to_roles')}
        checked={limited}
        disabled={busy}
        error={failure}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
    </Panel>
  )
}
