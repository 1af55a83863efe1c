'use client'
import { Button } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import type { Limit, ShownPending } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

/** Limits of approval that wait to be raised: others approve or refuse them, who asked can withdraw them. */
export function PendingLimits({ pending }: { pending: ShownPending }) {
  return Object.entries(pending).map(([limit, asked]) => (
    <PendingLimit key={`${limit} ${asked.at}`} limit={limit as Limit} asked={asked} />
  ))
}

type Asked = NonNullable<ShownPending[Limit]>

function PendingLimit({ limit, asked }: { limit: Limit; asked: Asked }) {
  const t = useTranslations('client.general')
  const format = useFormatter()
  const change = useChange()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { value, by, at, due_at, mine, can_approve } = asked
  const path = `/api/organization/pending/${limit}`
  const when = (instant: string) => format.dateTime(new Date(instant), 'instant')

  async function decide(method: 'POST' | 'DELETE', to: string, done: string) {
    setBusy(true)
    setFailure(await change({ method, path: to, done }))
    setBusy(false)
  }

  return (
    <div className={classes.pending}>
      <p className={classes.text}>
        {t('pending.asked', { by, when: when(at), field: t(`fields.${limit}`) })}{' '}
        {value === null ? t('pending.off') : t('pending.value', { value })}{' '}
        {due_at ? t('pending.due', { when: when(due_at) }) : t(mine ? 'pending.mine' : 'pending.waits')}
      </p>
      <Failure text={failure} />
      <FormActions>
        <Button
          variant="default"
          loading={busy}
          onClick={() => decide('DELETE', path, t(mine ? 'pending.withdrawn' : 'pending.refused'))}
        >
          {t(mine ? 'pending.withdraw' : 'pending.refuse')}
        </Button>
        {can_approve ? (
          <Button
            loading={busy}
            onClick={() =>
              decide('POST', `${path}/approve?at=${encodeURIComponent(at)}`, t('pending.approved'))
            }
          >
            {t('pending.approve')}
          </Button>
        ) : null}
      </FormActions>
    </div>
  )
}
