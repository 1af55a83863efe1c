'use client'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { RowActions } from '@/components/settings/row-actions'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'

const BrandForm = dynamic(() => import('./brand-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** The button that opens the form for a new brand. */
export function AddBrand() {
  const t = useTranslations('client.brands')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('new')}
      </Button>
      {open ? <BrandForm onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** What can be done with a brand: rename it, delete it. */
export function BrandActions({ brand }: { brand: { id: string; name: string } }) {
  const t = useTranslations('client.brands')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [open, setOpen] = useState<'form' | 'delete' | null>(null)
  const { id, name } = brand

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/brands/${id}`)
    if (!sent.ok) return sent.status === 409 ? t('inUse') : form(formProblem(sent.status))
    say(t('deleted', { name }))
    router.refresh()
    return null
  }

  return (
    <>
      <RowActions
        actions={[
          { label: t('edit', { name }), icon: IconPencil, onClick: () => setOpen('form') },
          { label: t('delete', { name }), onClick: () => setOpen('delete') },
        ]}
      />
      {open === 'form' ? <BrandForm brand={brand} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title={t('delete', { name })}
          text={t('deleteText')}
          action={t('deleteAction')}
          onConfirm={remove}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}
