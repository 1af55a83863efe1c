import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Allergy } from '@/lib/customers/allergies'
import classes from './reservation-table.module.css'

/** A guest's recorded allergies; nothing where there are none. */
export function Allergies({ allergies }: { allergies: readonly Allergy[] }) {
  const t = useTranslations('home.know.reasons')
  const facts = useTranslations('client.facts')
  if (allergies.length === 0) return null
  return (
    <span className={classes.risk}>
      {allergies.map(({ code, note }) => (
        <Badge key={code} tone="red">
          {t('allergyTo', { allergen: facts(code) })}
          {note ? ` (${note})` : null}
        </Badge>
      ))}
    </span>
  )
}
