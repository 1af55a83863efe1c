'use client'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ask, type Outcome } from './ask'
import {
  historyOf,
  loadConversation,
  type Reply,
  saveDraft,
  saveTurns,
  sendable,
  type Turn,
} from './conversation'

/** A conversation with the assistant, stored in this tab. */
export interface ChatState {
  turns: readonly Turn[]
  /** The text received of the current reply; null when there is none. */
  partial: string | null
  draft: string
  /** Whether the last question found no model configured. */
  unconfigured: boolean
  setDraft: (draft: string) => void
  send: (question: string) => void
  /** Asks the last question again. */
  retry: () => void
  stop: () => void
  clear: () => void
}

/** The state of a person's conversation; leaving the page stops the current reply and stores its text. */
export function useChat(userId: string): ChatState {
  const turns = useRef<readonly Turn[]>([])
  const typed = useRef('')
  const running = useRef<AbortController>(null)
  const [shown, show] = useState<readonly Turn[]>([])
  const [partial, setPartial] = useState<string | null>(null)
  const [draft, setDraftState] = useState('')
  const [unconfigured, setUnconfigured] = useState(false)

  const commit = useCallback(
    (next: readonly Turn[]) => {
      turns.current = next
      saveTurns(userId, next)
      show(next)
    },
    [userId],
  )
  const setDraft = useCallback(
    (text: string) => {
      typed.current = text
      saveDraft(userId, text)
      setDraftState(text)
    },
    [userId],
  )

  // Before the first paint, so that the stored conversation is there at once.
  useLayoutEffect(() => {
    const kept = loadConversation(userId)
    turns.current = kept.turns
    show(kept.turns)
    // The person may have typed before this ran.
    setDraft(typed.current || kept.draft)
  }, [userId, setDraft])
  useEffect(() => () => running.current?.abort(), [])

  async function run(before: readonly Turn[], question: string) {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    const id = String(Date.now())
    commit([...before, { id, question }])
    setPartial('')
    const words = inFrames(setPartial)
    const message = { message: question, history: historyOf(before) }
    const outcome = await ask(message, { signal: controller.signal, onDelta: words.add })
    words.end()
    // A new conversation has begun.
    if (running.current !== controller) return
    running.current = null
    setPartial(null)
    setUnconfigured(outcome.kind === 'unconfigured')
    const reply = replyOf(outcome, words.text())
    commit(reply ? [...before, { id, question, reply }] : before)
    // Without a reply, the question goes back into the field.
    if (!reply) setDraft([question, typed.current].filter(Boolean).join('\n'))
    if (outcome.kind === 'signedOut') window.location.assign('/sign-in?next=%2Fassistant')
  }

  return {
    turns: shown,
    partial,
    draft,
    unconfigured,
    setDraft,
    send: (question) => {
      const text = sendable(question).trim()
      if (text === '' || running.current) return
      setDraft('')
      void run(turns.current, text)
    },
    retry: () => {
      const last = turns.current.at(-1)
      if (last) void run(turns.current.slice(0, -1), last.question)
    },
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort()
      running.current = null
      setPartial(null)
      commit([])
    },
  }
}

function replyOf(outcome: Outcome, partial: string): Reply | null {
  if (outcome.kind === 'done') return { text: outcome.text, sources: outcome.sources, state: 'done' }
  if (outcome.kind === 'stopped') return { text: partial, sources: [], state: 'stopped' }
  if (outcome.kind === 'failed')
    return { text: partial, sources: [], state: 'failed', failure: outcome.failure }
  return null
}

/** Adds up pieces and shows them once a frame. */
function inFrames(show: (text: string) => void) {
  let text = ''
  let frame = 0
  return {
    text: () => text,
    add: (piece: string) => {
      text += piece
      frame ||= requestAnimationFrame(() => {
        frame = 0
        show(text)
      })
    },
    end: () => cancelAnimationFrame(frame),
  }
}
