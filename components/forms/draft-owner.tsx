'use client'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react'
import { sweepTaps } from '@/components/service/tap-queue'
import { forgetLists, LIST_MARK } from '@/lib/service/list-key'
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
  }, [person])
  return <Owner value={person}>{children}</Owner>
}

/** The storage key of the signed-in person's draft with that name; null on a page without a session. */
export function useDraftKey(name: string): string | null {
  const person = useContext(Owner)
  return person === null ? null : draftKey(person, name)
}

/**
 * Deletes the lists of the service that this device keeps (components/service/kept-list.ts), unless they are this person's and
 * of the last twelve hours.
 * @param person null: nobody is signed in, or about to sign out
 */
export function forgetListsOf(person: string | null): void {
  withStores(({ kept }) => {
    const [owner, until] = kept.getItem(LIST_MARK)?.split(' ') ?? []
    if (owner === undefined || (owner === person && Number(until) > Date.now())) return
    forgetLists()
  })
}

/** On the pages before one is signed in: whoever was signed in here is not any more, or has yet to prove it. */
export function ForgetLists() {
  useEffect(() => forgetListsOf(null), [])
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
