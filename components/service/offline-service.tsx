'use client'
import { NextIntlClientProvider, useLocale, useMessages, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useState } from 'react'
import { DraftOwner } from '@/components/forms/draft-owner'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Mark } from '@/components/ui/mark'
import { ToastArea } from '@/components/ui/toast'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import { forgetLists } from '@/lib/service/list-key'
import { Board } from './board'
import { type KeptList, keptList } from './kept-list'
import classes from './offline-service.module.css'

// By the page's own address, also where this one was opened by its own.
const retry = () => window.location.replace(`/service${window.location.search}`)

/** The list that this device keeps, while the server does not answer; taps wait as on the page itself. */
export function OfflineService() {
  const t = useTranslations('client.service.kept')
  const [kept, setKept] = useState<KeptList | null | undefined>(undefined)
  const [forgetting, setForgetting] = useState(false)
  const [locale, messages] = [useLocale(), useMessages()]
  function show(list: KeptList | null) {
    // Of another location, when this device keeps no list of the one that was asked for.
    const path = list && `/service?${LOCATION_PARAMETER}=${list.service.location.id}`
    if (path && window.location.pathname === '/service') window.history.replaceState(null, '', path)
    setKept(list)
  }
  const shows = useEffectEvent(show)

  useEffect(() => {
    const asked = new URLSearchParams(window.location.search).get(LOCATION_PARAMETER)
    keptList(asked).then(shows, () => shows(null))
  }, [])

  useEffect(() => {
    if (kept !== null) return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [kept])

  if (kept === undefined) return <main className={classes.page} data-service-page aria-busy />
  return (
    <main className={classes.page} data-service-page>
      <header className={classes.header}>
        <Mark size={28} />
        <div>
          <h1>{t('title')}</h1>
          {kept ? <p>{kept.service.location.name}</p> : null}
        </div>
        {kept ? (
          <button type="button" className={classes.retry} onClick={() => setForgetting(true)}>
            {t('forget')}
          </button>
        ) : null}
        <button type="button" className={classes.retry} onClick={retry}>
          {t('retry')}
        </button>
      </header>
      {forgetting ? (
        <ConfirmDialog
          title={t('forgetTitle')}
          text={t('forgetText')}
          action={t('forget')}
          onConfirm={async () => {
            forgetLists()
            setKept(null)
            return null
          }}
          onClose={() => setForgetting(false)}
        />
      ) : null}
      {kept ? (
        <NextIntlClientProvider {...{ locale, messages }} timeZone={kept.service.location.timezone}>
          <DraftOwner person={kept.person}>
            <ToastArea>
              <Board initial={kept.service} person={kept.person} cards={kept.cards} keptAhead={kept.ahead} />
            </ToastArea>
          </DraftOwner>
        </NextIntlClientProvider>
      ) : (
        <p className={classes.none}>{t('none')}</p>
      )}
    </main>
  )
}
