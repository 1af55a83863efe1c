'use client'
import { Button, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { RowActions } from '@/components/settings/row-actions'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import type { EmailTemplate } from '@/lib/email-design/records'
import type { EmailDesign } from '@/lib/email-design/schema'
import { freshDesign } from './blocks'
import { BUILT_IN, builtIn } from './built-in'
import classes from './design-editor.module.css'

interface TemplatesProps {
  design: EmailDesign
  onChoose: (design: EmailDesign) => void
}

/** Buttons that start from a template, and that keep the design as one. */
export function Templates({ design, onChoose }: TemplatesProps) {
  const t = useTranslations('client.emailDesign.templates')
  const [open, setOpen] = useState<'choose' | 'save' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setOpen('choose')}>
        {t('choose')}
      </Button>
      <Button variant="default" size="sm" onClick={() => setOpen('save')}>
        {t('save')}
      </Button>
      {open === 'choose' ? (
        <ChooseTemplate
          onChoose={(chosen) => {
            close()
            onChoose(freshDesign(chosen))
          }}
          onClose={close}
        />
      ) : null}
      {open === 'save' ? <NameTemplate design={design} onClose={close} /> : null}
    </>
  )
}

interface ChooseTemplateProps {
  onChoose: (design: EmailDesign) => void
  onClose: () => void
}

function ChooseTemplate({ onChoose, onClose }: ChooseTemplateProps) {
  const t = useTranslations('client.emailDesign.templates')
  const words = useErrorText()
  const [templates, setTemplates] = useState<EmailTemplate[] | null>(null)
  const [renaming, setRenaming] = useState<EmailTemplate | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    let gone = false
    send<EmailTemplate[]>('GET', '/api/email-templates', undefined, { stay: true }).then((sent) => {
      if (!gone) setTemplates(sent.ok ? sent.data : [])
    })
    return () => {
      gone = true
    }
  }, [])

  async function remove({ id }: EmailTemplate) {
    const sent = await send('DELETE', `/api/email-templates/${id}`, undefined, { stay: true })
    setFailure(sent.ok ? null : words.ofRefusal(sent))
    if (sent.ok) setTemplates((now) => now?.filter((one) => one.id !== id) ?? null)
  }

  if (renaming)
    return (
      <NameTemplate
        template={renaming}
        onClose={(renamed) => {
          setRenaming(null)
          if (renamed)
            setTemplates((now) => now?.map((one) => (one.id === renamed.id ? renamed : one)) ?? null)
        }}
      />
    )
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p className={classes.hint}>{t('hint')}</p>
      <Failure text={failure} />
      <ul className={classes.templates}>
        {BUILT_IN.map((name) => (
          <li key={name}>
            <Button variant="default" onClick={() => onChoose(builtIn(name, (key) => t(`${name}.${key}`)))}>
              {t(`${name}.name`)}
            </Button>
          </li>
        ))}
        {templates?.map((template) => (
          <li key={template.id}>
            <Button
              variant="default"
              disabled={template.design === null}
              onClick={() => template.design && onChoose(template.design)}
            >
              {template.design ? template.name : t('broken', { name: template.name })}
            </Button>
            <RowActions
              actions={[
                {
                  label: t('rename', { name: template.name }),
                  icon: IconPencil,
                  onClick: () => setRenaming(template),
                },
                { label: t('delete', { name: template.name }), onClick: () => remove(template) },
              ]}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type NameTemplateProps = { onClose: (saved?: EmailTemplate) => void } & (
  | { template: EmailTemplate; design?: undefined }
  | { design: EmailDesign; template?: undefined }
)

/** Asks for the name of a new template, or another name for one. */
function NameTemplate({ template, design, onClose }: NameTemplateProps) {
  const t = useTranslations('client.emailDesign.templates')
  const words = useErrorText()
  const say = useToast()
  const [name, setName] = useState(template?.name ?? '')
  const key = useRef<string>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function save() {
    setBusy(true)
    const sent = template
      ? await send<EmailTemplate>('PATCH', `/api/email-templates/${template.id}`, { name }, { stay: true })
      : await send<EmailTemplate>('POST', '/api/email-templates', { name, design }, { stay: true, key })
    setBusy(false)
    if (!sent.ok)
      return setFailure(words.ofRefusal(sent, { INVALID_INPUT: t('invalid'), ALREADY_EXISTS: t('taken') }))
    say(t('saved', { name: sent.data.name }))
    onClose(sent.data)
  }

  return (
    <Dialog title={template ? t('rename', { name: template.name }) : t('save')} onClose={() => onClose()}>
      {/* No form of its own: the dialog stands within the form of the page. */}
      <TextInput
        label={t('name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void save()
        }}
        maxLength={120}
        autoComplete="off"
        data-autofocus
      />
      <Failure text={failure} />
      <Button loading={busy} onClick={save} mt="md">
        {t('keep')}
      </Button>
    </Dialog>
  )
}
