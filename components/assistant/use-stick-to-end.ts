'use client'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const NEAR = 24

interface StickToEnd {
  ref: RefObject<HTMLElement | null>
  /** False while the reader has scrolled up. */
  atEnd: boolean
  onScroll: () => void
  toEnd: () => void
}

/**
 * Keeps the end of a scrolling element visible as `content` grows, until the reader scrolls up. A new `anchor`
 * (a new question) always scrolls to the end.
 */
export function useStickToEnd(content: unknown, anchor: unknown): StickToEnd {
  const ref = useRef<HTMLElement>(null)
  const last = useRef(0)
  const stuck = useRef(true)
  const [atEnd, setAtEnd] = useState(true)

  const stick = useCallback((stay: boolean) => {
    stuck.current = stay
    setAtEnd(stay)
  }, [])

  const toEnd = useCallback(() => {
    stick(true)
    const box = ref.current
    if (box) box.scrollTop = box.scrollHeight
  }, [stick])

  const onScroll = useCallback(() => {
    const box = ref.current
    if (!box) return
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    const up = box.scrollTop < last.current
    last.current = box.scrollTop
    // Scrolling up releases it; scrolling back to the end attaches it again.
    if (left <= 1) stick(true)
    else if (up) stick(false)
    else if (left < NEAR) stick(true)
  }, [stick])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scroll position depends on the content
  useLayoutEffect(() => {
    if (stuck.current) toEnd()
  }, [content, toEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useLayoutEffect(toEnd, [anchor, toEnd])

  return { ref, atEnd, onScroll, toEnd }
}
