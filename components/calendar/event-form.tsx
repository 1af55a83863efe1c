'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type Messages, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CustomerPicker, type PickedCustomer } from '@/components/customers/customer-picker'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { instantAt, localTime } from '@/lib/dates'
import type { ShownEvent } from './load-events'

/** The options of the fields of an event. */
export interface EventChoices {
  locations: { value: string; label: string; timezone: string }[]
  colleagues: { value: string; label: string }[]
  /** Whether the person may search for customers. */
  mayPickCustomer: boolean
  /** The time zone of events without a location. */
  timezone: string
}

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

const FIELDS = [
  'title',
  'event_datetime',
  'ends_at',
  'location_id',
  'assignee_id',
  'reminder_minutes',
  'description',
  'customer_id',
]

/** The labels of the API's fields that the form calls otherwise. */
const LABELS: Readonly<Record<string, keyof Messages['client']['calendar']['fields']>> = {
  title: 'title',
  event_datetime: 'start',
  ends_at: 'end',
  location_id: 'location',
  assignee_id: 'assignee',
  reminder_minutes: 'reminder',
  description: 'description',
}

interface EventFormProps {
  /** Absent: a new event. */
  event?: ShownEvent
  /** The date of a new event. */
  date?: string | null
  choices: EventChoices
  onClose: () => void
}

