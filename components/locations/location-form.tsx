'use client'
import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { EUR, numberOrText } from '@/components/forms/numbers'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { LocationRecord } from '@/lib/locations/schema'
import { timeZones } from '@/lib/locations/time-zones'
import { StayFields, stayBody } from './stay-fields'

const FIELDS = [
  ...['name', 'city', 'brand_id', 'address', 'pms_id', 'average_spend_per_guest', 'timezone'],
  ...['quiet_from', 'quiet_until', 'stay_minutes', 'review_urls'],
]

interface LocationFormProps {
  /** Absent for a new location. */
  location?: LocationRecord
  /** The default time zone of a new location. */
  timezone?: string
  brands: { value: string; label: string }[]
  onClose: () => void
}

/** A location's fields in a dialog. */
export function LocationForm({ location, timezone, brands, onClose }: LocationFormProps) {
  const t = useTranslations('client.locations')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: FIELDS,
    at: { LOCATION_NAME_TAKEN: 'name' },
    texts: {
      name: t('problems.name'),
      brand_id: t('problems.brand'),
      timezone: t('problems.timezone'),
      average_spend_per_guest: t('problems.averageSpend'),
      quiet_from: t('problems.quiet'),
      quiet_until: t('problems.quiet'),
      stay_minutes: t('problems.stay'),
      review_urls: t('problems.reviews'),
    },
  })

  const draft = useDraft(`location:${location?.id ?? 'new'}`, { form, loaded: location })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = locationBody(new FormData(event.currentTarget), locale)
    const path = location ? `/api/locations/${location.id}` : '/api/locations'
    const answer = await submit<LocationRecord>(location ? 'PATCH' : 'POST', path, body)
    if (!answer.ok) return
    draft.saved()
    say(t(location ? 'saved' : 'created', { name: answer.data.name }))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={location ? t('edit', { name: location.name }) : t('new')} onClose={onClose}>
      {draft.node}
      <form ref={form} onSubmit={save} noValidate>
        <FormFields>
          <TextInput
            name="name"
            label={t('fields.name')}
            defaultValue={location?.name}
            error={errorAt('name')}
            maxLength={120}
            required
            withAsterisk={false}
            data-autofocus
          />
          <FormRow>
            <TextInput
              name="city"
              label={t('fields.city')}
              defaultValue={location?.city ?? ''}
              error={errorAt('city')}
              maxLength={120}
            />
            <NativeSelect
              name="brand_id"
              label={t('fields.brand')}
              data={[{ value: '', label: t('noBrand') }, ...brands]}
              defaultValue={location?.brand_id ?? ''}
              error={errorAt('brand_id')}
            />
          </FormRow>
          <TextInput
            name="address"
            label={t('fields.address')}
            defaultValue={location?.address ?? ''}
            error={errorAt('address')}
            maxLength={300}
          />
          <FormRow>
            <TextInput
              name="pms_id"
              label={t('fields.pmsId')}
              description={t('hints.pmsId')}
              defaultValue={location?.pms_id ?? ''}
              error={errorAt('pms_id')}
              maxLength={120}
              spellCheck={false}
            />
            <NumberField
              {...EUR}
              name="average_spend_per_guest"
              label={t('fields.averageSpend')}
              description={t('hints.averageSpend')}
              defaultValue={location?.average_spend_per_guest}
              error={errorAt('average_spend_per_guest')}
            />
          </FormRow>
          <NativeSelect
            name="timezone"
            label={t('fields.timezone')}
            data={timeZones(location?.timezone ?? timezone)}
            defaultValue={location?.timezone ?? timezone}
            error={errorAt('timezone')}
          />
          <FormRow>
            <TextInput
              name="quiet_from"
              type="time"
              label={t('fields.quietFrom')}
              description={t('hints.quiet')}
              defaultValue={location?.quiet_from ?? ''}
              error={errorAt('quiet_from')}
            />
            <TextInput
              name="quiet_until"
              type="time"
              label={t('fields.quietUntil')}
              description={t('hints.quietUntil')}
              defaultValue={location?.quiet_until ?? ''}
              error={errorAt('quiet_until')}
            />
          </FormRow>
          <StayFields stays={location?.stay_minutes ?? null} error={errorAt('stay_minutes')} />
          <Textarea
            name="review_urls"
            label={t('fields.reviews')}
            description={t('hints.reviews')}
            defaultValue={location?.review_urls.join('\n')}
            error={errorAt('review_urls')}
            rows={3}
            spellCheck={false}
          />
          <Switch
            name="count_unmarked_visits"
            label={t('fields.unmarked')}
            description={t('hints.unmarked')}
            defaultChecked={location?.count_unmarked_visits ?? true}
          />
          <Switch
            name="is_active"
            label={t('fields.active')}
            description={t('hints.active')}
            defaultChecked={location?.is_active ?? true}
          />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
      </form>
    </Dialog>
  )
}

/** The form, written in that language, as the API takes it; an empty field clears the value. */
function locationBody(fields: FormData, locale: string) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const spend = text('average_spend_per_guest')
  return {
    name: text('name'),
    city: text('city') || null,
    address: text('address') || null,
    brand_id: text('brand_id') || null,
    pms_id: text('pms_id') || null,
    timezone: text('timezone'),
    // Text that is not a number is sent as typed, so that the API reports it at the field.
    average_spend_per_guest: spend === '' ? null : numberOrText(spend, locale, EUR),
    quiet_from: text('quiet_from') || null,
    quiet_until: text('quiet_until') || null,
    count_unmarked_visits: fields.get('count_unmarked_visits') !== null,
    is_active: fields.get('is_active') !== null,
    stay_minutes: stayBody(fields, locale),
    review_urls: text('review_urls').split(/\s+/).filter(Boolean),
  }
}

interface BrandFormProps {
  /** Absent for a new brand. */
  brand?: { id: string; name: string; postal_address: string | null }
  onClose: () => void
}

/** A brand's name and postal address in a dialog. */
export function BrandForm({ brand, onClose }: BrandFormProps) {
  const t = useTranslations('client.brands')
  const say = useToast()
  const router = useRouter()
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['name', 'slug', 'postal_address'],
    at: { ALREADY_EXISTS: 'name' },
    texts: { name: t('invalid'), slug: t('invalid'), postal_address: t('invalid') },
  })

  const draft = useDraft(`brand:${brand?.id ?? 'new'}`, { form, loaded: brand })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const name = String(fields.get('name')).trim()
    const postal_address = String(fields.get('postal_address')).trim() || null
    const path = brand ? `/api/brands/${brand.id}` : '/api/brands'
    const answer = await submit(brand ? 'PATCH' : 'POST', path, { name, postal_address })
    if (!answer.ok) return
    draft.saved()
    say(t('saved', { name }))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={brand ? t('edit', { name: brand.name }) : t('new')} onClose={onClose}>
      {draft.node}
      <form ref={form} onSubmit={save} noValidate>
        <TextInput
          name="name"
          label={t('name')}
          defaultValue={brand?.name}
          error={errorAt('name') ?? errorAt('slug')}
          maxLength={120}
          data-autofocus
        />
        <TextInput
          name="postal_address"
          label={t('postalAddress')}
          description={t('postalAddressHint')}
          defaultValue={brand?.postal_address ?? ''}
          error={errorAt('postal_address')}
          maxLength={300}
          autoComplete="street-address"
        />
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
      </form>
    </Dialog>
  )
}
