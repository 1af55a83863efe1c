'use client'
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { type StepProps, uses, type Variable } from './draft'
import { fieldId } from './problems'
import { smsLength } from './sms-length'
import { Step } from './steps'
import classes from './steps.module.css'

/** The step with the message's text; `sample` is the text as one customer would get it. */
export function MessageStep({ draft, change, errorAt, sample }: StepProps & { sample: string | null }) {
  const t = useTranslations('client.automationEditor')
  const ofReservation = draft.type === 'post_visit' || draft.type === 'reservation_confirmation'
  const email = uses(draft, 'email')
  const whatsapp = uses(draft, 'whatsapp')
  return (
    <Step number={4} title={t('steps.message')}>
      {whatsapp ? (
        <>
          <TextInput
            id={fieldId('content_sid')}
            label={t('contentSid')}
            description={t('contentSidHint')}
            value={draft.contentSid}
            onChange={(event) => change({ contentSid: event.currentTarget.value })}
            error={errorAt('content_sid')}
            maxLength={34}
            autoComplete="off"
            spellCheck={false}
          />
          <VariableRows
            variables={draft.variables}
            onChange={(variables) => change({ variables })}
            errorAt={errorAt}
          />
        </>
      ) : null}
      {email ? (
        <TemplateField
          field="subject"
          label={t('subject')}
          value={draft.subject}
          onChange={(subject) => change({ subject })}
          error={errorAt('subject')}
          ofReservation={ofReservation}
          maxLength={300}
        />
      ) : null}
      <TemplateField
        field="body"
        label={t('body')}
        description={t('bodyHint')}
        value={draft.body}
        onChange={(body) => change({ body })}
        error={errorAt('body')}
        ofReservation={ofReservation}
        maxLength={10_000}
        multiline
      />
      {uses(draft, 'sms') && draft.body !== '' ? <SmsCount text={sample ?? draft.body} /> : null}
    </Step>
  )
}

/** The variables offered. Those of a reservation are offered only where there is one. */
const ALWAYS = ['first_name', 'full_name', 'location_name', 'tier', 'total_visits', 'last_visit'] as const
const RESERVATION = ['reservation_date', 'reservation_time', 'party_size'] as const
const LAST = ['organization_name', 'unsubscribe_url'] as const

interface TemplateFieldProps {
  field: string
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  description?: string
  multiline?: boolean
  ofReservation?: boolean
  maxLength: number
}

/** A text with variables, and buttons that insert them at the caret. */
function TemplateField({ field, multiline, ofReservation, onChange, ...rest }: TemplateFieldProps) {
  const t = useTranslations('client.automationEditor')
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const offered = [...ALWAYS, ...(ofReservation ? RESERVATION : (['birthday'] as const)), ...LAST]

  function insert(variable: string) {
    const input = ref.current
    if (!input) return
    input.focus()
    const { selectionStart, selectionEnd } = input
    const start = selectionStart ?? input.value.length
    input.setRangeText(`{{ ${variable} }}`, start, selectionEnd ?? start, 'end')
    onChange(input.value)
    // React sets the value, which would move the caret to the end.
    const caret = input.selectionStart
    requestAnimationFrame(() => input.setSelectionRange(caret, caret))
  }

  const shared = {
    ref,
    id: fieldId(field),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    ...rest,
  }
  return (
    <div>
      {multiline ? (
        <Textarea rows={8} className={classes.text} {...shared} />
      ) : (
        <TextInput autoComplete="off" {...shared} />
      )}
      <fieldset className={classes.variables} aria-label={`${t('insert')}: ${rest.label}`}>
        {offered.map((variable) => (
          <button
            key={variable}
            type="button"
            className={classes.variable}
            title={`{{ ${variable} }}`}
            onClick={() => insert(variable)}
          >
            {t(`variables.${variable}`)}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const MAX_VARIABLES = 50

interface VariableRowsProps {
  variables: readonly Variable[]
  onChange: (variables: Variable[]) => void
  errorAt: StepProps['errorAt']
}

/** The variables of a WhatsApp template with their values, which are Liquid templates too. */
function VariableRows({ variables, onChange, errorAt }: VariableRowsProps) {
  const t = useTranslations('client.automationEditor')
  const patch = (key: number, changes: Partial<Variable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const next = Math.max(-1, ...variables.map(({ key }) => key)) + 1
  return (
    <fieldset className={classes.rows}>
      <legend>{t('contentVariables')}</legend>
      {variables.map(({ key, name, value }, index) => (
        <div key={key} className={classes.row}>
          <TextInput
            aria-label={t('variableName', { number: index + 1 })}
            value={name}
            onChange={(event) => patch(key, { name: event.currentTarget.value })}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            id={fieldId(`content_variables.${name}`)}
            aria-label={t('variableValue', { number: index + 1 })}
            value={value}
            onChange={(event) => patch(key, { value: event.currentTarget.value })}
            error={errorAt(`content_variables.${name}`)}
            maxLength={1000}
            autoComplete="off"
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeVariable', { number: index + 1 })}
            onClick={() => onChange(variables.filter((one) => one.key !== key))}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {variables.length < MAX_VARIABLES ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            onChange([...variables, { key: next, name: String(variables.length + 1), value: '' }])
          }
        >
          {t('addVariable')}
        </Button>
      ) : null}
    </fieldset>
  )
}

const MAX_SHOWN = 5

/** How many SMS a text takes, and which characters make it take more. */
function SmsCount({ text }: { text: string }) {
  const t = useTranslations('client.automationEditor.sms')
  const { characters, segments, foreign } = smsLength(text)
  const letters = foreign.slice(0, MAX_SHOWN).map((letter) => `«${letter}»`)
  return (
    <p className={classes.hint}>
      {t('count', { characters, segments })}
      {letters.length > 0 ? ` ${t('unicode', { characters: letters.join(', ') })}` : ''}
    </p>
  )
}
