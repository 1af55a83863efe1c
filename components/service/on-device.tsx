import { useLocale, useTranslations } from 'next-intl'
import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useToast } from '@/components/ui/toast'
import { forgetLists, LIST_MARK } from '@/lib/service/list-key'
import type { Service } from '@/lib/service/schema'
import classes from './dock.module.css'
import { keepList, type ListOwner } from './kept-list'
import { type Failure, isUnreachable } from './use-service'

/** Whether the board shows a list that this device kept, in place of the page that the server did not send. */
export const FromDevice = createContext(false)

export interface OnDeviceProps {
  /** Why the list was not read the last time; null when it was. */
  failure: Failure | null
  /** Whether no tap waits to be sent, and the person neither looks for something nor may undo. */
  idle: boolean
  /** The list as it was read, and whose it is; absent for a day that this device does not keep. */
  keeps?: ListOwner & { list: Service }
}

/** What a board does for the time without a connection, and after it. */
export function OnDevice({ failure, idle, keeps }: OnDeviceProps) {
  return (
    <>
      <StayOnBoard offline={isUnreachable(failure)} />
      {keeps ? <KeepList {...keeps} {...{ failure, idle }} /> : null}
    </>
  )
}

/** A list that has not changed is sealed again after so long, for its hour. */
const AGAIN_MS = 60_000

/** Keeps each list that was read, and the page that shows it without a connection. */
function KeepList({ list, person, cards, failure, idle }: ListOwner & KeepListProps) {
  const locale = useLocale()
  const fromDevice = useContext(FromDevice)
  const [first] = useState(list)
  const [kept, setKept] = useState<Service | null>(null)
  const isNew = list !== first

  useEffect(() => {
    if ((fromDevice && !isNew) || isKept(kept, list)) return
    keepList({ person, cards }, list).then(
      () => setKept(list),
      () => {},
    )
  }, [list, person, cards, fromDevice, isNew, kept])

  // Whoever may no longer read it keeps no copy either.
  useEffect(() => {
    if (failure?.code && [401, 403, 404].includes(failure.status)) forgetLists()
  }, [failure])

  useEffect(() => {
    if (fromDevice) return
    const keepPage = () =>
      navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ keepServicePage: locale }))
    keepPage()
    window.addEventListener('online', keepPage)
    return () => window.removeEventListener('online', keepPage)
  }, [locale, fromDevice])

  // The connection is back, and all is sent: the page itself takes over, unless somebody is typing.
  const isDone = fromDevice && isNew && failure === null && idle && isKept(kept, list)
  const isLeaving = useRef(false)
  useEffect(() => {
    if (!isDone || isLeaving.current || document.querySelector('dialog[open]')) return
    isLeaving.current = true
    window.location.replace(`/service${window.location.search}`)
  })
  return null
}

interface KeepListProps extends Pick<OnDeviceProps, 'failure' | 'idle'> {
  list: Service
}

/** Whether a list was kept with the same content, a short while ago. */
function isKept(kept: Service | null, list: Service): boolean {
  if (kept === null || Date.parse(list.at) - Date.parse(kept.at) > AGAIN_MS) return false
  return JSON.stringify({ ...kept, at: null }) === JSON.stringify({ ...list, at: null })
}

/** The paths of guests' cards. */
const CARD = /^\/(customers|service\/guests)\/./

/**
 * Without a connection, keeps the page whose list is still there: another page would be an error. It says what needs the
 * connection; links to other windows and to the telephone go on, and the kept list opens.
 */
function StayOnBoard({ offline }: { offline: boolean }) {
  const t = useTranslations('client.service.needsConnection')
  const say = useToast()
  const [said, setSaid] = useState<{ text: string; beside: Element } | null>(null)

  /** Whether a page of this app that is not this one is not opened; then it is said why. */
  const refuses = useEffectEvent((url: URL, link?: Element): boolean => {
    if ((!offline && navigator.onLine) || url.origin !== window.location.origin) return false
    if (url.pathname === window.location.pathname && (url.hash || !link)) return false
    const text = t(CARD.test(url.pathname) ? 'card' : 'page')
    // A dialog covers the messages of the page.
    const dialog = link?.parentElement?.closest('dialog')
    if (dialog && link?.parentElement) setSaid({ text, beside: link.parentElement })
    else say({ text, tone: 'warning' })
    return true
  })
  const click = useEffectEvent((event: MouseEvent) => {
    setSaid(null)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (!link?.href || elsewhere || (link.target && link.target !== '_self')) return
    const url = new URL(link.href)
    const opensKept = url.pathname === '/service' && localStorage.getItem(LIST_MARK) !== null
    if (!opensKept && !refuses(url, link)) return
    if (opensKept && !offline && navigator.onLine) return
    event.preventDefault()
    event.stopPropagation()
    if (opensKept) window.location.assign(url)
  })
  // The search, another location's page, back: whatever is no link.
  const leave = useEffectEvent((event: NavigateEvent) => {
    const url = new URL(event.destination.url)
    if (url.pathname === '/service' || event.navigationType === 'reload' || !event.cancelable) return
    if (refuses(url)) event.preventDefault()
  })

  useEffect(() => {
    const clicked = (event: MouseEvent) => click(event)
    const left = (event: Event) => leave(event as NavigateEvent)
    // Before React and the links hear of it.
    window.addEventListener('click', clicked, { capture: true })
    window.navigation?.addEventListener('navigate', left)
    return () => {
      window.removeEventListener('click', clicked, { capture: true })
      window.navigation?.removeEventListener('navigate', left)
    }
  }, [])
  return said
    ? createPortal(
        <span role="alert" className={classes.needs}>
          {said.text}
        </span>,
        said.beside,
      )
    : null
}
