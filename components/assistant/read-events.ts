/** A server-sent event, its data parsed. */
export interface ServerEvent {
  event: string
  data: unknown
}

/** The events of a stream as they come. @throws what reading throws, SyntaxError for data that is not JSON. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks.map(eventOf)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') }
}
