import type { ClaimedBatch } from './queue'
import type { Channel } from './schema'

// A message that becomes due before the cursor waits at most this long.
const FROM_START_MS = 120_000

/**
 * Where a channel's last claim ended. The next one goes on from there, so that it does not read what has been sent
 * since: while another transaction holds its snapshot, Postgres cannot remove that from the queue's index. From time to
 * time, and when nothing is left behind it, a claim starts from the beginning.
 */
interface QueuePlace {
  /** For the next claim; null: from the beginning. */
  get: () => ClaimedBatch['last']
  set: (last: NonNullable<ClaimedBatch['last']>) => void
  /** Lets the next claim start from the beginning; false when another's does already. */
  restart: () => boolean
}

/** The place of each channel, of one drain or of several in a row. */
export type QueuePlaces = (channel: Channel, now: () => Date) => QueuePlace

/** Creates places at the beginning. */
export function createPlaces(): QueuePlaces {
  const places = new Map<Channel, QueuePlace>()
  return (channel, now) => {
    const place = places.get(channel) ?? createPlace(now)
    places.set(channel, place)
    return place
  }
}

function createPlace(now: () => Date): QueuePlace {
  let last: ClaimedBatch['last']
  let since = now().getTime()
  return {
    get: () => {
      const time = now().getTime()
      if (last && time - since < FROM_START_MS) return last
      since = time
      return null
    },
    set: (place) => {
      last = place
    },
    restart: () => {
      if (!last) return false
      last = null
      return true
    },
  }
}
