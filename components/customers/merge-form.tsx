'use client'
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconArrowsJoin } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useDraft } from '@/components/forms/use-draft'
import { FormActions } from '@/components/ui/form-layout'
import { LinkButton } from '@/components/ui/link-button'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import type { Belongings } from '@/lib/customers/read-customer'
import type { MergeRow } from './merge-fields'
import classes from './merge-form.module.css'
import { useUndoMerge } from './undo-merge'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface Side {
  id: string
  name: string
}

interface MergeFormProps {
  kept: Side
  gone: Side
  fields: readonly MergeRow[]
  belongings: Belongings
  /** The address of this page with the two customers swapped. */
  swapHref: string
}

/** Chooses the values that the merged customer keeps, field by field, lists what moves, and merges. */
export function MergeForm({ kept, gone, fields, belongings, swapHref }: MergeFormProps) {
  const t = useTranslations('client.merge')
  const form = useTranslations('client.form')
  const errors = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const undo = useUndoMerge()
  const choices = useRef<HTMLFormElement>(null)
  const [asking, setAsking] = useState(false)
  const draft = useDraft(`merge:${kept.id}:${gone.id}`, { form: choices })

  async function merge(): Promise<string | null> {
    const chosen = new FormData(choices.current ?? undefined)
    const taken = fields.flatMap(({ field }) => (field && chosen.get(field) === 'gone' ? [field] : []))
    const body = { duplicate_id: gone.id, fields: taken }
    const sent = await send<{ merge_id: string }>('POST', `/api/customers/${kept.id}/merge`, body)
    if (!sent.ok) return errors.ofRefusal(sent, { NOT_FOUND: t('gone') })
    const { merge_id } = sent.data
    draft.saved()
    const run = () =>
      void undo(merge_id, gone.name).then((said) =>
        say(typeof said === 'string' ? { text: said, tone: 'problem' } : said),
      )
    say({ text: t('done', { name: kept.name }), action: { label: t('undo.open'), run } })
    router.push('/customers/duplicates')
    return null
  }

  return (
    <>
      <form ref={choices} className={classes.form} onSubmit={(event) => event.preventDefault()}>
        {draft.node}
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
            <LinkButton href={swapHref} replace scroll={false}>
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

/** A field of both customers: two radio buttons where they differ, else both values and what happens to them. */
function MergeRowView({ row }: { row: MergeRow }) {
  const t = useTranslations('client.merge')
  const { key, label, kept, gone, field, result } = row
  if (field)
    return (
      <fieldset className={classes.row} data-choice>
        <legend className={classes.label}>{label}</legend>
        {(['kept', 'gone'] as const).map((side) => (
          <label key={side} className={classes.option}>
            <input type="radio" name={field} value={side} defaultChecked={side === 'kept'} />
            <span>{row[side]}</span>
          </label>
        ))}
        <span className={classes.result}>{t('choose')}</span>
      </fieldset>
    )
  return (
    <div className={classes.row} data-result={result} data-key={key}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value} data-side={t('keeps')}>
        {kept ?? '–'}
      </span>
      <span className={classes.value} data-side={t('goes')}>
        {gone ?? '–'}
      </span>
      <span className={classes.result}>{t(`results.${result}`)}</span>
    </div>
  )
}

const KINDS = ['reservations', 'messages', 'tickets', 'calendar_events'] as const

/** The records that a merge moves, and the days within which it can be undone. */
function MergeSummary({ name, belongings }: { name: string; belongings: Belongings }) {
  const t = useTranslations('client.merge')
  const moved = KINDS.filter((kind) => belongings[kind] > 0)
  return (
    <div className={classes.summary}>
      <h3>{t('moves', { name })}</h3>
      {moved.length > 0 ? (
        <ul>
          {moved.map((kind) => (
            <li key={kind}>{t(`counts.${kind}`, { count: belongings[kind] })}</li>
          ))}
        </ul>
      ) : (
        <p>{t('nothing')}</p>
      )}
      <p>{t('warning')}</p>
    </div>
  )
}
