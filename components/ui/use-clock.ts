import { useEffect, useState } from 'react'

/**
 * The present moment, every few seconds anew. It begins with the moment of the server, so that both render the same.
 * @param from when the server rendered
 */
export function useClock(from: Date, everyMs = 5_000): Date {
  const [now, setNow] = useState(from)
  useEffect(() => {
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
