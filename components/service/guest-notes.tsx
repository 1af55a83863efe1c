'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'

const LIMIT = 5000

/** The notes on a guest's card, edited in place. */
export function GuestNotes({ guestId, notes }: { guestId: string; notes: string }) {
  const t = useTranslations('client.service.card')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [value, setValue] = useState(notes)
  const { form: element, busy, submit, errorAt, failure } = useSubmit({ fields: ['notes'] })
  const draft = useDraft(`guest-notes:${guestId}`, { state: value, onState: setValue })

  async function save(event: FormEvent) {
    event.preventDefault()
    const answer = await submit('PATCH', `/api/service/guests/${guestId}`, { notes: value })
    if (!answer.ok) return
    draft.saved()
    say(t('saved'))
    router.refresh()
  }

  return (
    <form ref={element} onSubmit={save} noValidate>
      {draft.node}
      <FormFields>
        <Textarea
          name="notes"
          label={t('notes')}
          description={t('hint')}
          rows={4}
          maxLength={LIMIT}
          value={value}
          error={errorAt('notes')}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </FormFields>
      <Failure text={failure} />
      <FormActions>
        <Button type="submit" loading={busy}>
          {form('save')}
        </Button>
      </FormActions>
    </form>
  )
}
