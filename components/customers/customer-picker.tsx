'use client'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { send } from '@/components/settings/send'
import { personName } from '@/components/ui/person-name'
import classes from './customer-picker.module.css'

interface Found {
  id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

interface CustomerPickerProps {
  /** The form field that carries the chosen customer's id; empty without one. */
  name: string
  initial: { id: string; name: string } | null
}

const DELAY_MS = 250
const SHOWN = 6

/** Looks a customer up by name, e-mail or phone and keeps the one that is chosen. */
export function CustomerPicker({ name, initial }: CustomerPickerProps) {
  const t = useTranslations('client.customerPicker')
  const [chosen, setChosen] = useState(initial)
  const [found, setFound] = useState<Found[] | null>(null)
  const [failed, setFailed] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const change = useRef<HTMLButtonElement>(null)
  const asked = useRef('')

  const search = useDebouncedCallback(async (text: string) => {
    asked.current = text
    if (text === '') return setFound(null)
    const sent = await send<Found[]>(
      'GET',
      `/api/customers?limit=${SHOWN}&search=${encodeURIComponent(text)}`,
    )
    // An answer that comes late belongs to another text.
    if (asked.current !== text) return
    setFailed(!sent.ok)
    setFound(sent.ok ? sent.data : null)
  }, DELAY_MS)

  function choose(customer: { id: string; name: string } | null) {
    setChosen(customer)
    setFound(null)
    requestAnimationFrame(() => (customer ? change : field).current?.focus())
  }

  if (chosen)
    return (
      <fieldset className={classes.picker}>
        <legend>{t('label')}</legend>
        <input type="hidden" name={name} value={chosen.id} />
        <span className={classes.chosen}>{chosen.name || t('noName')}</span>
        <Button ref={change} variant="default" size="xs" onClick={() => choose(null)}>
          {t('remove')}
        </Button>
      </fieldset>
    )
  return (
    <div>
      <input type="hidden" name={name} value="" />
      <TextInput
        ref={field}
        type="search"
        label={t('label')}
        placeholder={t('placeholder')}
        error={failed ? t('failed') : undefined}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => search(event.currentTarget.value.trim())}
        // Enter would send the form around the search.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div role="status" className={classes.count}>
        {found ? t('found', { count: found.length }) : null}
      </div>
      {found && found.length > 0 ? (
        <ul className={classes.results} aria-label={t('results')}>
          {found.map((customer) => {
            const shown = personName(customer) ?? t('noName')
            return (
              <li key={customer.id}>
                <button type="button" onClick={() => choose({ id: customer.id, name: shown })}>
                  {shown}
                  <small>{customer.email ?? customer.phone}</small>
                </button>
              </li>
            )
          })}
        </ul>
      ) : null}
    </div>
  )
}
