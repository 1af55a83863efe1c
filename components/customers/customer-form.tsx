'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { send } from '@/components/forms/send'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { readableEmail } from '@/lib/contact/readable-email'
import {
  COMPARED_FIELDS,
  fieldsWith,
  GUEST_FIELDS,
  SINGLE_FIELDS,
  type SingleField,
  TEXT_FIELDS,
} from '@/lib/customers/guest-fields'
import type { GuestMatch, TypedGuest } from '@/lib/customers/matches-schema'
import { personName } from '@/lib/customers/person-name'
import type { Customer } from '@/lib/customers/schema'
import { AlreadyHere } from './already-here'
import { FurtherField, type FurtherKind } from './further-field'
import { TagField } from './tag-field'
import { asChoices, useGuestLanguages } from './use-guest-languages'

interface CustomerFormProps {
  /** Absent for a new customer. */
  customer?: Customer
  locations: readonly Choice[]
  onSaved: (customer: Customer) => void
  onClose: () => void
}

const DETAILS = [...TEXT_FIELDS, ...fieldsWith({ type: 'language' })]
// Two side by side; the last of an odd number has the whole row.
const ROWS = DETAILS.flatMap((_, place) => (place % 2 === 0 ? [DETAILS.slice(place, place + 2)] : []))

