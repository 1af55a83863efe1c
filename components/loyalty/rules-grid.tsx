'use client'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useMemo, useRef, useState, useTransition } from 'react'
import { useNumberProblem } from '@/components/forms/number-field'
import { EUR, numberInput } from '@/components/forms/numbers'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { LoyaltyPreview, LoyaltyRule } from '@/lib/loyalty/schema'
import { type CellProblem, type CellText, cellKey, cellTexts, NO_RULE, readDrafts } from './grid-cells'
import { PreviewResult } from './preview-result'
import classes from './rules-grid.module.css'

interface Named {
  id: string
  name: string
}

interface RulesGridProps {
  tiers: readonly Named[]
  locations: readonly Named[]
  rules: readonly LoyaltyRule[]
}

/** The rules of each location for each tier, edited in place, previewed and saved together. */
export function RulesGrid({ tiers, locations, rules }: RulesGridProps) {
  const t = useTranslations('client.loyalty.rules')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const grid = useRef<HTMLTableElement>(null)
  const [drafts, setDrafts] = useState<Record<string, CellText>>({})
  const [preview, setPreview] = useState<LoyaltyPreview | null>(null)
  const trial = useSubmit({ texts: { failed: t('previewFailed') } })
  const saving = useSubmit({ texts: { INVALID_INPUT: t('stale') } })
  const [, startTransition] = useTransition()
  const saved = useMemo(() => cellTexts(rules, locale), [rules, locale])
  const { changes, problems } = readDrafts(saved, drafts, locale)

  function forget() {
    setPreview(null)
    trial.clear()
    saving.clear()
  }

  function change(key: string, text: CellText) {
    setDrafts((now) => ({ ...now, [key]: text }))
    forget()
  }

  /** Whether every cell is valid; else the first invalid field takes the focus. */
  function isValid(): boolean {
    trial.clear()
    saving.clear()
    if (Object.keys(problems).length === 0) return true
    grid.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    return false
  }

  async function tryOut() {
    if (!isValid()) return
    const answer = await trial.submit<LoyaltyPreview>('POST', '/api/loyalty/preview', { changes })
    if (answer.ok) setPreview(answer.data)
  }

  async function save() {
    if (!isValid()) return
    const answer = await saving.submit('PATCH', '/api/loyalty/rules', { changes })
    if (!answer.ok) return
    say(t('saved', { count: changes.length }))
    setPreview(null)
    // In one transition: the fields never show the old values.
    startTransition(() => {
      router.refresh()
      setDrafts({})
    })
  }

  return (
    <div>
      <div className={classes.scroll}>
        <table ref={grid} className={classes.grid}>
          <caption>{t('caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('location')}</th>
              {tiers.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {locations.map((location) => (
              <tr key={location.id}>
                <th scope="row">{location.name}</th>
                {tiers.map((tier) => {
                  const key = cellKey(location.id, tier.id)
                  return (
                    <RuleCell
                      key={tier.id}
                      tier={tier.name}
                      location={location.name}
                      text={drafts[key] ?? saved.get(key) ?? NO_RULE}
                      problem={problems[key]}
                      changed={changes.some((one) => cellKey(one.location_id, one.tier_id) === key)}
                      onChange={(text) => change(key, text)}
                    />
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {preview ? <PreviewResult preview={preview} tiers={tiers} locations={locations} /> : null}
      <div className={classes.failure}>
        <Failure text={trial.failure ?? saving.failure} />
      </div>
      <RulesBar
        count={changes.length}
        problems={Object.keys(problems).length}
        busy={trial.busy ? 'preview' : saving.busy ? 'save' : null}
        onPreview={tryOut}
        onSave={save}
        onDiscard={() => {
          setDrafts({})
          forget()
        }}
      />
    </div>
  )
}

interface RuleCellProps {
  tier: string
  location: string
  text: CellText
  problem: CellProblem | undefined
  changed: boolean
  onChange: (text: CellText) => void
}

/** A location's rule for a tier: visits and spend. Both empty: the tier does not apply there. */
function RuleCell({ tier, location, text, problem, changed, onChange }: RuleCellProps) {
  const t = useTranslations('client.loyalty.rules')
  const id = useId()
  const problemIn = useNumberProblem()
  const field = (name: keyof CellText) => (
    <label className={classes.field}>
      <span aria-hidden>{t(`short.${name}`)}</span>
      <input
        aria-label={t(`fields.${name}`, { tier, location })}
        {...numberInput(name === 'visits' ? {} : EUR)}
        value={text[name]}
        placeholder="–"
        aria-invalid={problem === name || undefined}
        aria-describedby={problem === name ? id : undefined}
        onChange={(event) => onChange({ ...text, [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <td data-changed={changed || undefined}>
      <span className={classes.tier} aria-hidden>
        {tier}
      </span>
      <div className={classes.fields}>
        {field('visits')}
        {field('spend')}
      </div>
      {problem ? (
        <p id={id} className={classes.problem}>
          {(problem === 'spend' && problemIn(text.spend, EUR)) || t(`problems.${problem}`)}
        </p>
      ) : null}
    </td>
  )
}

interface RulesBarProps {
  /** Changes that are not saved. */
  count: number
  /** Invalid cells. */
  problems: number
  busy: 'preview' | 'save' | null
  onPreview: () => void
  onSave: () => void
  onDiscard: () => void
}

/** How many changes there are, and the buttons to preview, save or discard them. */
function RulesBar({ count, problems, busy, onPreview, onSave, onDiscard }: RulesBarProps) {
  const t = useTranslations('client.loyalty.rules')
  const form = useTranslations('client.form')
  const dirty = count > 0 || problems > 0
  return (
    <div className={classes.bar} data-dirty={dirty || undefined}>
      <p role="status">{problems > 0 ? t('wrong', { count: problems }) : t('unsaved', { count })}</p>
      {dirty ? (
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          {form('discard')}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        loading={busy === 'preview'}
        onClick={onPreview}
      >
        {t('preview')}
      </Button>
      <Button disabled={!dirty} loading={busy === 'save'} onClick={onSave}>
        {form('save')}
      </Button>
    </div>
  )
}
