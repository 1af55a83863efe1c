import { useTranslations } from 'next-intl'
import { NumberField } from '@/components/forms/number-field'
import { numberOrText } from '@/components/forms/numbers'
import { USUAL_STAYS } from '@/components/service/table-model'
import { FormRow } from '@/components/ui/form-layout'

type Stays = Readonly<Record<string, number>>
const FIELD = 'stay_'

/** How many minutes parties usually stay, by their size: when a table is free again follows from it. */
export function StayFields({ stays, error }: { stays: Stays | null; error?: string }) {
  const t = useTranslations('client.locations')
  const sizes = Object.entries(stays ?? USUAL_STAYS).sort(([one], [other]) => Number(one) - Number(other))
  return (
    <fieldset>
      <legend>{t('fields.stay')}</legend>
      <FormRow>
        {sizes.map(([upTo, minutes], index) => (
          <NumberField
            key={upTo}
            name={FIELD + upTo}
            label={
              index === sizes.length - 1 && sizes.length > 1
                ? t('fields.stayMore')
                : t('fields.stayUpTo', { count: Number(upTo) })
            }
            defaultValue={minutes}
            error={index === 0 ? error : Boolean(error)}
          />
        ))}
      </FormRow>
    </fieldset>
  )
}

/** The stays of a form for the API: null for the usual ones. What is no number is sent as typed, for the API to refuse. */
export function stayBody(fields: FormData, locale: string): Record<string, unknown> | null {
  const typed = [...fields].flatMap(([name, value]) =>
    name.startsWith(FIELD) ? [[name.slice(FIELD.length), numberOrText(String(value), locale)] as const] : [],
  )
  const isUsual =
    typed.length === Object.keys(USUAL_STAYS).length &&
    typed.every(([upTo, minutes]) => USUAL_STAYS[upTo] === minutes)
  return isUsual ? null : Object.fromEntries(typed)
}
