'use client'
import { Button, TextInput } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { useCustomerSearch } from '@/components/customers/use-look-ups'
import { TierBadge } from '@/components/ui/badge'
import { SuggestField } from '@/components/ui/suggest-field'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { readableEmail } from '@/lib/contact/readable-email'
import { personName, shownName, writtenName } from '@/lib/customers/person-name'
import classes from './customer-field.module.css'
import type { ChosenCustomer } from './reservation-body'

interface CustomerFieldProps {
  customer: ChosenCustomer | null
  onChoose: (customer: ChosenCustomer | null) => void
  initialName: string
  /** Whether the person may search for customers. */
  searches: boolean
  nameError: string | undefined
}

/** The customer of a reservation: an existing one found while typing, or only a name. */
export function CustomerField({
  customer: chosen,
  onChoose,
  initialName,
  searches,
  nameError,
}: CustomerFieldProps) {
  const t = useTranslations('client.booking')
  const [name, setName] = useState(initialName)
  const { customers, state, search, clear } = useCustomerSearch()

  if (chosen)
    return (
      <div className={classes.chosen}>
        <IconUserCheck size={18} aria-hidden />
        <span>
          <VisuallyHidden>{t('customer')}: </VisuallyHidden>
          {shownName(chosen.name)}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          autoFocus
          onClick={() => {
            setName(chosen.name)
            onChoose(null)
          }}
        >
          {t('change')}
        </Button>
      </div>
    )
  const input = {
    name: 'customer_name',
    label: t('name'),
    value: name,
    error: nameError,
    maxLength: 200,
    autoFocus: true,
  }
  if (!searches)
    return (
      <TextInput {...input} autoComplete="off" onChange={(event) => setName(event.currentTarget.value)} />
    )
  return (
    <SuggestField
      {...input}
      description={t('nameHint')}
      onText={(typed) => {
        setName(typed)
        search(typed)
      }}
      options={customers}
      keyOf={({ id }) => id}
      render={(customer) => (
        <>
          <span className={classes.found}>
            {personName(customer) ?? t('noName')}
            <TierBadge tier={customer.loyalty_tier} />
          </span>
          <small>
            {[customer.phone, customer.email && readableEmail(customer.email)].filter(Boolean).join(' · ')}
          </small>
          <small>{t('visits', { count: customer.total_visits })}</small>
          <AllergiesByCode codes={customer.allergies} />
        </>
      )}
      onChoose={(customer) => {
        onChoose({
          id: customer.id,
          name:
            writtenName(customer) ??
            (customer.email && readableEmail(customer.email)) ??
            customer.phone ??
            name,
        })
        clear()
      }}
      listLabel={t('found')}
      status={state === 'failed' ? t('searchFailed') : undefined}
      busy={state === 'busy'}
    />
  )
}
