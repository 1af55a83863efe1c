'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { personName } from '@/components/ui/person-name'
import { useToast } from '@/components/ui/toast'
import type { Customer } from '@/lib/customers/schema'
import { type Choice, chosenConsent, customerChanges, customerProblem, type TextField } from './customer-body'
import { TagField } from './tag-field'

interface CustomerFormProps {
  /** Absent: a new one. */
  customer?: Customer
  locations: readonly Choice[]
  onSaved: (customer: Customer) => void
  onClose: () => void
}

/** A customer's fields in a dialog. What is typed stays until it is saved or given up. */
export default function CustomerForm({ customer, locations, onSaved, onClose }: CustomerFormProps) {
  const t = useTranslations('client.customerForm')
  const form = useTranslations('client.form')
  const say = useToast()
  const ref = useRef<HTMLFormElement>(null)
  const [tags, setTags] = useState<readonly string[]>(customer?.tags ?? [])
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ status: number; error: string } | null>(null)
  // The problem may be above what the person sees.
  useEffect(() => {
    if (answer) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [answer])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const changes = customerChanges(fields, tags, customer)
    const consent = customer ? null : chosenConsent(fields, t('consent.reason'))
    if (customer && Object.keys(changes).length === 0) return onClose()
    setBusy(true)
    const path = customer ? `/api/customers/${customer.id}` : '/api/customers'
    const sent = await send<Customer>(customer ? 'PATCH' : 'POST', path, { ...changes, ...consent })
    setBusy(false)
    if (!sent.ok) return setAnswer(sent)
    say(t(customer ? 'saved' : 'created', { name: personName(sent.data) ?? sent.data.email ?? '' }))
    onSaved(sent.data)
    onClose()
  }

  const problem = answer && customerProblem(answer)
  const errorAt = (field: string) => (problem?.field === field ? t(`problems.${problem.text}`) : undefined)
  const field = (name: TextField, maxLength: number) => ({
    name,
    maxLength,
    label: t(`fields.${name}`),
    defaultValue: customer?.[name] ?? '',
    error: errorAt(name),
    autoComplete: 'off',
  })
  return (
    <Dialog title={customer ? t('edit') : t('new')} onClose={onClose}>
      <form ref={ref} onSubmit={save} noValidate>
        <FormFields>
          <FormRow>
            <TextInput {...field('first_name', 100)} data-autofocus />
            <TextInput {...field('last_name', 100)} />
          </FormRow>
          <FormRow>
            <TextInput {...field('email', 254)} inputMode="email" spellCheck={false} />
            <TextInput {...field('phone', 40)} inputMode="tel" />
          </FormRow>
          <FormRow>
            <TextInput {...field('birth_date', 10)} type="date" min="1900-01-01" />
            <NativeSelect
              name="location_id"
              label={t('fields.location_id')}
              data={[{ value: '', label: t('noLocation') }, ...locations]}
              defaultValue={customer?.location_id ?? ''}
              error={errorAt('location_id')}
            />
          </FormRow>
          <TagField
            label={t('fields.tags')}
            hint={t('tagsHint')}
            remove={(tag) => t('removeTag', { tag })}
            error={errorAt('tags')}
            tags={tags}
            onChange={setTags}
          />
          <FormRow>
            <TextInput {...field('company', 200)} />
            <TextInput {...field('job_title', 200)} />
          </FormRow>
          <TextInput {...field('address', 500)} />
          <Textarea {...field('notes', 5000)} rows={4} />
          {customer ? null : (
            <NativeSelect
              name="consent"
              label={t('consent.label')}
              description={t('consent.hint')}
              data={[
                { value: '', label: t('consent.none') },
                { value: 'opt_in', label: t('consent.opt_in') },
                { value: 'existing_customer', label: t('consent.existing_customer') },
              ]}
            />
          )}
        </FormFields>
        <Failure text={answer && !problem ? form(formProblem(answer.status)) : null} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
