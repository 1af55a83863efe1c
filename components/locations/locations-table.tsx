import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { BrandLook } from '@/lib/email-design/records'
import type { LocationRecord } from '@/lib/locations/schema'
import type { StaleLocation } from '@/lib/pms/stale-locations'
import { BrandActions, LocationActions } from './location-actions'
import classes from './locations.module.css'
import { StaleNote } from './stale-banner'

interface LocationsTableProps {
  locations: readonly LocationRecord[]
  brands: { value: string; label: string }[]
  /** The locations whose last sync failed. */
  stale: readonly StaleLocation[]
}

/** The locations: brand, PMS id, average spend and state. */
export function LocationsTable({ locations, brands, stale }: LocationsTableProps) {
  const t = useTranslations('settings.locations')
  const format = useFormatter()
  const names = new Map(brands.map(({ value, label }) => [value, label]))
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col" data-wide>
            {t('columns.brand')}
          </th>
          <th scope="col" data-wide="md">
            {t('columns.pmsId')}
          </th>
          <th scope="col" data-num data-wide="md">
            {t('columns.averageSpend')}
          </th>
          <th scope="col">{t('columns.state')}</th>
          <th scope="col">
            <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {locations.map((location) => {
          const { id, name, city, brand_id, pms_id, average_spend_per_guest: spend, is_active } = location
          const brand = names.get(brand_id ?? '') ?? t('noBrand')
          return (
            <tr key={id}>
              <th scope="row">
                <Link href={`/settings/locations/${id}`}>{name}</Link>
                <small data-narrow>{brand}</small>
                {city ? <small className={classes.city}>{city}</small> : null}
                <StaleNote location={stale.find((one) => one.id === id)} />
              </th>
              <td data-wide>{brand}</td>
              <td data-wide="md">{pms_id ?? t('noPmsId')}</td>
              <td data-num data-wide="md">
                {spend === null ? t('noSpend') : format.number(spend, 'money')}
              </td>
              <td>
                <Badge tone={is_active ? 'green' : 'neutral'} dot>
                  {t(is_active ? 'active' : 'inactive')}
                </Badge>
              </td>
              <td>
                <LocationActions location={location} brands={brands} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}

interface BrandListProps {
  /** The looks of their e-mails. */
  looks: readonly BrandLook[]
  brands: readonly { id: string; name: string; postal_address: string | null }[]
  locations: readonly LocationRecord[]
}

/** The brands with the number of locations of each. */
export function BrandList({ brands, looks, locations }: BrandListProps) {
  const t = useTranslations('settings.locations')
  return (
    <ul className={classes.list} aria-label={t('brands')}>
      {brands.map((brand) => (
        <li key={brand.id}>
          <span className={classes.name}>{brand.name}</span>
          <span className={classes.count}>
            {t('count', { count: locations.filter(({ brand_id }) => brand_id === brand.id).length })}
          </span>
          <BrandActions brand={brand} look={looks.find(({ brand_id }) => brand_id === brand.id) ?? null} />
        </li>
      ))}
    </ul>
  )
}
