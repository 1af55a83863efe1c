import { useTranslations } from 'next-intl'
import { BrandActions } from './brand-actions'
import classes from './brand-list.module.css'
import type { Location } from './location-body'

interface BrandListProps {
  brands: readonly { id: string; name: string }[]
  locations: readonly Location[]
}

/** The brands and how many locations each has. */
export function BrandList({ brands, locations }: BrandListProps) {
  const t = useTranslations('settings.locations')
  return (
    <ul className={classes.list} aria-label={t('brands')}>
      {brands.map((brand) => (
        <li key={brand.id}>
          <span className={classes.name}>{brand.name}</span>
          <span className={classes.count}>
            {t('count', { count: locations.filter(({ brand_id }) => brand_id === brand.id).length })}
          </span>
          <BrandActions brand={brand} />
        </li>
      ))}
    </ul>
  )
}