/** A customer's fields in a dialog. The input stays until it is saved or discarded. */
export default function CustomerForm({ customer, locations, onSaved, onClose }: CustomerFormProps) {
  const t = useTranslations('client.customerForm')
  const labels = useTranslations('client.guestFields')
  const form = useTranslations('client.form')
  const near = useTranslations('client.customerMatches')
  const router = useRouter()
  const say = useToast()
  const languages = asChoices(useGuestLanguages())
  const [lists, setLists] = useState<Lists>(listsOf(customer))
  // Where a line went since the refusal: its messages would stand at the lines that took its place.
  const [shifted, setShifted] = useState<readonly FurtherKind[]>([])
  const { errorAt, ...sending } = useSubmit({
    fields: [...SINGLE_FIELDS, ...LISTS],
    at: { EMAIL_TAKEN: 'email', CONTACT_NEEDED: 'first_name' },
    texts: {
      email: t('problems.email'),
      phone: t('problems.phone'),
      birth_date: t('problems.birthDate'),
      location_id: t('problems.location'),
      tags: t('problems.tags'),
      ...ofLines('emails', t('problems.email')),
      ...ofLines('phones', t('problems.phone')),
    },
  })
  /** What a refusal says of a list and its lines; `own` in place of the general words. */
  function ofLines(kind: FurtherKind, own: string) {
    const paths = [kind, ...lists[kind].map((_, place) => `${kind}.${place}`)]
    return Object.fromEntries(paths.map((path) => [`${path}:invalid`, own]))
  }

  const draft = useDraft(`customer:${customer?.id ?? 'new'}`, {
    form: sending.form,
    loaded: customer,
    state: lists,
    // A draft of an earlier version has the tags only.
    onState: (kept: Lists) => setLists(Array.isArray(kept) ? { ...lists, tags: kept } : kept),
  })
  const choices: Record<string, readonly Choice[] | undefined> = {
    location_id: locations,
    language: languages,
  }
  const conflicts = useConflicts(draft, {
    label: (name) => labels(name as SingleField),
    show: (name, value) => choices[name]?.find((one) => one.value === value)?.label,
  })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    // Without blank lines, so that a refusal names the line that is there.
    const filled = {
      ...lists,
      emails: lists.emails.filter((line) => line.trim() !== ''),
      phones: lists.phones.filter((line) => line.trim() !== ''),
    }
    setLists(filled)
    setShifted([])
    const changes = customerChanges(fields, filled, draft.loaded)
    const consent = customer ? null : chosenConsent(fields, t('consent.reason'))
    if (customer && Object.keys(changes).length === 0) return draft.cancel(onClose)()
    const path = customer ? `/api/customers/${customer.id}` : '/api/customers'
    const body = { ...conflicts.body(changes), ...consent }
    const sent = await sending.submit<Customer>(customer ? 'PATCH' : 'POST', path, body)
    if (!sent.ok) return conflicts.take(sent)
    draft.saved()
    say(
      t(customer ? 'saved' : 'created', {
        name: personName(sent.data) ?? readableEmail(sent.data.email ?? ''),
      }),
    )
    onSaved(sent.data)
    onClose()
    if (!customer) await suggest(sent.data, typedGuest(fields))
  }

  /** Warns that a new customer resembles existing ones, who are then listed as likely duplicates. */
  async function suggest({ id, email, ...created }: Customer, guest: TypedGuest) {
    const found = await send<GuestMatch[]>('POST', '/api/customers/matches', { ...guest, id }, { stay: true })
    if (!found.ok || found.data.length === 0) return
    say({
      text: near('created', {
        name: personName(created) ?? readableEmail(email ?? ''),
        count: found.data.length,
      }),
      tone: 'info',
      action: { label: near('review'), run: () => router.push('/customers/duplicates') },
    })
  }

  // Where the person does not work: without the option, to save would clear it.
  const usual = customer?.location_id
  const elsewhere =
    usual && !locations.some(({ value }) => value === usual)
      ? [{ value: usual, label: t('otherLocation') }]
      : []

  const field = (name: SingleField) => ({
    name,
    maxLength: GUEST_FIELDS[name].limit,
    label: labels(name),
    defaultValue: customer?.[name] ?? '',
    error: errorAt(name),
    autoComplete: 'off',
  })
  const further = (kind: FurtherKind) => ({
    kind,
    label: labels(kind),
    lines: lists[kind],
    errorAt: shifted.includes(kind) ? () => undefined : errorAt,
    onChange: (lines: readonly string[]) => {
      if (lines.length < lists[kind].length) setShifted((known) => [...known, kind])
      setLists((known) => ({ ...known, [kind]: lines }))
    },
  })
  return (
    <Dialog title={customer ? t('edit') : t('new')} onClose={onClose}>
      {draft.node}
      <form ref={sending.form} onSubmit={save} noValidate>
        <FormFields>
          <FormRow>
            <TextInput {...field('first_name')} data-autofocus />
            <TextInput {...field('last_name')} />
          </FormRow>
          <FormRow>
            <FormFields>
              <TextInput {...field('email')} inputMode="email" spellCheck={false} />
              <FurtherField {...further('emails')} />
            </FormFields>
            <FormFields>
              <TextInput {...field('phone')} inputMode="tel" />
              <FurtherField {...further('phones')} />
            </FormFields>
          </FormRow>
          {customer ? null : <AlreadyHere form={sending.form} read={typedGuest} />}
          <FormRow>
            <TextInput {...field('birth_date')} type="date" min="1900-01-01" />
            <NativeSelect
              name="location_id"
              label={labels('location_id')}
              data={[{ value: '', label: t('noLocation') }, ...locations, ...elsewhere]}
              defaultValue={customer?.location_id ?? ''}
              error={errorAt('location_id')}
            />
          </FormRow>
          <TagField
            label={labels('tags')}
            hint={t('tagsHint')}
            remove={(tag) => t('removeTag', { tag })}
            error={errorAt('tags')}
            words={lists.tags}
            onChange={(tags) => setLists((known) => ({ ...known, tags }))}
          />
          {ROWS.map((row) => (
            <FormRow key={row.join()}>
              {row.map((name) =>
                name === 'language' ? (
                  <NativeSelect
                    key={name}
                    name={name}
                    label={labels(name)}
                    data={[{ value: '', label: t('groupLanguage') }, ...languages]}
                    defaultValue={customer?.language ?? ''}
                    error={errorAt(name)}
                  />
                ) : (
                  <TextInput key={name} {...field(name)} />
                ),
              )}
            </FormRow>
          ))}
          <Textarea {...field('notes')} rows={4} />
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
        {conflicts.node}
        <Failure text={sending.failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={sending.busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}

export interface Choice {
  value: string
  label: string
}

const LISTS = ['tags', 'emails', 'phones'] as const
type Lists = Readonly<Record<(typeof LISTS)[number], readonly string[]>>
export type Editable = Pick<Customer, SingleField | keyof Lists>

const listsOf = (customer?: Editable): Lists => ({
  tags: customer?.tags ?? [],
  emails: customer?.emails ?? [],
  phones: customer?.phones ?? [],
})

/**
 * Returns the changed fields; an empty text clears. Unchanged fields are left out, as a sync may be changing them.
 */
function customerChanges(fields: FormData, lists: Lists, customer?: Editable): Partial<Editable> {
  const changes: Partial<Editable> = {}
  for (const field of SINGLE_FIELDS) {
    // A field without an input must not count as emptied.
    if (!fields.has(field)) continue
    const value = String(fields.get(field) ?? '').trim() || null
    if (value !== (customer?.[field] ?? null)) Object.assign(changes, { [field]: value })
  }
  const before = listsOf(customer)
  for (const name of LISTS) {
    const list = lists[name].map((one) => one.trim())
    if (JSON.stringify(list) !== JSON.stringify(before[name])) changes[name] = list
  }
  return changes
}

/** The details typed so far, for the search for existing guests. */
function typedGuest(fields: FormData): TypedGuest {
  return Object.fromEntries(
    COMPARED_FIELDS.map((name) => [name, String(fields.get(name) ?? '').trim() || null]),
  )
}

/** Returns the consent chosen for a new customer, the same for every channel; null when none was chosen. */
function chosenConsent(fields: FormData, reason: string): { consent: object } | null {
  const basis = String(fields.get('consent') ?? '')
  if (basis === '') return null
  const wish = { basis, reason }
  return { consent: { whatsapp: wish, sms: wish, email: wish } }
}
