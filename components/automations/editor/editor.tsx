'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { Automation } from '@/lib/automations/schema'
import type { AutomationType } from '@/lib/automations/types'
import type { ChannelTroubles } from '@/lib/messaging/channel-troubles'
import { ChannelStep } from './channel-step'
import { badVariable, bodyOf, type Draft, defaultCriteria, draftOf, newDraft } from './draft'
import classes from './editor.module.css'
import { MessageStep } from './message-step'
import { PreviewPanel } from './preview-panel'
import { type Problem, problemOf } from './problem'
import { TestStep } from './test-step'
import { useLeaveGuard } from './use-leave-guard'
import { usePreview } from './use-preview'
import { type ErrorAt, fieldId, useProblems } from './use-problems'
import { WhatStep } from './what-step'
import { type Named, WhomStep } from './whom-step'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** What every step of the editor gets. */
export interface StepProps {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  errorAt: ErrorAt
}

export interface EditorProps {
  /** Absent: a new one of `type`. */
  automation?: Automation
  type: AutomationType
  locations: Named[]
  tiers: Named[]
  /** Channels whose messages go nowhere yet. */
  troubles: ChannelTroubles
}

/** Sets an automation up, step by step on one page, with a preview beside it. */
export default function Editor({ automation, type, locations, tiers, troubles }: EditorProps) {
  const t = useTranslations('client.automationEditor')
  const form = useTranslations('client.form')
  const types = useTranslations('client.automations.types')
  const say = useToast()
  const router = useRouter()
  const names = tiers.map(({ name }) => name)
  const [first] = useState(() => (automation ? draftOf(automation) : newDraft(type, types(type), names)))
  const [draft, setDraft] = useState(first)
  const [busy, setBusy] = useState<'active' | 'inactive' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)

  const fields = bodyOf(draft)
  const asked = automation ? { ...fields, id: automation.id } : fields
  const state = usePreview(asked)
  const live = state.problem && state.problem !== 'failed' ? [state.problem] : []
  const errorAt = useProblems(problem ? [problem, ...live] : live)
  const dirty = !saved && JSON.stringify(draft) !== JSON.stringify(first)
  const { leave, stay } = useLeaveGuard(dirty)

  // Whoever works by keyboard is taken to what has to be mended.
  useEffect(() => {
    if (problem) document.getElementById(fieldId(problem.field))?.focus()
  }, [problem])

  function change(changes: Partial<Draft>) {
    setDraft((now) => ({ ...now, ...changes }))
    setProblem(null)
    setFailure(null)
  }

  function changeType(next: AutomationType) {
    const renamed = draft.name === types(draft.type) ? { name: types(next) } : {}
    change({ type: next, criteria: defaultCriteria(next, names), ...renamed })
  }

  async function save(status: 'active' | 'inactive') {
    const variable = badVariable(draft)
    if (variable !== null) {
      setProblem({ kind: 'field', field: `content_variables.${variable}`, text: 'variable' })
      return setFailure(t('problems.notSaved'))
    }
    setBusy(status)
    setProblem(null)
    setFailure(null)
    const [method, path] = automation
      ? ['PATCH', `/api/automations/${automation.id}`]
      : ['POST', '/api/automations']
    const sent = await send<Automation>(method, path, { ...fields, name: draft.name, status })
    setBusy(null)
    if (!sent.ok) {
      const found = problemOf(sent)
      setProblem(found)
      return setFailure(
        found
          ? t(found.field === '' ? 'problems.changed' : 'problems.notSaved')
          : form(formProblem(sent.status)),
      )
    }
    setSaved(true)
    say(t(status === 'active' ? 'savedActive' : 'saved', { name: sent.data.name }))
    router.push(`/automations/${sent.data.id}`)
    router.refresh()
  }

  const step = { draft, change, errorAt }
  return (
    <form
      className={classes.grid}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(automation?.status ?? 'inactive')
      }}
    >
      <div className={classes.steps}>
        <WhatStep {...step} onType={changeType} />
        <WhomStep {...step} locations={locations} tiers={tiers} />
        <ChannelStep {...step} troubles={troubles} />
        <MessageStep {...step} sample={state.preview?.sample?.body ?? null} />
        <TestStep channel={draft.channel} body={asked} onProblem={setProblem} />
      </div>
      <div className={classes.side}>
        <PreviewPanel {...state} />
        <div className={classes.actions}>
          <Failure text={failure} />
          {dirty ? <p className={classes.unsaved}>{t('unsaved')}</p> : null}
          <Button
            type={automation?.status === 'active' ? 'button' : 'submit'}
            variant="default"
            loading={busy === 'inactive'}
            onClick={automation?.status === 'active' ? () => save('inactive') : undefined}
          >
            {t('saveInactive')}
          </Button>
          <Button
            type={automation?.status === 'active' ? 'submit' : 'button'}
            loading={busy === 'active'}
            onClick={automation?.status === 'active' ? undefined : () => save('active')}
          >
            {t('saveActive')}
          </Button>
        </div>
      </div>
      {leave ? (
        <ConfirmDialog
          title={t('leave.title')}
          text={t('leave.text')}
          action={t('leave.confirm')}
          onConfirm={async () => {
            leave()
            return null
          }}
          onClose={stay}
        />
      ) : null}
    </form>
  )
}
