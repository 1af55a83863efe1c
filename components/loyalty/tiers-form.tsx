'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { LoyaltyConfig } from '@/lib/loyalty/schema'
import { parseNumber, showNumber } from './numbers'
import { type TierDraft, type TierProblem, TierRow } from './tier-row'
import classes from './tiers-form.module.css'

const MAX_TIERS = 20
const MAX_POINTS = 1000

/** The tiers in order: minimum spend, multiplier, place, and new ones. A tier keeps its name: customers hold it by that name. */
export default function TiersForm({ tiers, onClose }: LoyaltyConfig & { onClose: () => void }) {
  const t = useTranslations('client.loyalty.tiers')
  const form = useTranslations('client.form')
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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

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
    const found = problemsOf(drafts)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const body = {
      tiers: drafts.map(({ name, spend, points }) => ({
        name: name.trim(),
        min_spend: parseNumber(spend),
        points_multiplier: parseNumber(points),
      })),
    }
    const sent = await send('PUT', '/api/loyalty/config', body)
    setBusy(false)
    if (!sent.ok) return setFailure(form(formProblem(sent.status)))
    say(t('saved'))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
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
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}

function problemsOf(drafts: readonly TierDraft[]): Record<string, TierProblem> {
  const found: Record<string, TierProblem> = {}
  for (const { key, name, spend, points } of drafts) {
    const number = parseNumber(points)
    if (number === null || number > MAX_POINTS) found[key] = 'points'
    if (parseNumber(spend) === null) found[key] = 'spend'
    if (name.trim() === '') found[key] = 'name'
    else if (drafts.some((other) => other.key !== key && other.name.trim() === name.trim()))
      found[key] = 'taken'
  }
  return found
}
