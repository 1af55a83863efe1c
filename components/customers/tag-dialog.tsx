'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useMemo, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { SuggestField } from '@/components/ui/suggest-field'
import { useToast } from '@/components/ui/toast'
import type { CustomerFilters } from '@/lib/customers/filters'
import type { TagChanged } from '@/lib/customers/selection'
import { fold } from '@/lib/text/fold'
import { useTags } from './use-look-ups'

const MAX_LENGTH = 60
const MAX_SHOWN = 20

interface TagDialogProps {
  action: 'add' | 'remove'
  /** The number of selected customers. */
  count: number
  customers: { ids: string[] } | { filters: CustomerFilters }
  onDone: () => void
  onClose: () => void
}

/** Asks for a tag to add to, or remove from, the selected customers. It can be undone for ten seconds. */
export default function TagDialog({ action, count, customers, onDone, onClose }: TagDialogProps) {
  const t = useTranslations('client.customers.selection.tag')
  const form = useTranslations('client.form')
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  const known = useTags()
  const [text, setText] = useState('')
  const draft = useDraft('tag:new', { state: text, onState: setText })
  const submission = useSubmit({ fields: ['tag'], texts: { 'tag:required': t('missing') } })
  const options = useMemo(() => {
    const typed = fold(text)
    return known.tags.filter(({ tag }) => fold(tag).includes(typed)).slice(0, MAX_SHOWN)
  }, [known.tags, text])

  async function undo(id: string, tag: string) {
    const answer = await send('DELETE', `/api/customers/tags/${id}`)
    if (!answer.ok) return say({ text: words.ofRefusal(answer), tone: 'problem' })
    say(t('undone', { tag }))
    router.refresh()
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const tag = text.trim()
    if (tag === '') return submission.refuse('tag')
    const sent = await submission.submit<TagChanged>('POST', '/api/customers/tags', {
      action,
      tag,
      ...customers,
    })
    if (!sent.ok) return
    const { id, changed, full } = sent.data
    draft.saved()
    onClose()
    onDone()
    router.refresh()
    const left = full > 0 ? ` ${t('full', { count: full })}` : ''
    if (id === null)
      say({ text: t(action === 'add' ? 'addedNone' : 'removedNone', { tag }) + left, tone: 'info' })
    else
      say({
        text: t(action === 'add' ? 'added' : 'removed', { count: changed, tag }) + left,
        action: { label: t('undo'), run: () => void undo(id, tag) },
      })
  }

  return (
    <Dialog title={t(action)} onClose={onClose}>
      <form ref={submission.form} onSubmit={save} noValidate>
        {draft.node}
        <SuggestField
          data-autofocus
          label={t('label')}
          description={t(`${action}To`, { count })}
          error={submission.errorAt('tag')}
          value={text}
          maxLength={MAX_LENGTH}
          onFocus={known.load}
          onText={setText}
          options={options}
          keyOf={({ tag }) => tag}
          render={({ tag }) => tag}
          onChoose={({ tag }) => setText(tag)}
          listLabel={t('label')}
        />
        <Failure text={submission.failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={submission.busy}>
            {t(action)}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
