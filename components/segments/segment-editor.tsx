'use client'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { same } from '@/components/forms/draft-store'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { usePreview } from '@/components/forms/use-preview'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormFields } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import { MAX_DEPTH } from '@/lib/segments/limits'
import type { Segment, SegmentNode, SegmentPreview } from '@/lib/segments/schema'
import { Builder } from './builder'
import type { Choices } from './condition-fields'
import { definitionOf, depthOf, draftOf, type GroupDraft, newCondition, newGroup } from './draft'
import { PreviewPanel } from './segment-preview'
import classes from './segments.module.css'

interface SegmentEditorProps {
  /** Absent for a new segment. */
  segment?: Segment
  /** The initial content of a new segment. */
  proposed?: { name: string; definition: SegmentNode | null }
  choices: Choices
  /** The campaign that a new segment is for: its editor follows, and only a shared segment serves. */
  campaignId?: string | undefined
}

interface Typed {
  name: string
  shared: boolean
  root: GroupDraft
}

const EMPTY: GroupDraft = { ...newGroup(1), parts: [newCondition(2)] }

/** Edits a segment's name and conditions, and shows the matching customers before it is saved. */
export default function SegmentEditor({ segment, proposed, choices, campaignId }: SegmentEditorProps) {
  const t = useTranslations('client.segments')
  const locale = useLocale()
  const say = useToast()
  const router = useTabRouter()
  const [typed, setTyped] = useState<Typed>(() => ({
    ...typedOf(segment, proposed, locale),
    ...(campaignId ? { shared: true } : {}),
  }))
  const { name, shared, root } = typed
  const change = (changes: Partial<Typed>) => setTyped((now) => ({ ...now, ...changes }))

  const definition = depthOf(root) > MAX_DEPTH ? null : definitionOf(root, locale)
  const asked = definition && { definition, ...(segment ? { id: segment.id } : {}) }
  const state = usePreview<SegmentPreview>('/api/segments/preview', asked)
  const kept = useDraft<Segment, Typed>(`segment:${segment?.id ?? `new:${proposed?.name ?? ''}`}`, {
    loaded: segment,
    state: typed,
    onState: setTyped,
  })
  const conflicts = useConflicts(kept, {
    label: (field) => t(`conflicts.${field === 'name' || field === 'shared' ? field : 'definition'}`),
    show: (field, value) => (field === 'shared' ? t(value ? 'withAll' : 'mine') : undefined),
  })
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['name'],
    at: { ALREADY_EXISTS: 'name' },
  })
  // Compare the meaning, not the spelling: a definition from the API may be written in another way.
  const inForm = (one: Segment) => ({
    name: one.name,
    shared: one.shared,
    definition: definitionOf(draftOf(one.definition, locale), locale),
  })
  const changed =
    segment !== undefined && definition !== null && !same(definition, inForm(segment).definition)

  async function save() {
    if (name.trim() === '') return refuse('name')
    if (definition === null) return
    const [method, path] = segment ? ['PATCH', `/api/segments/${segment.id}`] : ['POST', '/api/segments']
    const body = conflicts.body({ name: name.trim(), shared, definition }, inForm)
    const sent = await submit<Segment>(method, path, body)
    if (!sent.ok) return conflicts.take(sent)
    kept.saved()
    say(t('saved', { name: sent.data.name }))
    const { id } = sent.data
    router.push(campaignId ? `/campaigns/${campaignId}/edit?segment_id=${id}` : `/customers/segments/${id}`)
    router.refresh()
  }

  return (
    <form
      ref={form}
      className={classes.grid}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className={classes.side}>
        {kept.node}
        <Panel title={t('what')}>
          <FormFields>
            <TextInput
              label={t('name')}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={errorAt('name')}
              maxLength={120}
              autoComplete="off"
            />
            <Checkbox
              label={t('shared')}
              description={t('sharedHint')}
              checked={shared}
              onChange={(event) => change({ shared: event.currentTarget.checked })}
            />
          </FormFields>
        </Panel>
        <Panel title={t('conditions')}>
          <Builder root={root} choices={choices} onChange={(next) => change({ root: next })} />
          {depthOf(root) > MAX_DEPTH ? (
            <p role="alert" className={classes.missing}>
              {t('tooDeep', { most: MAX_DEPTH })}
            </p>
          ) : null}
        </Panel>
      </div>
      <div className={classes.side}>
        <PreviewPanel {...state} incomplete={definition === null} changed={changed} />
        {conflicts.node}
        <Failure text={failure} />
        <div className={classes.actions}>
          {kept.dirty ? <p className={classes.rest}>{t('unsaved')}</p> : null}
          <Button type="submit" loading={busy} disabled={definition === null}>
            {t('save')}
          </Button>
        </div>
      </div>
    </form>
  )
}

function typedOf(
  segment: Segment | undefined,
  proposed: SegmentEditorProps['proposed'],
  locale: string,
): Typed {
  const definition = segment?.definition ?? proposed?.definition
  return {
    name: segment?.name ?? proposed?.name ?? '',
    shared: segment?.shared ?? false,
    root: definition ? draftOf(definition, locale) : EMPTY,
  }
}
