import { TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { numberOrText, readNumber } from '@/components/forms/numbers'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { shownName } from '@/lib/customers/person-name'
import { newId } from '@/lib/uuid'
import type { WaitingParty } from '@/lib/waitlist/schema'
import type { BoardService } from './board-model'
import { suggestedWait } from './suggested-wait'
import { isUnreachable, type NewWaitingTap, PATIENCE_MS } from './use-service'

interface JoinWaitlistProps {
  draftName: string
  service: BoardService
  clock: string
  offline: boolean
  /** Keeps what is said of a party of that name until there is a connection, under its key. */
  onTap: (tap: NewWaitingTap, name: string, key: string) => void
  onJoined: (text: string) => void
  onClose: () => void
}

/**
 * A dialog that adds a party to the waitlist: name, size, telephone and expected wait. The minutes are suggested from
 * the tables and the waiting parties, until the host types others.
 */
export function JoinWaitlist(props: JoinWaitlistProps) {
  const { draftName, service, clock, offline, onTap, onJoined, onClose } = props
  const t = useTranslations('client.service.wait')
  const locale = useLocale()
  const [values, setValues] = useState(() => ({
    // The same for each attempt, also after a reload, and for the tap: an answer may be lost.
    key: newId(),
    party_size: '2',
    name: '',
    phone: '',
    quoted_minutes: null as string | null,
    notes: '',
  }))
  const draft = useDraft(draftName, {
    state: values,
    onState: ({ key = newId(), ...typed }) => setValues({ ...typed, key }),
  })
  const size = readNumber(values.party_size, locale)
  const suggested = size !== null && size >= 1 && size <= MOST ? suggestedWait(service, clock, size) : null
  const quoted = values.quoted_minutes ?? (suggested === null ? '' : String(Math.min(suggested, LONGEST)))
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['party_size', 'name', 'phone', 'quoted_minutes', 'notes'],
    texts: {
      party_size: t('problems.size'),
      name: t('problems.name'),
      phone: t('problems.phone'),
      quoted_minutes: t('problems.quoted'),
    },
  })
  const type = (name: keyof typeof values, text: string) =>
    setValues((before) => ({
      ...before,
      [name]: text,
      // Another party: the former one may have been saved under the key.
      ...(name === 'name' || name === 'party_size' ? { key: newId() } : {}),
    }))
  const field = (name: Exclude<keyof typeof values, 'key'>) => ({
    name,
    label: t(`fields.${name}`),
    value: name === 'quoted_minutes' ? quoted : (values[name] ?? ''),
    error: errorAt(name),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => type(name, currentTarget.value),
  })
  const number = (name: 'party_size' | 'quoted_minutes') => ({
    ...field(name),
    onChange: (text: string) => type(name, text),
  })

  async function join(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { party_size, quoted_minutes: _, ...texts } = values
    const entry = {
      ...texts,
      party_size: numberOrText(party_size, locale),
      quoted_minutes: quoted.trim() === '' ? null : numberOrText(quoted, locale),
    }
    const body = { location_id: service.location.id, ...entry }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = offline ? null : await submit<WaitingParty>('POST', '/api/waitlist', body, signal)
    if (answer?.ok) {
      draft.saved()
      onJoined(t('joined', { name: shownName(answer.data.name) }))
    } else if (!answer || isUnreachable(answer)) keep(entry)
  }

  /** Queues the party without a connection; the server checks it later, so its rules are asked here. */
  function keep(entry: { party_size: number | string; quoted_minutes: number | string | null }) {
    const { party_size, quoted_minutes } = entry
    const name = values.name.trim()
    const wrong = [
      isIn(party_size, 1, MOST) ? [] : 'party_size',
      name ? [] : 'name',
      values.phone.trim() === '' || /(\d\D*){6}/.test(values.phone) ? [] : 'phone',
      quoted_minutes === null || isIn(quoted_minutes, 0, LONGEST) ? [] : 'quoted_minutes',
    ].flat()
    if (wrong.length > 0) return refuse(...wrong)
    draft.saved()
    const typed = { name, phone: values.phone.trim() || null, notes: values.notes.trim() || null }
    onTap({ action: 'wait_join', ...typed, ...(entry as Numbers) }, shownName(name), values.key)
    onJoined(t('joined', { name: shownName(name) }))
  }

  return (
    <Dialog title={t('join')} onClose={onClose}>
      <form ref={form} onSubmit={join} noValidate>
        {draft.node}
        <FormFields>
          <FormRow>
            <NumberField {...number('party_size')} data-autofocus />
            <NumberField
              {...number('quoted_minutes')}
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

interface Numbers {
  party_size: number
  quoted_minutes: number | null
}

const isIn = (value: number | string, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most
