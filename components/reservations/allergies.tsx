import { AllergyBadges } from '@/components/customers/allergy-badges'
import type { Allergy } from '@/lib/customers/allergies'
import classes from './reservation-table.module.css'

/** A guest's recorded allergies in a line of their own; nothing where there are none. */
export function Allergies({ allergies }: { allergies: readonly Allergy[] }) {
  if (allergies.length === 0) return null
  return (
    <span className={classes.risk}>
      <AllergyBadges allergies={allergies} />
    </span>
  )
}
