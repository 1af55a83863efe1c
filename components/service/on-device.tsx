import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useToast } from '@/components/ui/toast'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import { forgetLists, forgotten, KEPT_PAGE, listMark } from '@/lib/service/list-key'
import type { Service } from '@/lib/service/schema'
import classes from './dock.module.css'
import { keepList, type ListOwner } from './kept-list'
import type { Failure } from './send-taps'
import { isUnreachable } from './use-service'

export interface OnDeviceProps {
  /** Why the list was not read the last time; null when it was. */
  failure: Failure | null
  /** When the list was read. */
  readAt: string
  /** Whether no tap waits to be sent, and the person neither looks for something nor may undo. */
  idle: boolean
  /** The list as it was read, and whose it is; absent for a day that this device does not keep. */
  keeps?: ListOwner & {
    list: Service
    /** Whether the device showed a list that it had kept, in place of the page that the server did not send. */
    fromDevice?: boolean
  }
}

/** What a board does for the time without a connection, and after it. */
export function OnDevice({ failure, readAt, idle, keeps }: OnDeviceProps) {
  return (
    <>
      <StayOnBoard failure={failure} readAt={readAt} />
      {keeps ? <KeepList {...keeps} {...{ failure, idle }} /> : null}
    </>
  )
}

/** A list that has not changed is sealed again after so long, for its hour. */
const AGAIN_MS = 60_000
/** The page itself takes over only when it comes within so long, and is not asked for more often. */
const TAKE_OVER_MS = 4_000
const TAKE_OVER_EVERY_MS = 30_000

type KeepListProps = NonNullable<OnDeviceProps['keeps']> & Pick<OnDeviceProps, 'failure' | 'idle'>

/** Keeps each list that was read, and the page that shows it without a connection. */
function KeepList({ list, person, cards, fromDevice = false, failure, idle }: KeepListProps) {
  const locale = useLocale()
  const [first] = useState(list)
  const [kept, setKept] = useState<Kept | null>(null)
  const isNew = list !== first
  // After the lists were deleted, a person who stays on this page has the next one kept again.
  const times = kept?.times

  useEffect(() => {
    if ((fromDevice && !isNew) || isKept(kept, list)) return
    const before = forgotten.times
    keepList({ person, cards }, list).then(
      () => setKept({ list, times: before }),
      () => {},
    )
  }, [list, person, cards, fromDevice, isNew, kept])

  // A person who lost the right to read the list keeps no copy of it.
  useEffect(() => {
    if (failure?.code && [401, 403, 404].includes(failure.status)) forgetLists()
  }, [failure])

  // Only once a list is kept: the page is of no use without one. A new service worker keeps the page again.
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (fromDevice || times === undefined || !worker) return
    const keepPage = async () => {
      const { active } = await worker.ready
      if (times === forgotten.times) active?.postMessage({ keepServicePage: locale })
    }
    keepPage()
    window.addEventListener('online', keepPage)
    worker.addEventListener('controllerchange', keepPage)
    return () => {
      window.removeEventListener('online', keepPage)
      worker.removeEventListener('controllerchange', keepPage)
    }
  }, [locale, fromDevice, times])

  // When the connection is back and every tap is sent, the page of the server replaces this one, unless a dialog is open.
  const isDone = fromDevice && isNew && failure === null && idle && isKept(kept, list)
  const asked = useRef(0)
  const mayLeave = useEffectEvent(() => isDone && document.querySelector('dialog[open]') === null)
  useEffect(() => {
    if (!mayLeave() || Date.now() - asked.current < TAKE_OVER_EVERY_MS) return
    asked.current = Date.now()
    const path = `/service${window.location.search}`
    // On a slow network the worker would show this page again.
    fetch(path, { signal: AbortSignal.timeout(TAKE_OVER_MS) }).then(
      ({ ok }) => ok && mayLeave() && window.location.replace(path),
      () => {},
    )
  })
  return null
}

/** The list that was kept last, and how many times this tab had deleted lists. */
interface Kept {
  list: Service
  times: number
}

/** Whether a list was kept with the same content, a short while ago, and has not been deleted. */
function isKept(kept: Kept | null, list: Service): boolean {
  if (kept === null || kept.times !== forgotten.times) return false
  if (Date.parse(list.at) - Date.parse(kept.list.at) > AGAIN_MS) return false
  return JSON.stringify({ ...kept.list, at: null }) === JSON.stringify({ ...list, at: null })
}

