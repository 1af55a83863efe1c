import { useTranslations } from 'next-intl'
import type { Allergy } from '@/lib/customers/allergies'
import { severeFirst } from '@/lib/customers/severe'
import classes from './allergy-note.module.css'

/** The allergies of a guest as one text, for labels and narrow bars; empty where there are none. */
export function useAllergyText(): (allergies: readonly Allergy[]) => string {
  const t = useTranslations('client.service')
  const facts = useTranslations('client.facts')
  return (allergies) =>
    allergies.length === 0
      ? ''
      : t('allergies', {
          count: allergies.length,
          list: severeFirst(allergies)
            .map(({ code, note }) => facts(code) + (note ? ` (${note})` : ''))
            .join(', '),
        })
}

/** That text after a sign; or the sign alone, where a bar may be too narrow for more. */
export function AllergyNote({ allergies, sign = false }: { allergies: readonly Allergy[]; sign?: boolean }) {
  const text = useAllergyText()(allergies)
  if (!text) return null
  return <span className={classes.note}>{sign ? null : text}</span>
}
