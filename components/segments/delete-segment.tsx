'use client'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { useTabRouter } from '@/components/ui/tab-address'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

/** Deletes a segment after a confirmation. The API refuses while it is used (409 SEGMENT_IN_USE). */
export function DeleteSegment({ id, name }: { id: string; name: string }) {
  const t = useTranslations('client.segments.delete')
  const router = useTabRouter()
  const change = useChange()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('open')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('title', { name })}
          text={t('text')}
          action={t('action')}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            change({
              method: 'DELETE',
              path: `/api/segments/${id}`,
              done: t('done', { name }),
              onDone: () => router.push('/customers/segments'),
            })
          }
        />
      ) : null}
    </>
  )
}
