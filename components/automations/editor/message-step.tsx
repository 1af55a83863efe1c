'use client'
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { type AutomationType, aboutOf } from '@/lib/automations/types'
import type { BrandLook } from '@/lib/email-design/records'
import { smsEstimate, smsLength } from '@/lib/messaging/sms-length'
import { type MessageText, type StepProps, uses, type Variable } from './draft'
import { EmailStep } from './email-step'
import { type Languages, MessageLanguages } from './message-languages'
import { fieldId } from './problems'
import { Step } from './steps'
import classes from './steps.module.css'
import { WhatsAppTemplateChoice } from './whatsapp-template'

interface MessageStepProps extends StepProps, MessageSurroundings {}

/** What the fields of a message show besides the message. */
export interface MessageSurroundings {
  /** The text as one customer would get it. */
  sample: string | null
  /** How many it would go to; null while that is not known. */
  guests: number | null
  /** EUR a segment of an SMS. */
  smsPrice: number | null
  /** The look of the brand that sends it. */
  look: Partial<BrandLook>
  /** The address of stored images, without their path. */
  imageBase: string
  languages: Languages
}

/** The step with the message's text. */
export function MessageStep({ draft, change, errorAt, ...surroundings }: MessageStepProps) {
  const t = useTranslations('client.automationEditor')
  return (
    <Step number={4} title={t('steps.message')}>
      <MessageFields message={draft} change={change} errorAt={errorAt} type={draft.type} {...surroundings} />
    </Step>
  )
}

interface MessageFieldsProps extends MessageSurroundings {
  message: MessageText
  change: (changes: Partial<MessageText>) => void
  errorAt: StepProps['errorAt']
  /** What the variables on offer depend on. */
  type: AutomationType | 'campaign'
  /** What stands before the fields' names in their paths of the API, such as `messages.0.`. */
  at?: string
}

/** The fields of one message: those that its channels need. */
export function MessageFields({ message, change, errorAt, type, at = '', ...shown }: MessageFieldsProps) {
  const { sample, guests, smsPrice, look, imageBase, languages } = shown
  const place = message.versions.findIndex(({ language }) => language === languages.shown)
  const version = message.versions[place]
  // The text that is shown, the message's own or a version, and where its fields stand.
  const text = version ?? message
  const textAt = version ? `${at}versions.${place}.` : at
  const changeText = (changes: Partial<Pick<MessageText, 'subject' | 'body' | 'emailDesign'>>) =>
    change(
      version
        ? {
            versions: message.versions.map((one, index) => (index === place ? { ...one, ...changes } : one)),
          }
        : changes,
    )
  const t = useTranslations('client.automationEditor')
  const insertion = useInsertion()
  const email = uses(message, 'email')
  const designed = email && text.emailDesign !== null
  return (
    <>
      <MessageLanguages {...{ languages, message, change, errorAt, at }} />
      {uses(message, 'whatsapp') && !version ? (
        <>
          <WhatsAppTemplateChoice message={message} change={change} at={at} />
          <TextInput
            id={fieldId(`${at}content_sid`)}
            label={t('contentSid')}
            description={t('contentSidHint')}
            value={message.contentSid}
            onChange={(event) => change({ contentSid: event.currentTarget.value })}
            error={errorAt(`${at}content_sid`)}
            maxLength={34}
            autoComplete="off"
            spellCheck={false}
          />
          <VariableRows
            variables={message.variables}
            onChange={(variables) => change({ variables })}
            errorAt={errorAt}
            at={at}
          />
        </>
      ) : null}
      {email ? (
        <>
          <TemplateField
            field={`${textAt}subject`}
            label={t('subject')}
            value={text.subject}
            onChange={(subject) => changeText({ subject })}
            error={errorAt(`${textAt}subject`)}
            type={type}
            maxLength={300}
          />
          <EmailStep
            key={textAt}
            message={text}
            change={changeText}
            errorAt={errorAt}
            at={textAt}
            variables={offeredVariables(type).map((name) => ({
              name,
              text: insertion(name),
              label: t(`variables.${name}`),
            }))}
            look={look}
            imageBase={imageBase}
          />
        </>
      ) : null}
      {designed && message.channel === 'email' && message.fallback === '' ? null : (
        <TemplateField
          field={`${textAt}body`}
          label={t('body')}
          description={t(designed ? 'bodyFor' : 'bodyHint')}
          value={text.body}
          onChange={(body) => changeText({ body })}
          error={errorAt(`${textAt}body`)}
          type={type}
          maxLength={10_000}
          multiline
        />
      )}
      {uses(message, 'sms') && text.body !== '' ? (
        <SmsCount
          text={sample ?? text.body}
          guests={message.channel === 'sms' ? guests : null}
          price={smsPrice}
        />
      ) : null}
    </>
  )
}

