'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Refusal, send } from '@/components/forms/send'
import type { Draft } from '@/components/forms/use-draft'
import { useTabRouter } from '@/components/ui/tab-address'
import type { Campaign } from '@/lib/campaigns/schema'
import classes from './editor.module.css'

/**
 * Two people editing one campaign: each change names the version that it is about. When someone else has saved
 * meanwhile, the person takes over what they saved, or saves their own over it.
 */
export function useVersion({ loaded, discard }: Pick<Draft<Campaign>, 'loaded' | 'discard'>) {
  const t = useTranslations('client.campaignEditor.conflict')
  const router = useTabRouter()
  const [theirs, setTheirs] = useState<Campaign | null>(null)
  const [mine, keepMine] = useState(false)

  /** Looks at what the other person saved, when the refusal is about that. */
  async function take({ code }: Refusal): Promise<void> {
    if (!loaded || code !== 'CHANGED_MEANWHILE') return
    const now = await send<Campaign>('GET', `/api/campaigns/${loaded.id}`, undefined, { stay: true })
    keepMine(false)
    if (now.ok) setTheirs(now.data)
  }

  const version = mine && theirs ? theirs.version : loaded?.version
  const node =
    theirs && theirs.version !== loaded?.version ? (
      <div className={classes.conflict} role="alert">
        <p>{t(mine ? 'mine' : 'text')}</p>
        {mine ? null : (
          <>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setTheirs(null)
                discard()
                router.refresh()
              }}
            >
              {t('takeTheirs')}
            </Button>
            <Button size="xs" variant="default" onClick={() => keepMine(true)}>
              {t('keepMine')}
            </Button>
          </>
        )}
      </div>
    ) : null
  return { sent: version === undefined ? {} : { version }, take, node }
}
