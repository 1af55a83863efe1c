// What is read and thrown away of a body that is refused, in bytes; nginx lingers in the same way.
const MOST_DISCARDED = 64 * 1024 * 1024

/**
 * The chunks of a request's body as they come. When the reader stops before the end, the rest is read and thrown away
 * beside the answer: bytes left on the wire would stand in the way of the connection's next request.
 */
export async function* bodyChunks(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader()
  if (!reader) return
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      ended = done
      if (done) return
      yield value
    }
  } finally {
    if (!ended) void discard(reader)
  }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let size = 0; size < MOST_DISCARDED; ) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // Whoever sent it has gone.
  }
}
