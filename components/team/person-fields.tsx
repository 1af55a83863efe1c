'use client'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { FormFields } from '@/components/ui/form-layout'
import classes from './person-fields.module.css'

export interface Choices {
  roles: { value: string; label: string; text: string }[]
  locations: { value: string; label: string }[]
}

interface PersonFieldsProps extends Choices {
  initialRole: string
  locationIds: readonly string[]
}

/** A person's role, with what it allows, and where they work: everywhere, or in the ticked locations. */
export function PersonFields({ roles, locations, initialRole, locationIds }: PersonFieldsProps) {
  const t = useTranslations('client.team')
  const [chosen, setChosen] = useState(initialRole)
  return (
    <FormFields>
      <NativeSelect
        name="role"
        label={t('role')}
        description={roles.find(({ value }) => value === chosen)?.text}
        data={roles.map(({ value, label }) => ({ value, label }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {locations.length > 0 ? (
        <fieldset className={classes.locations}>
          <legend>{t('locations')}</legend>
          <p>{t('locationsHint')}</p>
          {locations.map(({ value, label }) => (
            <Checkbox
              key={value}
              name="location_ids"
              value={value}
              label={label}
              defaultChecked={locationIds.includes(value)}
            />
          ))}
        </fieldset>
      ) : null}
    </FormFields>
  )
}

/** What the fields above hold, as the API takes it. */
export function personBody(fields: FormData) {
  return {
    role: String(fields.get('role')),
    full_name: String(fields.get('full_name') ?? '').trim() || null,
    location_ids: fields.getAll('location_ids').map(String),
  }
}