/** The variables offered. Those of a reservation or a visit are offered only where there is one. */
const ALWAYS = ['first_name', 'full_name', 'location_name', 'tier', 'total_visits', 'last_visit'] as const
const RESERVATION = ['reservation_date', 'reservation_time', 'party_size'] as const
const LAST = ['organization_name', 'unsubscribe_url'] as const

const OFFERED = {
  guest: ['birthday'],
  reservation: RESERVATION,
  visit: [...RESERVATION, 'feedback_link'],
} as const

const offeredVariables = (type: MessageFieldsProps['type']) => [...ALWAYS, ...OFFERED[aboutOf(type)], ...LAST]

type OfferedVariable = ReturnType<typeof offeredVariables>[number]

/** What is inserted for a variable: with words for the guests of whom it is not known. */
function useInsertion(): (variable: OfferedVariable) => string {
  const t = useTranslations('client.automationEditor.fallbacks')
  return (variable) => {
    switch (variable) {
      case 'location_name':
        return '{{ location_name | default: organization_name }}'
      case 'first_name':
      case 'full_name':
      case 'tier':
      case 'last_visit':
      case 'birthday':
        return `{{ ${variable} | default: "${t(variable)}" }}`
      default:
        return `{{ ${variable} }}`
    }
  }
}

interface TemplateFieldProps {
  field: string
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  description?: string
  multiline?: boolean
  type: MessageFieldsProps['type']
  maxLength: number
}

/** A text with variables, and buttons that insert them at the caret. */
function TemplateField({ field, multiline, type, onChange, ...rest }: TemplateFieldProps) {
  const t = useTranslations('client.automationEditor')
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const offered = offeredVariables(type)
  const insertion = useInsertion()

  function insert(variable: OfferedVariable) {
    const input = ref.current
    if (!input) return
    input.focus()
    const { selectionStart, selectionEnd } = input
    const start = selectionStart ?? input.value.length
    input.setRangeText(insertion(variable), start, selectionEnd ?? start, 'end')
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
            title={insertion(variable)}
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
  at: string
}

/** The variables of a WhatsApp template with their values, which are Liquid templates too. */
function VariableRows({ variables, onChange, errorAt, at }: VariableRowsProps) {
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
            id={fieldId(`${at}content_variables.${name}`)}
            aria-label={t('variableValue', { number: index + 1 })}
            value={value}
            onChange={(event) => patch(key, { value: event.currentTarget.value })}
            error={errorAt(`${at}content_variables.${name}`)}
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

interface SmsCountProps {
  text: string
  /** How many it would go to; null while that is not known. */
  guests: number | null
  /** EUR a segment. */
  price: number | null
}

/** How many SMS a text takes, and which characters make it take more. */
function SmsCount({ text, guests, price }: SmsCountProps) {
  const t = useTranslations('client.automationEditor.sms')
  const { characters, segments, foreign } = smsLength(text)
  const total = guests === null ? null : smsEstimate({ segments }, guests, price)
  const letters = foreign.slice(0, MAX_SHOWN).map((letter) => `«${letter}»`)
  return (
    <p className={classes.hint}>
      {t('count', { characters, segments })}
      {total ? ` · ${t('audience', { segments: total.segments })}` : ''}
      {total?.cost ? ` · ${t('cost', { cost: total.cost })}` : ''}
      {letters.length > 0 ? ` ${t('unicode', { characters: letters.join(', ') })}` : ''}
    </p>
  )
}
