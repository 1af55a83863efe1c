'use client'
import { Button, Loader, TextInput } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useId, useState } from 'react'
import { personName } from '@/components/ui/person-name'
import { TierBadge } from '@/components/ui/tier-badge'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './guest-field.module.css'
import type { ChosenGuest } from './reservation-body'
import { useCustomerSearch } from './use-customer-search'

interface GuestFieldProps {
  guest: ChosenGuest | null
  onChoose: (guest: ChosenGuest | null) => void
  initialName: string
  /** Whether the person may look customers up. */
  searches: boolean
  nameError: string | undefined
}

/** Who the table is for: a customer found while typing, or just a name. */
export function GuestField({ guest, onChoose, initialName, searches, nameError }: GuestFieldProps) {
  const t = useTranslations('client.booking')
  const listId = useId()
  const [name, setName] = useState(initialName)
  const [active, setActive] = useState(-1)
  const { customers, searching, search, clear } = useCustomerSearch()

  function choose(index: number) {
    const customer = customers[index]
    if (!customer) return
    onChoose({ id: customer.id, name: personName(customer) ?? customer.email ?? customer.phone ?? name })
    close()
  }

  function close() {
    clear()
    setActive(-1)
  }

  function press(event: KeyboardEvent) {
    if (customers.length === 0) return
    if (event.key === 'ArrowDown') setActive((active + 1) % customers.length)
    else if (event.key === 'ArrowUp') setActive((active <= 0 ? customers.length : active) - 1)
    else if (event.key === 'Enter' && active >= 0) choose(active)
    else if (event.key === 'Escape') close()
    else return
    // Escape closes the list, not the form; Enter chooses, and does not send.
    event.preventDefault()
  }

  if (guest)
    return (
      <div className={classes.chosen}>
        <IconUserCheck size={18} aria-hidden />
        <span>
          <VisuallyHidden>{t('customer')}: </VisuallyHidden>
          {guest.name}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          autoFocus
          onClick={() => {
            setName(guest.name)
            onChoose(null)
          }}
        >
          {t('change')}
        </Button>
      </div>
    )
  return (
    <div className={classes.field}>
      <TextInput
        name="customer_name"
        label={t('name')}
        description={searches ? t('nameHint') : undefined}
        value={name}
        error={nameError}
        maxLength={200}
        autoComplete="off"
        autoFocus
        onChange={(event) => {
          setName(event.currentTarget.value)
          setActive(-1)
          if (searches) search(event.currentTarget.value)
        }}
        onKeyDown={press}
        rightSection={searching ? <Loader size={14} /> : null}
        role={searches ? 'combobox' : undefined}
        aria-autocomplete={searches ? 'list' : undefined}
        aria-expanded={searches ? customers.length > 0 : undefined}
        aria-controls={searches ? listId : undefined}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
      />
      {searches ? (
        <div
          id={listId}
          role="listbox"
          aria-label={t('found')}
          className={classes.list}
          hidden={customers.length === 0}
        >
          {customers.map((customer, index) => (
            // The keyboard reaches it through the field above.
            // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant
            // biome-ignore lint/a11y/useKeyWithClickEvents: see press
            <div
              key={customer.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classes.option}
              onClick={() => choose(index)}
            >
              <strong>{personName(customer) ?? t('noName')}</strong>
              <TierBadge tier={customer.loyalty_tier} />
              <small>{[customer.phone, customer.email].filter(Boolean).join(' · ')}</small>
              <small>{t('visits', { count: customer.total_visits })}</small>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  )
}
