'use client'
import { Button } from '@mantine/core'
import { IconPalette, IconPencil, IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { LookForm } from '@/components/email-design/change-look'
import { useReopened } from '@/components/forms/draft-owner'
import { useChange } from '@/components/forms/use-change'
import { RowActions } from '@/components/settings/row-actions'
import { useToast } from '@/components/ui/toast'
import type { BrandLook } from '@/lib/email-design/records'
import type { LocationRecord } from '@/lib/locations/schema'

const LocationForm = dynamic(() => import('./location-form').then((m) => m.LocationForm), { ssr: false })
const BrandForm = dynamic(() => import('./location-form').then((m) => m.BrandForm), { ssr: false })
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

type BrandChoices = { value: string; label: string }[]

/** The button that opens the form for a new location. */
export function AddLocation({ brands, timezone }: { brands: BrandChoices; timezone: string }) {
  const t = useTranslations('client.locations')
  const [open, setOpen] = useState(false)
  useReopened('location:new', () => setOpen(true))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <LocationForm brands={brands} timezone={timezone} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Edits or deletes a location. */
export function LocationActions({ location, brands }: { location: LocationRecord; brands: BrandChoices }) {
  const t = useTranslations('client.locations')
  const change = useChange()
  const [open, setOpen] = useState<'form' | 'delete' | null>(null)
  const { id, name } = location
  useReopened(`location:${id}`, () => setOpen('form'))
  const remove = () =>
    change({ method: 'DELETE', path: `/api/locations/${id}`, done: t('deleted', { name }) })
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

/** The button that opens the form for a new brand. */
export function AddBrand() {
  const t = useTranslations('client.brands')
  const [open, setOpen] = useState(false)
  useReopened('brand:new', () => setOpen(true))
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

/** Buttons that rename or delete a brand. */
export function BrandActions({
  brand,
  look,
}: {
  brand: { id: string; name: string; postal_address: string | null }
  look: BrandLook | null
}) {
  const t = useTranslations('client.brands')
  const words = useTranslations('client.emailDesign.look')
  const change = useChange()
  const [open, setOpen] = useState<'form' | 'look' | 'delete' | null>(null)
  const { id, name } = brand
  useReopened(`brand:${id}`, () => setOpen('form'))
  const remove = () => change({ method: 'DELETE', path: `/api/brands/${id}`, done: t('deleted', { name }) })
  return (
    <>
      <RowActions
        actions={[
          { label: t('edit', { name }), icon: IconPencil, onClick: () => setOpen('form') },
          { label: words('open', { name }), icon: IconPalette, onClick: () => setOpen('look') },
          { label: t('delete', { name }), onClick: () => setOpen('delete') },
        ]}
      />
      {open === 'form' ? <BrandForm brand={brand} onClose={() => setOpen(null)} /> : null}
      {open === 'look' ? (
        <LookForm brandId={id} name={name} look={look} mayAddress onClose={() => setOpen(null)} />
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

interface Seeded {
  seeded: { brands: string[]; locations: string[] }
}

/** Adds the example brands and locations, for a group without locations. */
export function SeedButton() {
  const t = useTranslations('client.locations.seed')
  const say = useToast()
  const change = useChange()
  const [asking, setAsking] = useState(false)
  const seed = () =>
    change<Seeded>({
      method: 'GET',
      path: '/api/admin/seed-locations',
      onDone: ({ seeded: { brands, locations } }) =>
        say(t('done', { brands: brands.length, locations: locations.length })),
    })
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('action')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('title')}
          text={t('text')}
          action={t('confirm')}
          danger={false}
          onConfirm={seed}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
