'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** Adds the example brands and locations that are missing. */
export function SeedButton() {
  const t = useTranslations('client.locations.seed')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [asking, setAsking] = useState(false)

  async function seed(): Promise<string | null> {
    const sent = await send<{ seeded: { brands: string[]; locations: string[] } }>(
      'GET',
      '/api/admin/seed-locations',
    )
    if (!sent.ok) return form(formProblem(sent.status))
    const { brands, locations } = sent.data.seeded
    say(t('done', { brands: brands.length, locations: locations.length }))
    router.refresh()
    return null
  }

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
