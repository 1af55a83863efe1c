'use client'
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { type Location, locationBody, locationProblem } from './location-body'
import { timeZones } from './time-zones'

export interface LocationFormProps {
  /** Absent: a new one. */
  location?: Location
  brands: { value: string; label: string }[]
  onClose: () => void
}

/** A location's fields in a dialog. */
export default function LocationForm({ location, brands, onClose }: LocationFormProps) {
  const t = useTranslations('client.locations')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ status: number; error: string } | null>(null)

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = locationBody(new FormData(event.currentTarget))
    setBusy(true)
    const path = location ? `/api/locations/${location.id}` : '/api/locations'
    const sent = await send<Location>(location ? 'PATCH' : 'POST', path, body)
    setBusy(false)
    if (!sent.ok) return setAnswer(sent)
    say(t(location ? 'saved' : 'created', { name: sent.data.name }))
    router.refresh()
    onClose()
  }

  const problem = answer && locationProblem(answer)
  const errorAt = (field: string) => (problem?.field === field ? t(`problems.${problem.text}`) : undefined)
  return (
    <Dialog title={location ? t('edit', { name: location.name }) : t('new')} onClose={onClose}>
      <form onSubmit={save} noValidate>
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
            maxLength={300}
          />
          <FormRow>
            <TextInput
              name="pms_id"
              label={t('fields.pmsId')}
              description={t('hints.pmsId')}
              defaultValue={location?.pms_id ?? ''}
              maxLength={120}
              spellCheck={false}
            />
            <TextInput
              name="average_spend_per_guest"
              label={t('fields.averageSpend')}
              description={t('hints.averageSpend')}
              inputMode="decimal"
              defaultValue={location?.average_spend_per_guest ?? ''}
              error={errorAt('average_spend_per_guest')}
            />
          </FormRow>
          <NativeSelect
            name="timezone"
            label={t('fields.timezone')}
            data={timeZones(location?.timezone)}
            defaultValue={location?.timezone ?? 'Europe/Madrid'}
            error={errorAt('timezone')}
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
