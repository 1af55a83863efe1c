'use client'
import { Switch } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { Location } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

type Switched = Pick<Location, 'id' | 'name' | 'count_unmarked_visits'>

/** Whether each location counts confirmed reservations that were never marked; a switch saves at once. */
export function VisitsCard({ locations }: { locations: readonly Switched[] }) {
  const t = useTranslations('client.general')
  return (
    <Panel title={t('cards.visits.title')}>
      <p className={classes.text}>{t('cards.visits.text')}</p>
      <ul className={classes.locations}>
        {locations.map((location) => (
          <li key={location.id}>
            <LocationSwitch location={location} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function LocationSwitch({ location: { id, name, count_unmarked_visits } }: { location: Switched }) {
  const t = useTranslations('client.general')
  const form = useTranslations('client.form')
  const say = useToast()
  const [counts, setCounts] = useState(count_unmarked_visits)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function change(wanted: boolean) {
    setBusy(true)
    setFailure(null)
    const answer = await send<Location>('PATCH', `/api/locations/${id}`, { count_unmarked_visits: wanted })
    setBusy(false)
    if (!answer.ok) return setFailure(form(formProblem(answer.status)))
    const now = answer.data.count_unmarked_visits
    setCounts(now)
    say(t(now ? 'visitsOn' : 'visitsOff', { name }))
  }

  return (
    <Switch
      label={name}
      checked={counts}
      disabled={busy}
      error={failure}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
