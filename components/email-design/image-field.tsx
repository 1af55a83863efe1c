'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useEffect, useId, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, refusalOf, send } from '@/components/forms/send'
import { RowActions } from '@/components/settings/row-actions'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { MAX_IMAGE_BYTES } from '@/lib/email-design/limits'
import type { EmailImage } from '@/lib/email-design/records'
import classes from './design-editor.module.css'

/** An image of the organization: its path, and its address. */
type ChosenImage = Pick<EmailImage, 'path' | 'url' | 'name' | 'width' | 'height'>

interface ImagePickerProps {
  onChoose: (image: ChosenImage) => void
  onClose: () => void
}

/** The organization's images in a dialog, to choose one of, and to upload and delete. */
function ImagePicker({ onChoose, onClose }: ImagePickerProps) {
  const t = useTranslations('client.emailDesign.images')
  const words = useErrorText()
  const id = useId()
  const [images, setImages] = useState<EmailImage[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    const controller = new AbortController()
    send<EmailImage[]>('GET', '/api/email-images?limit=200', undefined, {
      signal: controller.signal,
      stay: true,
    }).then((sent) => {
      if (!controller.signal.aborted) setImages(sent.ok ? sent.data : [])
    })
    return () => controller.abort()
  }, [])

  async function upload(file: File) {
    if (file.size > MAX_IMAGE_BYTES) return setFailure(t('tooLarge'))
    setBusy(true)
    setFailure(null)
    const sent = await uploaded(file)
    setBusy(false)
    if (!sent.ok) return setFailure(words.ofRefusal(sent, { BODY_TOO_LARGE: t('tooLarge') }))
    onChoose(sent.data)
  }

  async function remove(image: EmailImage) {
    setFailure(null)
    const sent = await send('DELETE', `/api/email-images/${image.id}`, undefined, { stay: true })
    if (!sent.ok) return setFailure(words.ofRefusal(sent))
    setImages((now) => now?.filter((one) => one.id !== image.id) ?? null)
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
      <label htmlFor={id} className={classes.label}>
        {t('upload')}
      </label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        disabled={busy}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void upload(file)
        }}
      />
      <p className={classes.hint}>{t('hint')}</p>
      <Failure text={failure} />
      {images?.length === 0 ? <p className={classes.hint}>{t('none')}</p> : null}
      <ul className={classes.gallery}>
        {images?.map((image) => (
          <li key={image.id}>
            <button type="button" className={classes.thumb} onClick={() => onChoose(image)}>
              {/* biome-ignore lint/performance/noImgElement: from Storage, as in the e-mail. */}
              <img src={image.url} alt={image.name} loading="lazy" />
            </button>
            <RowActions
              actions={[{ label: t('delete', { name: image.name }), onClick: () => remove(image) }]}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

async function uploaded(file: File): Promise<{ ok: true; data: EmailImage } | Refusal> {
  const body = new FormData()
  body.append('file', file)
  try {
    const response = await fetch('/api/email-images', { method: 'POST', body })
    if (!response.ok) return await refusalOf(response)
    return { ok: true, data: (await response.json()).data }
  } catch {
    return { ok: false, status: 0, issues: [] }
  }
}

interface ImageFieldProps {
  /** The address of the image; null while none is chosen. */
  url: string | null
  alt: string
  disabled: boolean
  onChoose: (image: ChosenImage) => void
}

/** The chosen image, and the button that opens the others. */
export function ImageField({ url, alt, disabled, onChoose }: ImageFieldProps) {
  const t = useTranslations('client.emailDesign.images')
  const [open, setOpen] = useState(false)
  return (
    <div>
      {url ? (
        // biome-ignore lint/performance/noImgElement: from Storage, as in the e-mail.
        <img src={url} alt={alt} className={classes.picture} />
      ) : (
        <p className={classes.nothing}>{t('empty')}</p>
      )}
      {disabled ? null : (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {t('choose')}
        </Button>
      )}
      {open ? (
        <ImagePicker
          onChoose={(image) => {
            setOpen(false)
            onChoose(image)
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  )
}
