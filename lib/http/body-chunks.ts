// The most that is ever read of a body, in bytes: the largest upload, and a little of what comes after it.
const MOST_READ = 66 * 1024 * 1024

/**
 * The chunks of a request's body as they come. When the reader stops before the end, the rest is read and thrown away
 * beside the answer: bytes left on the wire would stand in the way of the connection's next request.
 */
export async function* bodyChunks(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader()
  if (!reader) return
  let ended = false
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      ended = done
      if (done) return
      size += value.byteLength
      yield value
    }
  } finally {
    if (!ended) void discard(reader, MOST_READ - size)
  }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<void> {
  try {
    for (let size = 0; size < most; ) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // Whoever sent it has gone.
  }
}
