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
import type { Location } from './location-body'

const LocationForm = dynamic(() => import('./location-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

type Brands = { value: string; label: string }[]

/** The button that opens the form for a new location. */
export function AddLocation({ brands }: { brands: Brands }) {
  const t = useTranslations('client.locations')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <LocationForm brands={brands} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** What can be done with a location: change it, delete it. */
export function LocationActions({ location, brands }: { location: Location; brands: Brands }) {
  const t = useTranslations('client.locations')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [open, setOpen] = useState<'form' | 'delete' | null>(null)
  const { id, name } = location

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/locations/${id}`)
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
      {open === 'form' ? (
        <LocationForm location={location} brands={brands} onClose={() => setOpen(null)} />
      ) : null}
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
