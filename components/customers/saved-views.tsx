'use client'
import { IconBookmark, IconPlus, IconX } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Link } from '@/components/ui/link'
import { useToast } from '@/components/ui/toast'
import classes from './segment-bar.module.css'
import { useSavedViews } from './use-saved-views'

const SaveView = dynamic(() => import('./save-view'), { ssr: false })

/** The person's saved filters, and the button that saves the current ones; `here` is the current address. */
export function SavedViews({ userId, here }: { userId: string; here: string }) {
  const t = useTranslations('client.customers.views')
  const say = useToast()
  const { views, save, remove } = useSavedViews(userId)
  const [open, setOpen] = useState(false)
  const known = views.some(({ href }) => href === here)

  function forget(name: string) {
    remove(name)
    say(t('removed', { name }))
  }

  return (
    <>
      {views.map(({ name, href }) => (
        <li key={name} className={classes.saved}>
          <Link
            href={href}
            scroll={false}
            prefetch={false}
            className={classes.chip}
            aria-current={href === here ? 'true' : undefined}
          >
            <IconBookmark size={14} aria-hidden />
            <span>{name}</span>
          </Link>
          <button
            type="button"
            className={classes.remove}
            aria-label={t('remove', { name })}
            title={t('remove', { name })}
            onClick={() => forget(name)}
          >
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      {here !== '/customers' && !known ? (
        <li>
          <button type="button" className={`${classes.chip} ${classes.add}`} onClick={() => setOpen(true)}>
            <IconPlus size={14} aria-hidden />
            {t('save')}
          </button>
          {open ? (
            <SaveView
              taken={views.map(({ name }) => name)}
              onSave={(name) => {
                save({ name, href: here })
                say(t('saved', { name }))
              }}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </li>
      ) : null}
    </>
  )
}
