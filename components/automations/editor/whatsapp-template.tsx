'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import type { WhatsAppTemplate } from '@/lib/messaging/template-states'
import type { MessageText, Variable } from './draft'
import { fieldId } from './problems'
import classes from './steps.module.css'

/**
 * The templates of the Twilio account, with text and state of the chosen one. When Twilio does not answer, the field
 * for the Content SID below it still works.
 */
export function WhatsAppTemplateChoice({
  message,
  change,
  at,
}: {
  message: Pick<MessageText, 'contentSid' | 'variables'>
  change: (changes: Pick<MessageText, 'contentSid' | 'variables'>) => void
  /** As in `MessageFields`. */
  at: string
}) {
  const t = useTranslations('client.automationEditor.whatsapp')
  const words = useErrorText()
  const [templates, setTemplates] = useState<WhatsAppTemplate[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const ofRefusal = words.ofRefusal

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    send<WhatsAppTemplate[]>('GET', '/api/whatsapp-templates', undefined, { signal, stay: true }).then(
      (sent) => {
        if (signal.aborted) return
        if (sent.ok) setTemplates(sent.data)
        else setFailure(ofRefusal(sent))
      },
    )
    return () => controller.abort()
  }, [])

  if (failure !== null)
    return (
      <p className={classes.hint} role="status">
        {t('failed', { reason: failure })}
      </p>
    )
  const sid = message.contentSid.trim()
  const chosen = templates.find((template) => template.sid === sid)
  if (templates.length === 0) return null
  return (
    <>
      <NativeSelect
        id={fieldId(`${at}whatsapp_template`)}
        label={t('choose')}
        value={chosen ? sid : ''}
        data={[
          { value: '', label: t('other') },
          ...templates.map(({ sid: value, name, language, state }) => ({
            value,
            label: t('option', { name, language, state: t(`states.${state}`) }),
          })),
        ]}
        onChange={(event) => {
          const next = templates.find((template) => template.sid === event.currentTarget.value)
          change(
            next
              ? { contentSid: next.sid, variables: variablesFor(next, message.variables) }
              : { contentSid: '', variables: [] },
          )
        }}
      />
      {chosen ? (
        <p className={classes.hint}>
          {chosen.body}
          {chosen.state === 'approved'
            ? null
            : ` · ${t('notApproved', { state: t(`states.${chosen.state}`) })}`}
          {chosen.rejection_reason ? ` (${chosen.rejection_reason})` : ''}
        </p>
      ) : null}
    </>
  )
}

/** A row for each variable of the template; those that have a value keep it. */
export function variablesFor(
  { variables }: Pick<WhatsAppTemplate, 'variables'>,
  now: readonly Variable[],
): Variable[] {
  const values = new Map(now.map(({ name, value }) => [name.trim(), value]))
  return variables.map((name, key) => ({ key, name, value: values.get(name) ?? '' }))
}
