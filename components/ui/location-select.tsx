import { useTranslations } from 'next-intl'
import type { Location } from '@/lib/organization/list-locations'
import { UrlSelect } from './url-select'

interface LocationSelectProps {
  locations: readonly Location[]
  value: string | undefined
}

/** Which location a page is about; nothing to choose for someone who works in one. */
export function LocationSelect({ locations, value }: LocationSelectProps) {
  const t = useTranslations('common')
  if (locations.length < 2) return null
  const options = locations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <UrlSelect
      name="location"
      label={t('location')}
      value={value ?? ''}
      options={[{ value: '', label: t('allLocations') }, ...options]}
    />
  )
}