/** A dialog to read, change and delete an event. */
export default function EventForm({ event, date, choices, onClose }: EventFormProps) {
  const t = useTranslations('client.calendar')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [timezone, setTimezone] = useState(event?.timezone ?? choices.timezone)
  const [removing, setRemoving] = useState(false)
  const words = useErrorText()
  const submission = useSubmit({
    fields: FIELDS,
    texts: {
      'title:required': t('problems.title'),
      event_datetime: t('problems.event_datetime'),
      assignee_id: t('problems.assignee_id'),
      customer_id: t('problems.customer_id'),
    },
  })
  const { busy, errorAt } = submission
  const path = event ? `/api/calendar-events/${event.id}` : '/api/calendar-events'
  const [customer, setCustomer] = useState<PickedCustomer | null>(event?.customer ?? null)
  const picker = useTranslations('client.customerPicker')
  const draft = useDraft(`event:${event?.id ?? 'new'}`, {
    form: submission.form,
    loaded: event,
    state: { timezone, customer },
    onState: (kept) => {
      setTimezone(kept.timezone)
      setCustomer(kept.customer)
    },
  })
  const conflicts = useConflicts(draft, {
    label: (name) => (name === 'customer_id' ? picker('label') : t(`fields.${LABELS[name] ?? 'title'}`)),
    show: (name, value) => {
      if (name === 'event_datetime' || name === 'ends_at')
        return localTime(String(value), timezone).replace('T', ' ')
      const named = { location_id: choices.locations, assignee_id: choices.colleagues }[name]
      if (name === 'customer_id') return value === customer?.id ? customer?.name : undefined
      return named?.find((one) => one.value === value)?.label
    },
  })

  async function save(entry: FormEvent<HTMLFormElement>) {
    entry.preventDefault()
    const entered = eventBody(new FormData(entry.currentTarget), timezone, draft.loaded)
    if ('missing' in entered) return submission.refuse(entered.missing)
    const body = conflicts.body(entered.body)
    const sent = await submission.submit<CalendarEvent>(event ? 'PATCH' : 'POST', path, body)
    if (!sent.ok) return conflicts.take(sent)
    draft.saved()
    say(t(event ? 'saved' : 'created', { title: sent.data.title }))
    router.refresh()
    onClose()
  }

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', path)
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
            {...{ event, date, choices, timezone, errorAt, customer }}
            onTimezone={setTimezone}
            onCustomer={setCustomer}
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
      {removing && event ? (
        <ConfirmDialog
          title={t('removeTitle', { title: event.title })}
          text={t('removeText')}
          action={t('removeAction')}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </>
  )
}

const REMINDERS = [0, 15, 30, 60, 120, 1440, 2880, 10080] as const
const HOUR_MS = 3_600_000

interface EventFieldsProps {
  event?: ShownEvent
  date?: string | null
  choices: EventChoices
  timezone: string
  errorAt: (field: string) => string | undefined
  /** Another location was chosen: the times are in its time zone. */
  onTimezone: (timezone: string) => void
  customer: PickedCustomer | null
  onCustomer: (customer: PickedCustomer | null) => void
}

/** The fields of an event. */
function EventFields({
  event,
  date,
  choices,
  timezone,
  errorAt,
  onTimezone,
  customer,
  onCustomer,
}: EventFieldsProps) {
  const t = useTranslations('client.calendar')
  const zoneOf = (id: string) =>
    choices.locations.find(({ value }) => value === id)?.timezone ?? choices.timezone
  const known =
    event && !REMINDERS.some((minutes) => minutes === event.reminder_minutes) ? [event.reminder_minutes] : []
  return (
    <FormFields>
      <TextInput
        name="title"
        label={t('fields.title')}
        defaultValue={event?.title}
        error={errorAt('title')}
        maxLength={200}
        autoComplete="off"
        autoFocus
      />
      <FormRow>
        <TextInput
          name="start"
          type="datetime-local"
          label={t('fields.start')}
          description={t('zone', { zone: timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone })}
          defaultValue={event ? localTime(event.event_datetime, timezone) : firstTime(date, timezone)}
          error={errorAt('event_datetime')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          name="end"
          type="datetime-local"
          label={t('fields.end')}
          defaultValue={event?.ends_at ? localTime(event.ends_at, timezone) : ''}
          error={errorAt('ends_at')}
        />
      </FormRow>
      <FormRow>
        <NativeSelect
          name="location_id"
          label={t('fields.location')}
          data={[
            { value: '', label: t('wholeGroup') },
            ...choices.locations.map(({ value, label }) => ({ value, label })),
          ]}
          defaultValue={event?.location_id ?? ''}
          error={errorAt('location_id')}
          onChange={(change) => onTimezone(zoneOf(change.currentTarget.value))}
        />
        <NativeSelect
          name="assignee_id"
          label={t('fields.assignee')}
          data={[{ value: '', label: t('nobody') }, ...choices.colleagues]}
          defaultValue={event?.assignee_id ?? ''}
          error={errorAt('assignee_id')}
        />
      </FormRow>
      <NativeSelect
        name="reminder_minutes"
        label={t('fields.reminder')}
        data={[
          ...REMINDERS.map((minutes) => ({ value: String(minutes), label: t(`reminders.${minutes}`) })),
          ...known.map((minutes) => ({ value: String(minutes), label: t('reminders.other', { minutes }) })),
        ]}
        defaultValue={String(event?.reminder_minutes ?? 60)}
        error={errorAt('reminder_minutes')}
      />
      <Textarea
        name="description"
        label={t('fields.description')}
        defaultValue={event?.description ?? ''}
        error={errorAt('description')}
        maxLength={5000}
        rows={3}
      />
      {choices.mayPickCustomer ? (
        <CustomerPicker name="customer_id" chosen={customer} onPick={onCustomer} />
      ) : null}
    </FormFields>
  )
}

/** Noon of the clicked day, else the next full hour. */
function firstTime(date: string | null | undefined, timezone: string): string {
  if (date) return `${date}T12:00`
  return `${localTime(new Date(Date.now() + HOUR_MS), timezone).slice(0, 13)}:00`
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** The body for the API, or the first field without a value; the times entered are local to the time zone. */
export function eventBody(
  fields: FormData,
  timezone: string,
  event?: CalendarEvent,
): { body: Record<string, string | number | null> } | { missing: 'title' | 'event_datetime' | 'ends_at' } {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const title = text('title')
  const [start, end] = [text('start'), text('end')]
  if (title === '') return { missing: 'title' }
  if (!LOCAL.test(start)) return { missing: 'event_datetime' }
  if (end !== '' && !LOCAL.test(end)) return { missing: 'ends_at' }
  // An unchanged time keeps its seconds: otherwise the event would be announced again.
  const moved = (local: string, former?: string | null) =>
    !former || localTime(former, timezone) !== local ? instantAt(local, timezone).toISOString() : former
  const body = {
    title,
    description: text('description') || null,
    event_datetime: moved(start, event?.event_datetime),
    ends_at: end === '' ? null : moved(end, event?.ends_at),
    location_id: text('location_id') || null,
    assignee_id: text('assignee_id') || null,
    reminder_minutes: Number(text('reminder_minutes')),
  }
  return { body: fields.has('customer_id') ? { ...body, customer_id: text('customer_id') || null } : body }
}
