'use client'
import { Loader, NativeSelect } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useOptimistic, useRef, useState, useTransition } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'

interface TicketSelectProps {
  id: string
  number: number
  field: 'status' | 'priority' | 'assignee_id' | 'location_id'
  label: string
  /** The label is for screen readers only. */
  hideLabel?: boolean
  value: string
  options: { value: string; label: string }[]
}

// The card of a moved ticket is made anew in its new column: the focus follows it there.
let justMoved: string | null = null

/** A property of a ticket that is saved as soon as another one is chosen. */
export function TicketSelect({ id, number, field, label, hideLabel, value, options }: TicketSelectProps) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const select = useRef<HTMLSelectElement>(null)
  const [pending, startTransition] = useTransition()
  const [shown, show] = useOptimistic(value)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    if (justMoved !== `${id} ${field}`) return
    justMoved = null
    select.current?.focus()
  }, [id, field])

  function change(next: string) {
    setFailure(null)
    startTransition(async () => {
      show(next)
      const sent = await send('PATCH', `/api/tickets/${id}`, { [field]: next || null })
      if (!sent.ok) return setFailure(form(formProblem(sent.status)))
      justMoved = hideLabel && next !== 'closed' ? `${id} ${field}` : null
      const chosen = options.find((option) => option.value === next)?.label ?? ''
      say(t('changed', { number, what: label, value: chosen }))
      router.refresh()
    })
  }

  return (
    <NativeSelect
      ref={select}
      size={hideLabel ? 'xs' : 'sm'}
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? t('selectOf', { what: label, number }) : undefined}
      data={options}
      value={shown}
      error={failure}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={pending ? <Loader size={14} /> : undefined}
      aria-busy={pending}
    />
  )
}
