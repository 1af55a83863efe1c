'use client'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type Messages, useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { CalendarEvent, Repeat } from '@/lib/calendar/schema'
import type { Scope } from '@/lib/calendar/scopes'
import { localTime } from '@/lib/dates'
import { type EventBody, eventBody } from './event-body'
import { type EventChoices, EventFields, type EventState } from './event-fields'
import type { ShownEvent } from './load-events'
import { choiceOf } from './repeat-fields'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})
const ScopeDialog = dynamic(() => import('./scope-dialog').then((m) => m.ScopeDialog), { ssr: false })

const FIELDS = [
  'title',
  'event_datetime',
  'ends_at',
  'starts_on',
  'ends_on',
  'repeat.every',
  'repeat.until',
  'repeat.count',
  'location_id',
  'assignee_id',
  'reminder_minutes',
  'description',
  'customer_id',
]

/** The labels of API fields that have another name in the form. */
const LABELS: Readonly<Record<string, keyof Messages['client']['calendar']['fields']>> = {
  title: 'title',
  event_datetime: 'start',
  ends_at: 'end',
  starts_on: 'firstDay',
  ends_on: 'lastDay',
  repeat: 'repeat',
  location_id: 'location',
  assignee_id: 'assignee',
  reminder_minutes: 'reminder',
  description: 'description',
}

interface EventFormProps {
  /** Absent for a new event. */
  event?: ShownEvent
  /** The date of a new event. */
  date?: string | null
  choices: EventChoices
  onClose: () => void
}

/** A dialog to read, change and delete an event. */
export default function EventForm({ event, date, choices, onClose }: EventFormProps) {
  const t = useTranslations('client.calendar')
  const locale = useLocale()
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [state, setState] = useState<EventState>({
    timezone: event?.timezone ?? choices.timezone,
    customer: event?.customer ?? null,
    allDay: typeof event?.starts_on === 'string',
    repeat: choiceOf(event?.repeat),
  })
  const { timezone, customer } = state
  const [removing, setRemoving] = useState(false)
  /** The change that waits until the person chooses which events of the series it applies to. */
  const [asked, setAsked] = useState<Partial<EventBody> | null>(null)
  const words = useErrorText()
  const submission = useSubmit({
    fields: FIELDS,
    texts: {
      'title:required': t('problems.title'),
      event_datetime: t('problems.event_datetime'),
      assignee_id: t('problems.assignee_id'),
      customer_id: t('problems.customer_id'),
      repeat: t('problems.repeat'),
    },
  })
  const { busy, errorAt } = submission
  const path = event ? `/api/calendar-events/${event.id}` : '/api/calendar-events'
  const picker = useTranslations('client.customerPicker')
  const draft = useDraft(`event:${event?.id ?? 'new'}`, {
    form: submission.form,
    loaded: event,
    state,
    onState: (kept) => setState((before) => ({ ...before, ...kept })),
  })
  const conflicts = useConflicts(draft, {
    label: (name) => (name === 'customer_id' ? picker('label') : t(`fields.${LABELS[name] ?? 'title'}`)),
    show: (name, value) => {
      if (name === 'event_datetime' || name === 'ends_at')
        return localTime(String(value), timezone).replace('T', ' ')
      if (name === 'repeat') return ruleText(value as Repeat)
      const named = { location_id: choices.locations, assignee_id: choices.colleagues }[name]
      if (name === 'customer_id') return value === customer?.id ? customer?.name : undefined
      return named?.find((one) => one.value === value)?.label
    },
  })

  function ruleText({ frequency, every, until, count }: Repeat): string {
    const end = until
      ? `${t('fields.until')}: ${until}`
      : count
        ? `${t('fields.count')}: ${count}`
        : t('ends.never')
    return [t(`repeats.${frequency}`), `${t(`every.${frequency}`)}: ${every}`, end].join(' · ')
  }

  async function save(entry: FormEvent<HTMLFormElement>) {
    entry.preventDefault()
    const entered = eventBody(new FormData(entry.currentTarget), timezone, locale, draft.loaded)
    if ('missing' in entered) return submission.refuse(entered.missing)
    const body = conflicts.body(entered.body)
    const changes = Object.keys(body).length > 1
    if (draft.loaded?.series_id && changes) setAsked(body)
    else await put(body)
  }

  async function put(body: Partial<EventBody>, scope: Scope = 'one') {
    setAsked(null)
    const to = event ? `${path}?scope=${scope}` : path
    const sent = await submission.submit<CalendarEvent>(event ? 'PATCH' : 'POST', to, body)
    if (!sent.ok) return conflicts.take(sent)
    draft.saved()
    say(t(event ? 'saved' : 'created', { title: sent.data.title }))
    router.refresh()
    onClose()
  }

  /** The refusal is shown in the form. */
  const putFor = async (body: Partial<EventBody>, scope: Scope) => {
    await put(body, scope)
    return null
  }

  async function remove(scope: Scope = 'one'): Promise<string | null> {
    const sent = await send('DELETE', `${path}?scope=${scope}`)
    if (!sent.ok) return words.ofRefusal(sent)
    draft.saved()
    say(t('removed', { title: event?.title ?? '' }))
    router.refresh()
    onClose()
    return null
  }

  return (
    <>
      <Dialog title={t(event ? 'edit' : 'new')} onClose={onClose}>
        {draft.node}
        <form ref={submission.form} onSubmit={save} noValidate>
          <EventFields
            {...{ event, date, choices, errorAt, state }}
            onState={(change) => setState((before) => ({ ...before, ...change }))}
          />
          {conflicts.node}
          <Failure text={errorAt('customer_id') ?? submission.failure} />
          <FormActions
            aside={
              event ? (
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => setRemoving(true)}
                >
                  {t('remove')}
                </Button>
              ) : null
            }
          >
            <Button variant="default" onClick={draft.cancel(onClose)}>
              {form('cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {event ? form('save') : t('create')}
            </Button>
          </FormActions>
        </form>
      </Dialog>
      {removing && event?.series_id ? (
        <ScopeDialog
          title={t('removeTitle', { title: event.title })}
          text={t('removeText')}
          action={t('removeAction')}
          danger
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        />
      ) : null}
      {asked && !('repeat' in asked) ? (
        <ScopeDialog
          title={t('scopes.title')}
          text={t('scopes.text')}
          action={form('save')}
          onConfirm={(scope) => putFor(asked, scope)}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked && 'repeat' in asked ? (
        <ConfirmDialog
          title={t('rule.title')}
          text={t(asked.repeat ? 'rule.text' : 'rule.none')}
          action={form('save')}
          danger={false}
          onConfirm={() => putFor(asked, 'following')}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {removing && event && !event.series_id ? (
        <ConfirmDialog
          title={t('removeTitle', { title: event.title })}
          text={t('removeText')}
          action={t('removeAction')}
          onConfirm={() => remove()}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </>
  )
}
