'use client'
import { Button, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { fieldOf, send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'

interface BrandFormProps {
  /** Absent: a new one. */
  brand?: { id: string; name: string }
  onClose: () => void
}

/** A brand's name in a dialog. */
export default function BrandForm({ brand, onClose }: BrandFormProps) {
  const t = useTranslations('client.brands')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ status: number; error: string } | null>(null)

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setBusy(true)
    const sent = await send(brand ? 'PATCH' : 'POST', brand ? `/api/brands/${brand.id}` : '/api/brands', {
      name,
    })
    setBusy(false)
    if (!sent.ok) return setAnswer(sent)
    say(t('saved', { name }))
    router.refresh()
    onClose()
  }

  const named = answer && (fieldOf(answer.error) !== null || answer.status === 409)
  return (
    <Dialog title={brand ? t('edit', { name: brand.name }) : t('new')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <TextInput
          name="name"
          label={t('name')}
          defaultValue={brand?.name}
          error={named ? t(answer.status === 409 ? 'taken' : 'invalid') : undefined}
          maxLength={120}
          data-autofocus
        />
        <Failure text={answer && !named ? form(formProblem(answer.status)) : null} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
