import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Allergy } from '@/lib/customers/allergies'
import type { FactCode } from '@/lib/customers/fact-codes'
import { isSevere, severeFirst } from '@/lib/customers/severe'
import classes from './allergy-badges.module.css'

/** A badge for each recorded allergy of a guest, with its note; the severe ones first. */
export function AllergyBadges({ allergies }: { allergies: readonly Allergy[] }) {
  const t = useTranslations('client.service')
  const facts = useTranslations('client.facts')
  return severeFirst(allergies).map((allergy) => (
    <Badge key={allergy.code} tone="red" alarm={isSevere(allergy) ? 'severe' : 'plain'}>
      {t('allergy', { name: facts(allergy.code) })}
      {allergy.note ? ` (${allergy.note})` : null}
    </Badge>
  ))
}

/** A guest's recorded allergies in a line of their own; nothing where there are none. */
export function Allergies({ allergies }: { allergies: readonly Allergy[] | undefined }) {
  if (!allergies || allergies.length === 0) return null
  return (
    <span className={classes.line}>
      <AllergyBadges allergies={allergies} />
    </span>
  )
}

/** The same for the codes that the API gives beside a guest. */
export function AllergiesByCode({ codes }: { codes: readonly string[] }) {
  return <Allergies allergies={codes.map((code) => ({ code: code as FactCode, note: null }))} />
}
