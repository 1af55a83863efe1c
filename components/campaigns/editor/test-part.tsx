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
import type { CampaignPreview } from '@/lib/campaigns/schema'
import { LARGE_POINTS, leastPoints, USUAL_SHARE } from './ab-size'
import { type EmailSurroundings, messagePaths, type PartProps, secondOf } from './draft'
import classes from './editor.module.css'

interface TestPartProps extends PartProps {
  /** How many guests would get each version; null while that is not known. */
  sides: CampaignPreview['variants'] | null
  sample: string | null
  email: EmailSurroundings
}

/** The test of a second version, and how many guests each version gets. */
export function TestPart({ draft, change, errorAt, sides, sample, email }: TestPartProps) {
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
          {sides ? <TestSize {...sides} by={draft.winnerBy} /> : null}
        </>
      ) : null}
    </Step>
  )
}

type TestSizeProps = CampaignPreview['variants'] & { by: 'visits' | 'clicks' }

/** How many guests each version gets, and the least difference that so many show. */
function TestSize({ a, b, rest, by }: TestSizeProps) {
  const t = useTranslations('client.campaignEditor.test')
  const format = useFormatter()
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
