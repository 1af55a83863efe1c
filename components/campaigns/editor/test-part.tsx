'use client'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { MessageFields } from '@/components/automations/editor/message-step'
import { fieldId } from '@/components/automations/editor/problems'
import { Step } from '@/components/automations/editor/steps'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { FormRow } from '@/components/ui/form-layout'
import { WINNER_BY } from '@/lib/campaigns/limits'
import { LARGE_POINTS, leastPoints, sidesOf, USUAL_SHARE } from './ab-size'
import { type EmailSurroundings, messagePaths, type PartProps, secondOf } from './draft'
import classes from './editor.module.css'

interface TestPartProps extends PartProps {
  /** To how many guests the campaign would write; null while that is not known. */
  guests: number | null
  sample: string | null
  email: EmailSurroundings
}

/** The test of a second version, and how many guests each version gets. */
export function TestPart({ draft, change, errorAt, guests, sample, email }: TestPartProps) {
  const t = useTranslations('client.campaignEditor')
  const locale = useLocale()
  const { first, hasTest, second } = draft
  const everyone = readNumber(draft.testShare, locale) === 100
  const begin = (on: boolean) => {
    const isEmpty = second.body === '' && second.subject === ''
    change({ hasTest: on, ...(on && isEmpty ? { second: first } : {}) })
  }
  return (
    <Step number={3} title={t('parts.test')}>
      <Checkbox
        id={fieldId('ab')}
        label={t('test.on')}
        description={t('test.hint')}
        checked={hasTest}
        onChange={(event) => begin(event.currentTarget.checked)}
      />
      {hasTest ? (
        <>
          <h3 className={classes.title}>{t('test.second')}</h3>
          <MessageFields
            message={secondOf(draft)}
            change={(changes) => change({ second: { ...second, ...changes } })}
            errorAt={errorAt}
            {...email}
            sample={sample}
            guests={null}
            type="campaign"
            at={messagePaths(draft).second}
          />
          <FormRow>
            <NumberField
              id={fieldId('ab.test_share')}
              label={t('test.share')}
              description={t('test.shareHint')}
              value={draft.testShare}
              onChange={(testShare) => change({ testShare })}
              error={errorAt('ab.test_share')}
            />
            <NativeSelect
              id={fieldId('ab.winner_by')}
              label={t('test.winnerBy')}
              data={WINNER_BY.map((value) => ({ value, label: t(`test.by.${value}`) }))}
              value={draft.winnerBy}
              onChange={(event) => change({ winnerBy: event.currentTarget.value as 'visits' | 'clicks' })}
              error={errorAt('ab.winner_by')}
            />
            <NumberField
              id={fieldId('ab.test_hours')}
              label={t('test.hours')}
              description={t(everyone ? 'test.hoursHintAll' : 'test.hoursHint')}
              value={draft.testHours}
              onChange={(testHours) => change({ testHours })}
              error={errorAt('ab.test_hours')}
            />
          </FormRow>
          <TestSize guests={guests} share={draft.testShare} by={draft.winnerBy} />
        </>
      ) : null}
    </Step>
  )
}

interface TestSizeProps {
  guests: number | null
  share: string
  by: 'visits' | 'clicks'
}

/** How many guests each version gets, and the least difference that so many show. */
function TestSize({ guests, share, by }: TestSizeProps) {
  const t = useTranslations('client.campaignEditor.test')
  const format = useFormatter()
  const per = readNumber(share, useLocale())
  if (guests === null || per === null || per < 10 || per > 100) return null
  const { a, b, rest } = sidesOf(guests, per)
  const usual = USUAL_SHARE[by]
  const points = leastPoints(Math.min(a, b), usual)
  const figures = {
    usual: format.number(100 * usual),
    points: Math.round(10 * (points ?? 0)) / 10,
    by: t(`of.${by}`),
  }
  return (
    <div role="status" className={classes.size}>
      <p>{t('sides', { a, b, rest })}</p>
      {points === null ? (
        <p className={classes.warning}>{t('nothing')}</p>
      ) : (
        <p className={points > LARGE_POINTS ? classes.warning : classes.hint}>
          {t(points > LARGE_POINTS ? 'tooFew' : 'enough', figures)}
        </p>
      )}
    </div>
  )
}
