import { type Messages, useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import type { Identity } from '@/lib/identity/schema'
import { evidenceKey } from './evidence'
import classes from './weights-panel.module.css'

type Field = keyof Messages['settings']['identity']['fields']
const EXAMPLE = { one: 'Pepe', other: 'José' }

/** The weight of each level of agreement, field by field, in words. */
export function WeightsPanel({ weights }: Pick<Identity, 'weights'>) {
  const t = useTranslations('settings.identity')
  const words = useTranslations('duplicates')
  const fields = [...new Set(weights.map(({ field }) => field))]
  const points = (bits: number) => {
    if (bits > 0) return t('adds', { bits })
    return bits < 0 ? t('takes', { bits: -bits }) : t('neutral')
  }
  return (
    <Panel title={t('weights')}>
      <p className={classes.text}>{t('weightsText')}</p>
      <div className={classes.fields}>
        {fields.map((field) => (
          <section key={field}>
            <h3 className={classes.field}>{t(`fields.${field as Field}`)}</h3>
            <dl className={classes.levels}>
              {weights
                .filter((weight) => weight.field === field)
                .sort((a, b) => b.bits - a.bits)
                .map(({ level, bits }) => (
                  <div key={level} className={classes.level}>
                    <dt>{words(evidenceKey(field, level), EXAMPLE)}</dt>
                    <dd>{points(bits)}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Panel>
  )
}
