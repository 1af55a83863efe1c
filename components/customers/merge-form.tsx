'use client'
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconArrowsJoin } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { FormActions } from '@/components/ui/form-layout'
import { LinkButton } from '@/components/ui/link-button'
import { useToast } from '@/components/ui/toast'
import type { Belongings } from '@/lib/customers/belongings'
import { compareHref } from './compare-href'
import type { MergeRow } from './merge-fields'
import classes from './merge-form.module.css'
import { MergeRowView } from './merge-row'
import { MergeSummary } from './merge-summary'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

interface Side {
  id: string
  name: string
}

interface MergeFormProps {
  kept: Side
  gone: Side
  fields: readonly MergeRow[]
  belongings: Belongings
}

/** Chooses field by field what the merged customer keeps, says what moves, and merges. */
export function MergeForm({ kept, gone, fields, belongings }: MergeFormProps) {
  const t = useTranslations('client.merge')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const choices = useRef<HTMLFormElement>(null)
  const [asking, setAsking] = useState(false)

  async function merge(): Promise<string | null> {
    const chosen = new FormData(choices.current ?? undefined)
    const taken = fields.flatMap(({ field }) => (field && chosen.get(field) === 'gone' ? [field] : []))
    const body = { duplicate_id: gone.id, fields: taken }
    const sent = await send('POST', `/api/customers/${kept.id}/merge`, body)
    if (!sent.ok) return sent.status === 404 ? t('gone') : form(formProblem(sent.status))
    say(t('done', { name: kept.name }))
    router.push('/customers/duplicates')
    return null
  }

  return (
    <>
      <form ref={choices} className={classes.form} onSubmit={(event) => event.preventDefault()}>
        <div className={classes.sides}>
          <span />
          <h2 className={classes.side}>
            <small>{t('keeps')}</small>
            {kept.name}
          </h2>
          <h2 className={classes.side}>
            <small>{t('goes')}</small>
            {gone.name}
          </h2>
          <span />
        </div>
        {fields.map((row) => (
          <MergeRowView key={row.key} row={row} />
        ))}
        <MergeSummary name={gone.name} belongings={belongings} />
        <FormActions
          aside={
            <LinkButton href={compareHref(gone.id, kept.id)} replace scroll={false}>
              <IconArrowsExchange size={16} aria-hidden />
              {t('swap')}
            </LinkButton>
          }
        >
          <LinkButton href="/customers/duplicates">{form('cancel')}</LinkButton>
          <Button leftSection={<IconArrowsJoin size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t('merge')}
          </Button>
        </FormActions>
      </form>
      {asking ? (
        <ConfirmDialog
          title={t('ask')}
          text={t('warning')}
          action={t('merge')}
          onConfirm={merge}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
