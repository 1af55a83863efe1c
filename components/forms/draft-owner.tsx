'use client'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react'
import { queuesOf, sweepTaps } from '@/components/service/tap-queue'
import { forgetLists, forgotten, LIST_MARK, listMark } from '@/lib/service/list-key'
import { draftKey, forgetDrafts, isLeftOpen, sweepDrafts } from './draft-store'
import { releaseLeaveGuards } from './use-leave-guard'

const Owner = createContext<string | null>(null)

/** The id of the person whose drafts the forms within keep: people may share a browser. */
export function DraftOwner({ person, children }: { person: string; children: ReactNode }) {
  useEffect(() => {
    withStores(({ kept }) => {
      sweepDrafts(kept)
      sweepTaps()
    })
    forgetListsOf(person)
    const send = () => sendLeft(person)
    send()
    window.addEventListener('online', send)
    return () => window.removeEventListener('online', send)
  }, [person])
  return <Owner value={person}>{children}</Owner>
}

/** Sends what the person tapped in the service without a connection; a board of the service does so itself. */
function sendLeft(person: string): void {
  if (window.location.pathname.startsWith('/service')) return
  if (!withStores(() => queuesOf(person).some((queue) => queue.unsent() > 0))) return
  import('@/components/service/send-taps').then(({ sendQueues }) => sendQueues(person)).catch(() => {})
}

/** The storage key of the signed-in person's draft with that name; null on a page without a session. */
export function useDraftKey(name: string): string | null {
  const person = useContext(Owner)
  return person === null ? null : draftKey(person, name)
}

/**
 * Deletes the lists of the service that this device keeps (components/service/kept-list.ts), unless they are this person's,
 * of the last twelve hours and of these locations.
 * @param person null deletes all: nobody is signed in, or the person is about to sign out
 */
export function forgetListsOf(person: string | null, locations?: readonly string[]): void {
  // One that is being sealed has no mark yet.
  if (person === null) forgotten.times += 1
  withStores(({ kept }) => {
    if (kept.getItem(LIST_MARK) === null) return
    const mark = listMark()
    const isTheirs = mark !== null && mark.person === person
    if (!isTheirs || !mark.locations.every((id) => locations?.includes(id) ?? true)) forgetLists()
  })
}

/** On pages before the sign-in, and on those of a person who may see the lists of some locations only. */
export function ForgetLists({ except }: { except?: { person: string; locations: string[] } }) {
  const [person, locations] = [except?.person ?? null, except?.locations.join()]
  useEffect(() => forgetListsOf(person, locations?.split(',')), [person, locations])
  return null
}

/** For signing out: removes all drafts of this browser, and lets the page go without a question. */
export function forgetWhatWasTyped(): void {
  releaseLeaveGuards()
  withStores(({ kept, tab }) => {
    forgetDrafts(kept)
    // They name guests (components/service/tap-queue.ts).
    for (const key of Object.keys(kept)) if (/^service:.*:refused$/.test(key)) kept.removeItem(key)
    tab.clear()
  })
}

/** Reopens a form with unsaved input after this tab was reloaded or had to sign in again. */
export function useReopened(name: string, open: () => void): void {
  const key = useDraftKey(name)
  const reopen = useEffectEvent(open)
  useEffect(() => {
    withStores(({ tab }) => {
      if (key !== null && isLeftOpen(tab, key)) reopen()
    })
  }, [key])
}

/** Calls `use` with both storages of the browser; undefined when storage is forbidden or full. */
export function withStores<T>(use: (stores: { kept: Storage; tab: Storage }) => T): T | undefined {
  try {
    return use({ kept: window.localStorage, tab: window.sessionStorage })
  } catch {
    // Storage is forbidden or full: unsaved input lasts as long as the page.
    return undefined
  }
}
