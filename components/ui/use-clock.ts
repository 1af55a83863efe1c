import { useEffect, useState } from 'react'

/**
 * The current time, updated every few seconds. It starts with the server's time, so that both render the same.
 * @param from when the server rendered the page
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
