'use client'
import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { CityField } from '@/components/customers/city-field'
import { TagField } from '@/components/customers/tag-field'
import { asChoices, useGuestLanguages } from '@/components/customers/use-guest-languages'
import { RFM_CLASSES } from '@/lib/segments/limits'
import type { SegmentField } from '@/lib/segments/schema'
import {
  Between,
  Bounds,
  Checks,
  type Choices,
  Consent,
  Days,
  Facts,
  Month,
  One,
  Period,
  Places,
  Typed,
  type ValuesProps,
  Way,
  Weekdays,
} from './condition-fields'
import { type ConditionDraft, conditionOf, FIELDS, newCondition } from './draft'
import classes from './segments.module.css'

interface ConditionRowProps {
  draft: ConditionDraft
  /** Its position, for screen readers. */
  number: string
  choices: Choices
  onChange: (draft: ConditionDraft) => void
  onRemove: () => void
}

/** One condition: its field, whether it must hold or must not, and its values. */
export function ConditionRow({ draft, number, choices, onChange, onRemove }: ConditionRowProps) {
  const t = useTranslations('client.segments')
  const locale = useLocale()
  return (
    <fieldset className={classes.condition} data-segment-part={draft.key}>
      <legend className={classes.legend}>{t('condition', { number })}</legend>
      <div className={classes.head}>
        <NativeSelect
          label={t('field')}
          data={FIELDS.map((field) => ({ value: field, label: t(`fields.${field}`) }))}
          value={draft.field}
          onChange={(event) => {
            const field = event.currentTarget.value as SegmentField
            onChange({ ...newCondition(draft.key, field), negated: draft.negated })
          }}
        />
        <NativeSelect
          label={t('holds')}
          data={[
            { value: '', label: t('yes') },
            { value: 'not', label: t('no') },
          ]}
          value={draft.negated ? 'not' : ''}
          onChange={(event) => onChange({ ...draft, negated: event.currentTarget.value === 'not' })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('removeCondition', { number })}
          title={t('removeCondition', { number })}
          onClick={onRemove}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.values}>
        <Values
          draft={draft}
          choices={choices}
          change={(changes) => onChange({ ...draft, ...changes, broken: false })}
        />
      </div>
      {conditionOf(draft, locale) === null ? (
        <p className={classes.missing}>{t(draft.broken ? 'brokenCondition' : 'incomplete')}</p>
      ) : null}
    </fieldset>
  )
}

/** The controls for the values of a condition's field. */
function Values(props: ValuesProps) {
  const t = useTranslations('client.segments')
  const languages = asChoices(useGuestLanguages())
  const { draft, choices, change } = props
  switch (draft.field) {
    case 'search':
      return <Typed {...props} name="text" label={t('text')} most={200} />
    case 'tags':
      return (
        <>
          <Way {...props} />
          <TagField
            label={t('tags')}
            hint={t('tagsHint')}
            remove={(tag) => t('removeTag', { tag })}
            error={undefined}
            words={draft.list}
            onChange={(list) => change({ list: [...list] })}
          />
        </>
      )
    case 'source':
      return <Typed {...props} name="text" label={t('sources')} hint={t('sourcesHint')} most={3000} />
    case 'tier':
      return (
        <Checks
          label={t('tiers')}
          options={choices.tiers}
          chosen={draft.list}
          onChange={(list) => change({ list })}
        />
      )
    case 'rhythm':
      return <Way {...props} />
    case 'rfm':
      return (
        <Checks
          label={t('classes')}
          options={RFM_CLASSES.map((id) => ({ id, name: t(`rfm.${id}`) }))}
          chosen={draft.list}
          onChange={(list) => change({ list })}
        />
      )
    case 'location':
      return <Places {...props} label={t('usualLocation')} />
    case 'facts':
      return (
        <>
          <Way {...props} />
          <Facts {...props} />
        </>
      )
    case 'consent':
      return <Consent {...props} />
    case 'visits':
    case 'spend':
      return (
        <>
          <Bounds {...props} />
          <Period {...props} />
          <Places {...props} label={t('locations')} />
        </>
      )
    case 'points':
    case 'no_shows':
    case 'no_show_rate':
    case 'party_size':
      return <Bounds {...props} />
    case 'survey_score':
      return (
        <>
          <Bounds {...props} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'received':
    case 'opened':
    case 'clicked':
      return (
        <>
          <One {...props} name="campaign" options={choices.campaigns} label={t('campaign')} />
          <One {...props} name="automation" options={choices.automations} label={t('automation')} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'not_written':
      return <Days {...props} />
    case 'visited_on':
      return (
        <>
          <Way {...props} />
          <Weekdays {...props} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'first_visit':
      return <Period {...props} />
    case 'postal_code':
      return <Typed {...props} name="text" label={t('prefixes')} hint={t('prefixesHint')} most={700} />
    case 'city':
      return (
        <CityField
          label={t('cities')}
          hint={t('citiesHint')}
          remove={(city) => t('removeTag', { tag: city })}
          error={undefined}
          words={draft.list}
          onChange={(list) => change({ list: [...list] })}
        />
      )
    case 'language':
      return (
        <Checks
          label={t('languages')}
          options={languages.map(({ value, label }) => ({ id: value, name: label }))}
          chosen={draft.list}
          onChange={(list) => change({ list })}
        />
      )
    case 'last_visit':
    case 'created':
      return (
        <>
          <Way {...props} />
          {draft.is === 'between' ? <Between {...props} /> : null}
          {draft.is === 'within' || draft.is === 'before' ? <Days {...props} /> : null}
        </>
      )
    case 'birthday':
      return (
        <>
          <Way {...props} />
          {draft.is === 'next_days' ? <Days {...props} /> : null}
          {draft.is === 'month' ? <Month {...props} /> : null}
        </>
      )
    case 'booking':
      return (
        <>
          <Days {...props} />
          <Places {...props} label={t('locations')} />
        </>
      )
    default:
      return null
  }
}
