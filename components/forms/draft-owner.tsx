'use client'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react'
import { draftKey, forgetDrafts, isLeftOpen, sweepDrafts } from './draft-store'
import { releaseLeaveGuards } from './use-leave-guard'

const Owner = createContext<string | null>(null)

/** Whose drafts the forms within keep: people may share a browser. */
export function DraftOwner({ person, children }: { person: string; children: ReactNode }) {
  useEffect(() => withStores(({ kept }) => sweepDrafts(kept)), [])
  return <Owner value={person}>{children}</Owner>
}

/** The storage key of the signed-in person's draft with that name; null on a page without a session. */
export function useDraftKey(name: string): string | null {
  const person = useContext(Owner)
  return person === null ? null : draftKey(person, name)
}

/** For who signs out: nothing stays in this browser, and nothing asks. */
export function forgetWhatWasTyped(): void {
  releaseLeaveGuards()
  withStores(({ kept, tab }) => {
    forgetDrafts(kept)
    tab.clear()
  })
}

/** Opens a form again that was open, with something typed into it, when this tab was loaded anew or had to sign in. */
export function useReopened(name: string, open: () => void): void {
  const key = useDraftKey(name)
  const reopen = useEffectEvent(open)
  useEffect(() => {
    withStores(({ tab }) => {
      if (key !== null && isLeftOpen(tab, key)) reopen()
    })
  }, [key])
}

/** Does something with what the browser keeps, and with what this tab does; nothing where it keeps nothing. */
export function withStores<T>(use: (stores: { kept: Storage; tab: Storage }) => T): T | undefined {
  try {
    return use({ kept: window.localStorage, tab: window.sessionStorage })
  } catch {
    // Forbidden or full: what is typed lasts as long as the page.
    return undefined
  }
}
