'use client'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { CellProblem, CellText } from './grid-cells'
import classes from './rules-grid.module.css'

interface RuleCellProps {
  tier: string
  location: string
  text: CellText
  problem: CellProblem | undefined
  changed: boolean
  onChange: (text: CellText) => void
}

/** What a location asks for a tier: visits and spend; both empty, the tier is not given there. */
export function RuleCell({ tier, location, text, problem, changed, onChange }: RuleCellProps) {
  const t = useTranslations('client.loyalty.rules')
  const id = useId()
  const field = (name: keyof CellText) => (
    <label className={classes.field}>
      <span aria-hidden>{t(`short.${name}`)}</span>
      <input
        aria-label={t(`fields.${name}`, { tier, location })}
        inputMode={name === 'visits' ? 'numeric' : 'decimal'}
        value={text[name]}
        placeholder="–"
        maxLength={14}
        autoComplete="off"
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
          {t(`problems.${problem}`)}
        </p>
      ) : null}
    </td>
  )
}
