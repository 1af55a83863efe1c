'use client'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo, useRef, useState, useTransition } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { LoyaltyPreview, LoyaltyRule } from '@/lib/loyalty/grid-schema'
import { type CellText, cellKey, cellTexts, NO_RULE, readDrafts } from './grid-cells'
import { PreviewResult } from './preview-result'
import { RuleCell } from './rule-cell'
import { RulesBar } from './rules-bar'
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

/** What each location asks for each tier, edited in place, tried and saved together. Drafts stay until they are saved. */
export function RulesGrid({ tiers, locations, rules }: RulesGridProps) {
  const t = useTranslations('client.loyalty.rules')
  const form = useTranslations('client.form')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const grid = useRef<HTMLTableElement>(null)
  const [drafts, setDrafts] = useState<Record<string, CellText>>({})
  const [preview, setPreview] = useState<LoyaltyPreview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState<'preview' | 'save' | null>(null)
  const [, startTransition] = useTransition()
  const saved = useMemo(() => cellTexts(rules, locale), [rules, locale])
  const { changes, problems } = readDrafts(saved, drafts)

  function change(key: string, text: CellText) {
    setDrafts((now) => ({ ...now, [key]: text }))
    setPreview(null)
    setFailure(null)
  }

  /** Whether everything can be read; else the first field that cannot is where the person is led. */
  function readable(): boolean {
    setFailure(null)
    if (Object.keys(problems).length === 0) return true
    grid.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    return false
  }

  async function tryOut() {
    if (!readable()) return
    setBusy('preview')
    const sent = await send<LoyaltyPreview>('POST', '/api/loyalty/preview', { changes })
    setBusy(null)
    if (sent.ok) setPreview(sent.data)
    else setFailure(sent.status === 403 ? form('forbidden') : t('previewFailed'))
  }

  async function save() {
    if (!readable()) return
    setBusy('save')
    const sent = await send('PATCH', '/api/loyalty/rules', { changes })
    setBusy(null)
    if (!sent.ok) return setFailure(sent.status === 400 ? t('stale') : form(formProblem(sent.status)))
    say(t('saved', { count: changes.length }))
    setPreview(null)
    // Together: the fields never show what was there before.
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
        <Failure text={failure} />
      </div>
      <RulesBar
        count={changes.length}
        problems={Object.keys(problems).length}
        busy={busy}
        onPreview={tryOut}
        onSave={save}
        onDiscard={() => {
          setDrafts({})
          setPreview(null)
          setFailure(null)
        }}
      />
    </div>
  )
}
