'use client'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { EUR, readNumber, showNumber } from '@/components/forms/numbers'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { LoyaltyConfig } from '@/lib/loyalty/schema'
import classes from './tiers-form.module.css'

const MAX_TIERS = 20
const MAX_POINTS = 1000
const MAX_EUR = 9_999_999_999
/** A multiplier of points. */
const FACTOR = { decimals: 2 }

/**
 * The tiers in order: minimum spend, multiplier, rank, and new ones. Existing tiers keep their name, because
 * customers hold a tier by its name.
 */
export default function TiersForm({ tiers, onClose }: LoyaltyConfig & { onClose: () => void }) {
  const t = useTranslations('client.loyalty.tiers')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const added = useRef(0)
  const [drafts, setDrafts] = useState<TierDraft[]>(() =>
    tiers.map((tier) => ({
      ...tier,
      key: tier.name,
      isNew: false,
      spend: showNumber(tier.min_spend, locale),
      points: showNumber(tier.points_multiplier, locale),
    })),
  )
  const [problems, setProblems] = useState<Record<string, TierProblem>>({})
  const { busy, submit, failure } = useSubmit()
  const draft = useDraft('tiers', { state: drafts, onState: setDrafts })

  function change(key: string, changes: Partial<TierDraft>) {
    setDrafts((now) => now.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)))
  }

  function move(index: number, by: -1 | 1) {
    setDrafts((now) => {
      const next = [...now]
      const [moved] = next.splice(index, 1)
      if (moved) next.splice(index + by, 0, moved)
      return next
    })
  }

  function add() {
    added.current += 1
    setDrafts((now) => [
      ...now,
      { key: `new-${added.current}`, isNew: true, name: '', spend: '0', points: '1' },
    ])
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const found = problemsOf(drafts, locale)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    const body = {
      tiers: drafts.map(({ name, spend, points }) => ({
        name: name.trim(),
        min_spend: readNumber(spend, locale, EUR),
        points_multiplier: readNumber(points, locale, FACTOR),
      })),
    }
    const answer = await submit('PUT', '/api/loyalty/config', body)
    if (!answer.ok) return
    draft.saved()
    say(t('saved'))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
      {draft.node}
      <form onSubmit={save} noValidate>
        <p className={classes.text}>{t('text')}</p>
        <ol className={classes.tiers}>
          {drafts.map((draft, index) => (
            <TierRow
              key={draft.key}
              draft={draft}
              place={index + 1}
              of={drafts.length}
              problem={problems[draft.key]}
              onChange={(changes) => change(draft.key, changes)}
              onMove={(by) => move(index, by)}
              onRemove={() => setDrafts((now) => now.filter(({ key }) => key !== draft.key))}
            />
          ))}
        </ol>
        {drafts.length < MAX_TIERS ? (
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t('add')}
          </Button>
        ) : null}
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
      </form>
    </Dialog>
  )
}

function problemsOf(drafts: readonly TierDraft[], locale: string): Record<string, TierProblem> {
  const found: Record<string, TierProblem> = {}
  for (const { key, name, spend, points } of drafts) {
    const [factor, least] = [readNumber(points, locale, FACTOR), readNumber(spend, locale, EUR)]
    if (factor === null || factor < 0 || factor > MAX_POINTS) found[key] = 'points'
    if (least === null || least < 0 || least > MAX_EUR) found[key] = 'spend'
    if (name.trim() === '') found[key] = 'name'
    else if (drafts.some((other) => other.key !== key && other.name.trim() === name.trim()))
      found[key] = 'taken'
  }
  return found
}

/** An edited tier; `spend` and `points` are the texts of the fields. */
export interface TierDraft {
  key: string
  isNew: boolean
  name: string
  spend: string
  points: string
}
export type TierProblem = 'name' | 'taken' | 'spend' | 'points'

interface TierRowProps {
  draft: TierDraft
  place: number
  of: number
  problem: TierProblem | undefined
  onChange: (changes: Partial<TierDraft>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One tier of the form. */
function TierRow({ draft, place, of, problem, onChange, onMove, onRemove }: TierRowProps) {
  const t = useTranslations('client.loyalty.tiers')
  const name = draft.name || t('unnamed')
  const button = (label: string, Picture: typeof IconArrowUp, onClick: () => void, disabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Picture size={17} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
  return (
    <li className={classes.tier}>
      <TextInput
        label={t('name', { place })}
        value={draft.name}
        readOnly={!draft.isNew}
        maxLength={60}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={problem === 'name' || problem === 'taken' ? t(`problems.${problem}`) : undefined}
      />
      <NumberField
        {...EUR}
        label={t('spend')}
        value={draft.spend}
        onChange={(spend) => onChange({ spend })}
        error={problem === 'spend' ? t('problems.spend') : undefined}
      />
      <NumberField
        {...FACTOR}
        label={t('points')}
        value={draft.points}
        onChange={(points) => onChange({ points })}
        error={problem === 'points' ? t('problems.points') : undefined}
      />
      <span className={classes.buttons}>
        {button(t('up', { name }), IconArrowUp, () => onMove(-1), place === 1)}
        {button(t('down', { name }), IconArrowDown, () => onMove(1), place === of)}
        {draft.isNew ? button(t('remove', { name }), IconTrash, onRemove) : null}
      </span>
    </li>
  )
}
