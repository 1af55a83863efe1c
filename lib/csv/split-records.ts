const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const QUOTE = 34
const NOTHING = new Uint8Array(0)

/** A record as bytes, without its line end; `broken` says why it cannot be read. */
export interface RawRecord {
  bytes: Uint8Array
  broken?: 'quotes' | 'length'
}

/** Cuts a stream of bytes into records, which it gives to `emit` as they end. */
export interface RecordSplitter {
  push: (chunk: Uint8Array) => void
  end: () => void
}

/**
 * Where in a record the scanner is; `quote` is behind a quote that closes or is the first of a doubled one,
 * `broken` behind one that is neither, `skip` in a record that has been given up.
 */
type State = 'start' | 'plain' | 'quoted' | 'quote' | 'closed' | 'broken' | 'skip'

/**
 * Cuts CSV into records: at line ends outside of quotes, wherever the chunks end. Records of nothing but
 * delimiters, quotes and blanks are left out. At most `limit` bytes are held: a longer record, and one whose
 * quotes do not close, is given as broken up to its first line end, and reading goes on behind that.
 */
export function recordSplitter(
  delimiter: number,
  limit: number,
  emit: (record: RawRecord) => void,
): RecordSplitter {
  let state: State = 'start'
  let filled = false
  /** The record under way, which has been scanned to its end. */
  let pending: Uint8Array = NOTHING

  /** Moves on by one byte; false when a quote is where none may be. */
  function step(byte: number): boolean {
    if (byte !== delimiter && byte !== QUOTE && byte !== SPACE && byte !== TAB) filled = true
    if (state === 'plain') state = byte === delimiter ? 'start' : 'plain'
    else if (state === 'quoted') state = byte === QUOTE ? 'quote' : 'quoted'
    else if (state === 'skip' || state === 'broken') return true
    else if (byte === delimiter) state = 'start'
    else if (state === 'start') state = byte === QUOTE ? 'quoted' : 'plain'
    else if (state === 'quote' && byte === QUOTE) state = 'quoted'
    else if (byte === SPACE) state = 'closed'
    else return false
    return true
  }

  /** Gives a record up at its first line end, and answers where the next one starts. */
  function giveUp(data: Uint8Array, from: number, at: number): number {
    const length = lineLength(data.subarray(from, at))
    const end = length < 0 ? at : from + length
    // A line end within the record was within quotes.
    emit({ bytes: data.subarray(from, end), broken: length < 0 && state !== 'broken' ? 'length' : 'quotes' })
    filled = false
    state = length < 0 ? 'skip' : 'start'
    return length < 0 ? at : end + 1
  }

  function finish(bytes: Uint8Array): void {
    if (filled && state !== 'skip') emit(state === 'broken' ? { bytes, broken: 'quotes' } : { bytes })
    filled = false
    state = 'start'
  }

  /** Scans from `at`, emits what ends, and answers the rest. */
  function scan(data: Uint8Array, at: number): Uint8Array {
    let from = 0
    while (at < data.length) {
      const byte = data[at++] as number
      if ((byte === LF || byte === CR) && state !== 'quoted') {
        finish(data.subarray(from, at - 1))
        from = at
      } else if (!step(byte)) {
        state = 'broken'
        if (lineLength(data.subarray(from, at)) >= 0) from = at = giveUp(data, from, at)
      } else if (at - from > limit && state !== 'skip') {
        from = at = giveUp(data, from, at)
      }
    }
    return state === 'skip' ? NOTHING : data.subarray(from)
  }

  return {
    push: (chunk) => {
      const data = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      pending = scan(data, pending.length)
    },
    end: () => {
      while (state === 'quoted') {
        state = 'broken'
        pending = scan(pending.subarray(giveUp(pending, 0, pending.length)), 0)
      }
      finish(pending)
      pending = NOTHING
    },
  }
}

/** How far the first line end is, or -1. */
function lineLength(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte === LF || byte === CR)
}