/** The paths of guests' cards. */
const CARD = /^\/(customers|service\/guests)\/./
const BOARD = '/service'
/** The page after a session ended: this link always goes on. */
const SIGN_IN = '/sign-in'

/** Whether this device keeps the list that an address of the board asks for. */
function keeps({ pathname, searchParams }: URL): boolean {
  const asked = searchParams.get(LOCATION_PARAMETER)
  const mark = pathname === BOARD ? listMark() : null
  return mark !== null && (asked === null || mark.locations.includes(asked))
}

/**
 * Without a connection, keeps the page whose list is still there: another page would be an error. It says what needs the
 * connection; links to other windows and to the telephone go on, and a kept list opens.
 */
function StayOnBoard({ failure, readAt }: Pick<OnDeviceProps, 'failure' | 'readAt'>) {
  const t = useTranslations('client.service.needsConnection')
  const say = useToast()
  const [said, setSaid] = useState<{ text: string; beside: Element } | null>(null)
  // What the browser says of the network, how many lists were read since, and what failed last, also before it was back.
  const net = useRef({ cut: !navigator.onLine, reads: 0, failure, former: null as Failure | null })
  useEffect(() => {
    net.current.failure = failure
  }, [failure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list counts
  useEffect(() => {
    net.current.reads += 1
  }, [readAt])

  function isLost(): boolean {
    const { cut, reads, failure: last, former } = net.current
    // A list may have been on its way. A second one says that the browser does not count this network.
    return (cut && reads < 2) || (isUnreachable(last) && last !== former)
  }

  function refuse(url: URL, link?: Element) {
    const text = t(CARD.test(url.pathname) ? 'card' : 'page')
    // A dialog covers the messages of the page.
    const dialog = link?.parentElement?.closest('dialog')
    if (dialog && link?.parentElement) setSaid({ text, beside: link.parentElement })
    else say({ text, tone: 'warning' })
  }

  async function openKept(url: URL) {
    const page = await caches.match(KEPT_PAGE.path, KEPT_PAGE).catch(() => undefined)
    if (page) window.location.assign(url)
    else refuse(url)
  }

  const click = useEffectEvent((event: MouseEvent) => {
    setSaid(null)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (!isLost() || !link?.href || elsewhere || (link.target && link.target !== '_self')) return
    const url = new URL(link.href)
    if (url.origin !== window.location.origin || url.pathname === SIGN_IN) return
    const isHere = url.pathname === window.location.pathname
    if (isHere && url.hash) return
    event.preventDefault()
    event.stopPropagation()
    if (isHere && (!url.search || url.search === window.location.search)) return
    if (keeps(url)) void openKept(url)
    else refuse(url, link)
  })

  // Next's router leaves while React renders, when no effect event may be called.
  const latest = useRef({ isLost, refuse })
  useEffect(() => {
    latest.current = { isLost, refuse }
  })

  useEffect(() => {
    const clicked = (event: MouseEvent) => click(event)
    const cut = () => Object.assign(net.current, { cut: true, reads: 0 })
    // What failed before says nothing of now: the next read will.
    const joined = () => Object.assign(net.current, { cut: false, former: net.current.failure })
    // The search, another location's page, back: whatever is no link.
    const left = (event: Event) => {
      const { destination, navigationType, cancelable } = event as NavigateEvent
      const url = new URL(destination.url)
      if (!latest.current.isLost() || !cancelable || destination.sameDocument || navigationType === 'reload')
        return
      if (url.origin !== window.location.origin || url.pathname === SIGN_IN || keeps(url)) return
      event.preventDefault()
      setTimeout(() => {
        latest.current.refuse(url)
        // The router believes that it has left. It goes on here as when the browser comes back to a page.
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      })
    }
    // Before React and the links hear of it.
    window.addEventListener('click', clicked, { capture: true })
    window.addEventListener('offline', cut)
    window.addEventListener('online', joined)
    window.navigation?.addEventListener('navigate', left)
    return () => {
      window.removeEventListener('click', clicked, { capture: true })
      window.removeEventListener('offline', cut)
      window.removeEventListener('online', joined)
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
