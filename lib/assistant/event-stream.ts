/** Writes one server-sent event; `data` goes as JSON. */
export type SendEvent = (event: 'delta' | 'done' | 'error', data: object) => void

/**
 * An answer in server-sent events, written by `produce`; it ends when that does. The reader's leaving calls
 * `onCancel`, and what is sent after that goes nowhere.
 */
export function eventStream(produce: (send: SendEvent) => Promise<void>, onCancel?: () => void): Response {
  const encoder = new TextEncoder()
  let open = true
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const send: SendEvent = (event, data) => {
        if (open) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      produce(send).finally(() => {
        if (open) controller.close()
        open = false
      })
    },
    cancel() {
      open = false
      onCancel?.()
    },
  })
  return new Response(stream, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies that buffer would hold the pieces back.
      'X-Accel-Buffering': 'no',
    },
  })
}
