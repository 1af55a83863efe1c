import { TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { shownName } from '@/lib/customers/person-name'
import type { WaitingParty } from '@/lib/waitlist/schema'
import type { BoardService } from './board-model'
import { suggestedWait } from './table-model'

interface JoinWaitlistProps {
  draftName: string
  service: BoardService
  clock: string
  onJoined: (text: string) => void
  onClose: () => void
}

/**
 * A dialog that adds a party to the waitlist: name, size, telephone and expected wait. The minutes are suggested from
 * the tables and the waiting parties, until the host types others.
 */
export function JoinWaitlist({ draftName, service, clock, onJoined, onClose }: JoinWaitlistProps) {
  const t = useTranslations('client.service.wait')
  const [values, setValues] = useState({
    party_size: '2',
    name: '',
    phone: '',
    quoted_minutes: null as string | null,
    notes: '',
  })
  const draft = useDraft(draftName, { state: values, onState: setValues })
  const size = Number(values.party_size)
  const suggested = size >= 1 && size <= MOST ? suggestedWait(service, clock, size) : null
  const quoted = values.quoted_minutes ?? (suggested === null ? '' : String(Math.min(suggested, LONGEST)))
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['party_size', 'name', 'phone', 'quoted_minutes', 'notes'],
    texts: {
      party_size: t('problems.size'),
      name: t('problems.name'),
      phone: t('problems.phone'),
      quoted_minutes: t('problems.quoted'),
    },
  })
  const field = (name: keyof typeof values) => ({
    name,
    label: t(`fields.${name}`),
    value: name === 'quoted_minutes' ? quoted : (values[name] ?? ''),
    error: errorAt(name),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setValues((before) => ({ ...before, [name]: currentTarget.value })),
  })

  async function join(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { party_size, quoted_minutes: _, ...texts } = values
    const answer = await submit<WaitingParty>('POST', '/api/waitlist', {
      location_id: service.location.id,
      ...texts,
      party_size: numberIn(party_size),
      quoted_minutes: quoted.trim() === '' ? null : numberIn(quoted),
    })
    if (!answer.ok) return
    draft.saved()
    onJoined(t('joined', { name: shownName(answer.data.name) }))
  }

  return (
    <Dialog title={t('join')} onClose={onClose}>
      <form ref={form} onSubmit={join} noValidate>
        {draft.node}
        <FormFields>
          <FormRow>
            <TextInput {...field('party_size')} inputMode="numeric" maxLength={3} data-autofocus />
            <TextInput
              {...field('quoted_minutes')}
              inputMode="numeric"
              maxLength={3}
              description={suggested === null || values.quoted_minutes !== null ? undefined : t('quotedHint')}
            />
          </FormRow>
          <TextInput {...field('name')} maxLength={200} />
          <TextInput {...field('phone')} type="tel" maxLength={40} description={t('phoneHint')} />
          <TextInput {...field('notes')} maxLength={500} />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
      </form>
    </Dialog>
  )
}

/** The API's bounds: the most guests, and the longest wait in minutes. */
const MOST = 100
const LONGEST = 600

/** Text that is not a number is sent as typed, so that the API reports it. */
const numberIn = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text)
