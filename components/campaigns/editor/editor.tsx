'use client'
import { Button } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useState, useTransition } from 'react'
import { EditorForm } from '@/components/automations/editor/editor-form'
import { useIssueText } from '@/components/automations/editor/problems'
import type { Named } from '@/components/automations/editor/steps'
import type { PickedCustomer } from '@/components/customers/customer-picker'
import { useDraft } from '@/components/forms/use-draft'
import { usePreview } from '@/components/forms/use-preview'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import type { Campaign, CampaignPreview } from '@/lib/campaigns/schema'
import { lookFor } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import { PreviewPanel } from '../preview'
import { bodyOf, type CampaignDraft, draftOf, newDraft } from './draft'
import classes from './editor.module.css'
import { FollowUpsPart } from './follow-ups-part'
import { badVariablePath, useOwnTexts } from './problems'
import { TestPart } from './test-part'
import { useVersion } from './use-version'
import { WhatPart } from './what-part'
import { type Hours, WhenPart } from './when-part'
import { WhomPart } from './whom-part'

export interface EditorProps {
  /** Absent for a new campaign. */
  campaign?: Campaign | undefined
  /** The segment that the person chose before they came. */
  segmentId?: string | undefined
  /** The proposed name of a new campaign. */
  name: string
  segments: Named[]
  locations: (Named & { brand_id: string | null })[]
  troubles: ChannelTroubles
  looks: BrandLook[]
  /** Days in which a guest gets one marketing message at most; 0: no limit. */
  capDays: number
  /** EUR a segment of an SMS; null: no cost is shown. */
  smsPrice: number | null
  /** In which messages are written first. */
  groupLanguage: GuestLanguage
  /** The address of stored images, without their path. */
  imageBase: string
  hours: Hours
  canSearch: boolean
}

type Next = 'stay' | 'review' | 'segment'

/** Sets up a campaign in parts on one page, with a preview as any guest beside them. */
export default function Editor({
  campaign,
  segmentId = '',
  name,
  hours,
  canSearch,
  ...choices
}: EditorProps) {
  const t = useTranslations('client.campaignEditor')
  const locale = useLocale()
  const say = useToast()
  const router = useTabRouter()
  const [draft, setDraft] = useState(() => (campaign ? draftOf(campaign) : newDraft(name, segmentId)))
  const [next, setNext] = useState<Next>('stay')
  const [shown, show] = useState<GuestLanguage | null>(null)
  // A refusal is no longer valid once something is changed.
  const [changed, setChanged] = useState(false)
  const [as, setAs] = useState<PickedCustomer | null>(null)
  // A new campaign is saved, and its own page is on its way: what was typed here meanwhile would be lost.
  const [moving, setMoving] = useState(false)
  // So would be what is typed while a draft is saved, until its page has the new version.
  const [arriving, arrive] = useTransition()

  const fields = bodyOf(draft, locale)
  const state = usePreview<CampaignPreview>('/api/campaigns/preview', {
    ...fields,
    // A time that is being typed is no time yet.
    starts_local: fields.starts_local || null,
    name: undefined,
    id: campaign?.id,
    customer_id: as?.id,
    // As it is for guests of the language that is shown, unless a guest is chosen.
    language:
      shown ??
      (as || !fields.messages.some(({ versions }) => versions.length > 0)
        ? undefined
        : choices.groupLanguage),
  })
  const texts = useOwnTexts(draft)
  const { form, busy, submit, refuse, errorAt: savedErrorAt, refusal, failure } = useSubmit({ texts })
  const issueText = useIssueText(texts)
  // The preview may be older than the last change; a refusal of the save is about the current form.
  const previewed = refusal && !changed ? [] : (state.refusal?.issues ?? [])
  const errorAt = (field: string) =>
    (changed ? undefined : savedErrorAt(field)) ?? issueText(previewed, field)
  const kept = useDraft<Campaign, CampaignDraft>(`campaign:${campaign?.id ?? `new:${segmentId}`}`, {
    loaded: campaign,
    state: draft,
    onState: setDraft,
  })
  const version = useVersion(kept)

  // Back from a new segment: it is chosen, as if by hand, and the address no longer says so.
  const choose = useEffectEvent(() => {
    if (!campaign || segmentId === '') return
    change({ segment_id: segmentId })
    window.history.replaceState(null, '', window.location.pathname)
  })
  useEffect(() => choose(), [])

  function change(changes: Partial<CampaignDraft>) {
    setDraft((now) => ({ ...now, ...changes }))
    setChanged(true)
  }

  async function save(then: Next) {
    setNext(then)
    setChanged(false)
    const variable = badVariablePath(draft)
    if (variable !== null) return refuse(variable)
    if (draft.when === 'at' && draft.start === '') return refuse('starts_local')
    const [method, path] = campaign ? ['PATCH', `/api/campaigns/${campaign.id}`] : ['POST', '/api/campaigns']
    const seed = state.preview?.seed
    const seeded = !campaign && seed ? { seed } : {}
    const sent = await submit<Campaign>(method, path, { ...fields, ...version.sent, ...seeded })
    if (!sent.ok) return void version.take(sent)
    kept.saved()
    // The way back must not lead to an empty form, which would make the campaign again.
    const go = campaign ? router.push : router.replace
    setMoving(!campaign)
    const { id } = sent.data
    if (then !== 'segment') say(t('saved', { name: sent.data.name }))
    arrive(() => {
      if (then === 'segment') return go(`/customers/segments/new?campaign=${id}`)
      go(then === 'review' ? `/campaigns/${id}` : `/campaigns/${id}/edit`)
      router.refresh()
    })
  }

  const part = { draft, change, errorAt }
  const brands = choices.locations
    .filter(({ id }) => draft.location_ids.includes(id))
    .map(({ brand_id }) => brand_id)
  const email = {
    look: lookFor(choices.looks, brands),
    imageBase: choices.imageBase,
    smsPrice: choices.smsPrice,
    languages: { group: choices.groupLanguage, shown, show },
  }
  const { preview } = state
  const message = (variant: 'a' | 'b') =>
    preview?.guest?.messages.find((one) => one.step === 1 && one.variant === variant)?.body ?? null
  return (
    <EditorForm
      form={form}
      inert={moving || busy || arriving}
      onSubmit={() => void save('stay')}
      preview={<PreviewPanel {...state} as={as} onAs={setAs} canSearch={canSearch} />}
      actions={
        <>
          {version.node}
          <Failure text={changed || version.node ? null : failure} />
          {kept.dirty ? <p className={classes.hint}>{t('unsaved')}</p> : null}
          <Button type="submit" variant="default" loading={busy && next === 'stay'}>
            {t('saveDraft')}
          </Button>
          <Button onClick={() => save('review')} loading={busy && next === 'review'}>
            {t('review')}
          </Button>
        </>
      }
    >
      {kept.node}
      <WhomPart
        {...part}
        segments={choices.segments}
        locations={choices.locations}
        matched={state.loading ? null : (preview?.matched ?? null)}
        onNewSegment={() => save('segment')}
      />
      <WhatPart
        {...part}
        troubles={choices.troubles}
        sample={message('a')}
        guests={preview?.to_send ?? null}
        email={email}
      />
      <TestPart
        {...part}
        sides={state.loading ? null : (preview?.variants ?? null)}
        sample={message('b')}
        email={email}
      />
      <FollowUpsPart {...part} troubles={choices.troubles} email={email} capDays={choices.capDays} />
      <WhenPart {...part} hours={hours} />
    </EditorForm>
  )
}
