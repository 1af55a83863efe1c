'use client'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { eventBody, eventProblem } from './event-body'
import type { EventChoices } from './event-choices'
import { EventFields } from './event-fields'
import type { ShownEvent } from './load-events'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

interface EventFormProps {
  /** Absent: a new one. */
  event?: ShownEvent
  /** Of a new one. */
  date?: string | null
  choices: EventChoices
  onClose: () => void
}

/** An event in a dialog: to be read, changed and deleted. */
export default function EventForm({ event, date, choices, onClose }: EventFormProps) {
  const t = useTranslations('client.calendar')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [timezone, setTimezone] = useState(event?.timezone ?? choices.timezone)
  const [busy, setBusy] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [problem, setProblem] = useState<ReturnType<typeof eventProblem>>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const path = event ? `/api/calendar-events/${event.id}` : '/api/calendar-events'

  async function save(submit: FormEvent<HTMLFormElement>) {
    submit.preventDefault()
    const entered = eventBody(new FormData(submit.currentTarget), timezone, event)
    setFailure(null)
    if ('problem' in entered) return setProblem(entered.problem)
    setProblem(null)
    setBusy(true)
    const sent = await send<CalendarEvent>(event ? 'PATCH' : 'POST', path, entered.body)
    setBusy(false)
    if (!sent.ok) {
      const field = eventProblem(sent.error)
      setProblem(field)
      return setFailure(field ? null : form(formProblem(sent.status)))
    }
    say(t(event ? 'saved' : 'created', { title: sent.data.title }))
    router.refresh()
    onClose()
  }

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', path)
    if (!sent.ok) return form(formProblem(sent.status))
    say(t('removed', { title: event?.title ?? '' }))
    router.refresh()
    onClose()
    return null
  }

  return (
    <>
      <Dialog title={t(event ? 'edit' : 'new')} onClose={onClose}>
        <form onSubmit={save} noValidate>
          <EventFields {...{ event, date, choices, timezone, problem }} onTimezone={setTimezone} />
          <Failure text={problem === 'customer_id' ? t('problems.customer_id') : failure} />
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
            <Button variant="default" onClick={onClose}>
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
