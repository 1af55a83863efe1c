'use client'
import { Button } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { Refusal } from '@/components/forms/send'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { usePreview } from '@/components/forms/use-preview'
import { useSubmit } from '@/components/forms/use-submit'
import { TestSend } from '@/components/messages/test-send'
import { Failure } from '@/components/ui/failure'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import type { Automation, AutomationPreview } from '@/lib/automations/schema'
import type { AutomationType } from '@/lib/automations/types'
import { lookFor } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import { badVariable, bodyOf, type Draft, defaultCriteria, draftOf, newDraft } from './draft'
import { EditorForm } from './editor-form'
import { MessageStep } from './message-step'
import { PreviewPanel } from './preview'
import { useIssueText, useOwnTexts } from './problems'
import { ChannelStep, type Named, Step, WhatStep, WhomStep } from './steps'
import classes from './steps.module.css'

interface EditorProps {
  /** Absent for a new automation of `type`. */
  automation?: Automation
  type: AutomationType
  locations: (Named & { brand_id: string | null })[]
  tiers: Named[]
  /** The segments shared with the group. */
  segments: Named[]
  /** Channels that are not configured, so that messages cannot be sent. */
  troubles: ChannelTroubles
  looks: BrandLook[]
  /** EUR a segment of an SMS; null: no cost is shown. */
  smsPrice: number | null
  /** In which messages are written first. */
  groupLanguage: GuestLanguage
  /** The address of stored images, without their path. */
  imageBase: string
}

/** The fields that a conflict (409 EDITED_MEANWHILE) may name. */
const FIELDS = [
  'name',
  'status',
  'type',
  'channel',
  'fallback_channel',
  'subject',
  'body',
  'versions',
  'criteria',
] as const

/** A saved automation in the form's own shape. */
const inFormOf = (locale: string) => (automation: Automation) => {
  const { name, status } = automation
  return { ...bodyOf(draftOf(automation, locale), locale), name, status }
}

/** Sets up an automation in steps on one page, with a preview beside them. */
export default function Editor({
  automation,
  type,
  locations,
  tiers,
  segments,
  troubles,
  looks,
  smsPrice,
  groupLanguage,
  imageBase,
}: EditorProps) {
  const t = useTranslations('client.automationEditor')
  const types = useTranslations('client.automations.types')
  const locale = useLocale()
  const say = useToast()
  const router = useTabRouter()
  const names = tiers.map(({ name }) => name)
  const [draft, setDraft] = useState(() =>
    automation ? draftOf(automation, locale) : newDraft(type, types(type), names),
  )
  const [wanted, setWanted] = useState<'active' | 'inactive'>('inactive')
  const [shown, show] = useState<GuestLanguage | null>(null)
  // A refusal is no longer valid once something is changed.
  const [changed, setChanged] = useState(false)
  const [refusedTest, setRefusedTest] = useState<Refusal | null>(null)

  const fields = bodyOf(draft, locale)
  const asked = {
    ...fields,
    id: automation?.id,
    // As it is for guests of the language that is shown.
    language: draft.versions.length > 0 ? (shown ?? groupLanguage) : undefined,
  }
  const state = usePreview<AutomationPreview>('/api/automations/preview', asked)
  const texts = useOwnTexts(draft)
  const {
    form,
    busy,
    submit,
    refuse,
    errorAt: savedErrorAt,
    refusal,
    failure,
  } = useSubmit({ at: { ALREADY_EXISTS: 'name' }, texts })
  const issueText = useIssueText(texts)
  // The preview may be older than the last change; a refusal of the save is about the current form.
  const previewed = refusal && !changed ? [] : (state.refusal?.issues ?? [])
  const errorAt = (field: string) =>
    (changed ? undefined : savedErrorAt(field)) ??
    issueText(refusedTest?.issues ?? [], field) ??
    issueText(previewed, field)
  const kept = useDraft<Automation, Draft>(`automation:${automation?.id ?? `new:${type}`}`, {
    loaded: automation,
    state: draft,
    onState: setDraft,
  })
  const conflicts = useConflicts(kept, {
    label: (field) => t(`conflicts.${FIELDS.find((known) => known === field) ?? 'other'}`),
  })

  useEffect(() => {
    if (refusedTest) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusedTest, form])

  function change(changes: Partial<Draft>) {
    setDraft((now) => ({ ...now, ...changes }))
    setChanged(true)
    setRefusedTest(null)
  }

  function changeType(next: AutomationType) {
    const renamed = draft.name === types(draft.type) ? { name: types(next) } : {}
    const { segment_id = '' } = draft.criteria
    change({ type: next, criteria: { ...defaultCriteria(next, names), segment_id }, ...renamed })
  }

  async function save(status: 'active' | 'inactive') {
    setWanted(status)
    setChanged(false)
    setRefusedTest(null)
    const variable = badVariable(draft)
    if (variable !== null) return refuse(`content_variables.${variable}`)
    const seed = state.preview?.seed
    const seeded = !automation && seed ? { seed } : {}
    const [method, path] = automation
      ? ['PATCH', `/api/automations/${automation.id}`]
      : ['POST', '/api/automations']
    const sent = await submit<Automation>(
      method,
      path,
      conflicts.body({ ...fields, name: draft.name, status, ...seeded }, inFormOf(locale)),
    )
    if (!sent.ok) return conflicts.take(sent)
    kept.saved()
    say(t(status === 'active' ? 'savedActive' : 'saved', { name: sent.data.name }))
    router.push(`/automations/${sent.data.id}`)
    router.refresh()
  }

  const chosenBrands = locations.flatMap(({ id, brand_id }) =>
    draft.location_ids.includes(id) ? [brand_id] : [],
  )
  const step = { draft, change, errorAt }
  return (
    <EditorForm
      form={form}
      onSubmit={() => void save(automation?.status ?? 'inactive')}
      preview={<PreviewPanel {...state} />}
      actions={
        <>
          {conflicts.node}
          <Failure text={changed ? null : failure} />
          {kept.dirty ? <p className={classes.hint}>{t('unsaved')}</p> : null}
          <Button
            type={automation?.status === 'active' ? 'button' : 'submit'}
            variant="default"
            loading={busy && wanted === 'inactive'}
            onClick={automation?.status === 'active' ? () => save('inactive') : undefined}
          >
            {t('saveInactive')}
          </Button>
          <Button
            type={automation?.status === 'active' ? 'submit' : 'button'}
            loading={busy && wanted === 'active'}
            onClick={automation?.status === 'active' ? undefined : () => save('active')}
          >
            {t('saveActive')}
          </Button>
        </>
      }
    >
      {kept.node}
      <WhatStep {...step} onType={changeType} />
      <WhomStep {...step} locations={locations} tiers={tiers} segments={segments} />
      <ChannelStep {...step} troubles={troubles} />
      <MessageStep
        {...step}
        sample={state.preview?.sample?.body ?? null}
        guests={state.preview?.to_send ?? null}
        smsPrice={smsPrice}
        look={lookFor(looks, chosenBrands)}
        imageBase={imageBase}
        languages={{ group: groupLanguage, shown, show }}
      />
      <Step number={5} title={t('steps.test')}>
        <TestSend
          path="/api/automations/test"
          body={{ automation: asked }}
          channel={draft.channel}
          onRefused={setRefusedTest}
        />
      </Step>
    </EditorForm>
  )
}
