'use client'
import { TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { isColor, USUAL_COLOR } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import { ImageField } from './image-field'
import classes from './look-form.module.css'
import { LookSample } from './look-sample'

const COLORS = ['color', 'button_color'] as const
/** Who e-mails are from, and who gets the answers: settings. */
const ADDRESSES = ['from_email', 'reply_to'] as const
const TEXTS = ['sender_name', ...ADDRESSES, 'footer'] as const
const isAddress = (field: string) => ADDRESSES.some((address) => address === field)
const FIELDS = [...COLORS, ...TEXTS, 'logo']
const MAX = { sender_name: 120, from_email: 254, reply_to: 254, footer: 300 } as const

interface LookFormProps {
  /** The brand; null for the group. */
  brandId: string | null
  /** The brand's name, or the group's. */
  name: string
  look: BrandLook | null
  /** Whether the person may change the addresses. */
  mayAddress: boolean
  onClose: () => void
}

/** How the e-mails of a brand look, and who sends them, with a sample that follows. */
export function LookForm({ brandId, name, look, mayAddress, onClose }: LookFormProps) {
  const t = useTranslations('client.emailDesign.look')
  const say = useToast()
  const router = useRouter()
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: FIELDS,
    texts: { color: t('badColor'), button_color: t('badColor') },
  })
  const [logo, setLogo] = useState({ path: look?.logo ?? null, url: look?.logo_url ?? null })
  const [fields, setFields] = useState(() =>
    Object.fromEntries([...COLORS, ...TEXTS].map((name) => [name, look?.[name] ?? ''])),
  )
  const set = (name: string, value: string) => setFields((now) => ({ ...now, [name]: value }))

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = Object.entries(fields)
      .filter(([field]) => mayAddress || !isAddress(field))
      .map(([field, value]) => [field, value.trim() || null])
    const path = brandId ? `/api/brands/${brandId}/email-look` : '/api/email-looks'
    const answer = await submit('PATCH', path, { ...Object.fromEntries(given), logo: logo.path })
    if (!answer.ok) return
    say(brandId ? t('saved', { name }) : t('savedGroup'))
    router.refresh()
    onClose()
  }

  const hintOf = (field: string) => {
    if (!mayAddress && isAddress(field)) return t('byAdmin')
    return field === 'from_email' ? t('from_email_hint') : undefined
  }
  const text = (field: (typeof TEXTS)[number]) => (
    <TextInput
      key={field}
      name={field}
      label={t(field)}
      description={hintOf(field)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={fields[field] ?? ''}
      onChange={(event) => set(field, event.currentTarget.value)}
      error={errorAt(field)}
      readOnly={!mayAddress && isAddress(field)}
      maxLength={MAX[field]}
      autoComplete="off"
    />
  )
  return (
    <Dialog title={brandId ? t('title', { name }) : t('titleGroup')} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <FormFields>
          <p className={classes.hint}>{t(brandId ? 'brandHint' : 'groupHint')}</p>
          <div>
            <p className={classes.label}>{t('logo')}</p>
            <ImageField
              url={logo.url}
              alt={name}
              disabled={false}
              onChoose={({ path, url }) => setLogo({ path, url })}
            />
            {logo.path ? (
              <button
                type="button"
                className={classes.plain}
                onClick={() => setLogo({ path: null, url: null })}
              >
                {t('noLogo')}
              </button>
            ) : null}
          </div>
          <FormRow>
            {COLORS.map((field) => (
              <TextInput
                key={field}
                name={field}
                label={t(field)}
                placeholder={USUAL_COLOR}
                value={fields[field] ?? ''}
                onChange={(event) => set(field, event.currentTarget.value)}
                error={errorAt(field)}
                maxLength={7}
                autoComplete="off"
                spellCheck={false}
                rightSection={
                  <input
                    type="color"
                    className={classes.swatch}
                    aria-label={t('pick', { field: t(field) })}
                    value={isColor(fields[field] ?? '') ? fields[field] : USUAL_COLOR}
                    onChange={(event) => set(field, event.currentTarget.value)}
                  />
                }
              />
            ))}
          </FormRow>
          <FormRow>{[text('sender_name'), text('reply_to')]}</FormRow>
          {text('from_email')}
          {text('footer')}
          <LookSample
            of={name}
            color={fields.color ?? ''}
            button={fields.button_color ?? ''}
            logo={logo.url}
            sender={fields.sender_name || name}
            footer={fields.footer ?? ''}
          />
        </FormFields>
        <Failure text={failure} />
        <SubmitButtons busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
