'use client'
import { Loader, NativeSelect } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useOptimistic, useRef, useState, useTransition } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useToast } from '@/components/ui/toast'

interface TicketSelectProps {
  id: string
  number: number
  field: 'status' | 'priority' | 'assignee_id' | 'location_id'
  label: string
  /** Whether the label is for screen readers only. */
  hideLabel?: boolean
  value: string
  options: { value: string; label: string }[]
}

const EDITED = { path: '', code: 'edited' } as const

// A moved ticket is mounted again in its new column, where its select gets the focus back.
let justMoved: string | null = null

/** A field of a ticket that is saved on change. */
export function TicketSelect({ id, number, field, label, hideLabel, value, options }: TicketSelectProps) {
  const t = useTranslations('client.tickets')
  const words = useErrorText()
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
      const body = { [field]: next || null, loaded: { [field]: value || null } }
      const sent = await send('PATCH', `/api/tickets/${id}`, body)
      if (sent.ok || sent.code === 'EDITED_MEANWHILE') router.refresh()
      if (!sent.ok) return setFailure(words.ofRefusal(sent, { EDITED_MEANWHILE: words.ofIssue(EDITED) }))
      justMoved = hideLabel && next !== 'closed' ? `${id} ${field}` : null
      const chosen = options.find((option) => option.value === next)?.label ?? ''
      say(t('changed', { number, what: label, value: chosen }))
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
