import { useLocale, useTranslations } from 'next-intl'
import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useToast } from '@/components/ui/toast'
import { forgetLists } from '@/lib/service/list-key'
import type { Service } from '@/lib/service/schema'
import classes from './dock.module.css'
import { keepList, type ListOwner } from './kept-list'
import { RefusedTaps, type RefusedTapsProps } from './refused-taps'

/** Whether the board shows a list that this device kept, in place of the page that the server did not send. */
export const FromDevice = createContext(false)

export interface OnDeviceProps extends RefusedTapsProps {
  /** The status of the answer that the list was refused with, 0 for no answer; null when it was read. */
  failure: number | null
  /** Whether no tap waits to be sent. */
  idle: boolean
  /** The list as it was read, and whose it is; absent for a day that this device does not keep. */
  keeps?: ListOwner & { list: Service }
}

/** What a board does for the time without a connection, and says after it. It loads after the list, while there is one. */
export default function OnDevice({ failure, idle, keeps, ...refused }: OnDeviceProps) {
  return (
    <>
      <RefusedTaps {...refused} />
      <StayOnBoard offline={failure !== null} />
      {keeps ? <KeepList {...keeps} {...{ failure, idle }} /> : null}
    </>
  )
}

/** Keeps each list that was read, and the page that shows it without a connection. */
function KeepList({ list, person, cards, failure, idle }: ListOwner & KeepListProps) {
  const locale = useLocale()
  const fromDevice = useContext(FromDevice)
  const first = useRef(list)
  const isNew = list !== first.current

  useEffect(() => {
    if (!fromDevice || isNew) keepList({ person, cards }, list).catch(() => {})
  }, [list, person, cards, fromDevice, isNew])

  // Whoever may no longer read it keeps no copy either.
  useEffect(() => {
    if (failure === 401 || failure === 403 || failure === 404) forgetLists()
  }, [failure])

  useEffect(() => {
    if (fromDevice) return
    navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ keepServicePage: locale }))
  }, [locale, fromDevice])

  // The connection is back, and all is sent: the page itself takes over, unless somebody is typing.
  useEffect(() => {
    const isDone = fromDevice && isNew && failure === null && idle
    if (isDone && !document.querySelector('dialog[open]')) window.location.reload()
  })
  return null
}

interface KeepListProps extends Pick<OnDeviceProps, 'failure' | 'idle'> {
  list: Service
}

/** The paths of guests' cards. */
const CARD = /^\/(customers|service\/guests)\/./

/**
 * Without a connection, keeps the page whose list is still there: a link would end in an error page. It says what needs the
 * connection; links to other windows and to the telephone go on.
 */
function StayOnBoard({ offline }: { offline: boolean }) {
  const t = useTranslations('client.service.needsConnection')
  const say = useToast()
  const [said, setSaid] = useState<{ text: string; beside: Element } | null>(null)
  const click = useEffectEvent((event: MouseEvent) => {
    setSaid(null)
    if (!offline && navigator.onLine) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.origin !== window.location.origin || (link.target && link.target !== '_self')) return
    if (link.hash && link.pathname === window.location.pathname) return
    event.preventDefault()
    event.stopPropagation()
    const text = t(CARD.test(link.pathname) ? 'card' : 'page')
    // A dialog covers the messages of the page.
    if (link.parentElement?.closest('dialog')) setSaid({ text, beside: link.parentElement })
    else say({ text, tone: 'warning' })
  })

  useEffect(() => {
    const listen = (event: MouseEvent) => click(event)
    // Before React and the links hear of it.
    window.addEventListener('click', listen, { capture: true })
    return () => window.removeEventListener('click', listen, { capture: true })
  }, [])
  return said
    ? createPortal(
        <span role="status" className={classes.needs}>
          {said.text}
        </span>,
        said.beside,
      )
    : null
}
