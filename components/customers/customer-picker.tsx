'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { SuggestField } from '@/components/ui/suggest-field'
import { readableEmail } from '@/lib/contact/readable-email'
import { personName } from '@/lib/customers/person-name'
import classes from './customer-picker.module.css'
import { useCustomerSearch } from './use-look-ups'

interface CustomerPickerProps {
  /** The name of the form field with the chosen customer's id; empty without one. */
  name: string
  /** "Customer (optional)" without one. */
  label?: string
  chosen: PickedCustomer | null
  onPick: (customer: PickedCustomer | null) => void
}

/** The customer's details that forms show. */
export interface PickedCustomer {
  id: string
  name: string
}

/** Finds a customer by name, e-mail or phone and keeps the chosen one. */
export function CustomerPicker({ name, label, chosen, onPick }: CustomerPickerProps) {
  const t = useTranslations('client.customerPicker')
  const [text, setText] = useState('')
  const { customers, state, search, clear } = useCustomerSearch()
  const field = useRef<HTMLInputElement>(null)
  const change = useRef<HTMLButtonElement>(null)

  function choose(customer: PickedCustomer | null) {
    onPick(customer)
    setText('')
    clear()
    requestAnimationFrame(() => (customer ? change : field).current?.focus())
  }

  if (chosen)
    return (
      <fieldset className={classes.picker}>
        <legend>{label ?? t('label')}</legend>
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
      <SuggestField
        ref={field}
        label={label ?? t('label')}
        placeholder={t('placeholder')}
        error={state === 'failed' ? t('failed') : undefined}
        maxLength={100}
        value={text}
        onText={(typed) => {
          setText(typed)
          search(typed)
        }}
        options={customers}
        keyOf={({ id }) => id}
        render={(customer) => (
          <>
            {personName(customer) ?? t('noName')}
            <small>{customer.email ? readableEmail(customer.email) : customer.phone}</small>
          </>
        )}
        onChoose={(customer) => choose({ id: customer.id, name: personName(customer) ?? t('noName') })}
        listLabel={t('results')}
        status={state === 'done' ? t('found', { count: customers.length }) : undefined}
        busy={state === 'busy'}
        // Enter would submit the form around the search.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  )
}
