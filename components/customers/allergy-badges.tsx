import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Allergy } from '@/lib/customers/allergies'

/** A badge for each recorded allergy of a guest, with its note. */
export function AllergyBadges({ allergies }: { allergies: readonly Allergy[] }) {
  const t = useTranslations('client.service')
  const facts = useTranslations('client.facts')
  return allergies.map(({ code, note }) => (
    <Badge key={code} tone="red">
      {t('allergy', { name: facts(code) })}
      {note ? ` (${note})` : null}
    </Badge>
  ))
}
