import { parseJson } from '@/lib/http/json'

/** A part of a model's answer: an event of a stream, the whole answer of a server that does not stream, or the end. */
export type AnswerPart = { event: unknown } | { whole: unknown } | 'end'

/**
 * Reads the parts of an answer to a streaming request. It goes by what comes, not by the content type, and takes what
 * servers differ in: comments, any line ends, a last event without an empty line after it, and one JSON value in place
 * of events.
 * @throws SyntaxError for what is no JSON, and what the body throws when its connection breaks.
 */
export async function* partsOf({ body }: Response): AsyncGenerator<AnswerPart> {
  let rest = ''
  let isWhole: boolean | undefined
  let isCut = false
  const data: string[] = []
  for await (const text of textsOf(body)) {
    // An answer may begin with megabytes of white space: none of it is kept.
    if (isWhole === undefined && text.trim() === '') continue
    isWhole ??= text.trimStart().startsWith('{')
    if (isWhole) {
      rest += text
      continue
    }
    // The last text may have ended between the two characters of a line end.
    const lines = (isCut && text.startsWith('\n') ? text.slice(1) : text).split(LINE_END)
    isCut = text.endsWith('\r')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) yield* eventAt(line, data)
  }
  if (isWhole) return yield { whole: parseJson(rest) }
  for (const line of [rest, '']) yield* eventAt(line, data)
}

const LINE_END = /\r\n|\n|\r/

/** Takes a line: an empty one ends the event that `data` has collected. */
function* eventAt(line: string, data: string[]): Generator<AnswerPart> {
  if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
  if (line !== '' || data.length === 0) return
  const text = data.splice(0).join('\n').trim()
  if (text === '[DONE]') yield 'end'
  else if (text !== '') yield { event: parseJson(text) }
}

async function* textsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      yield decoder.decode(part.value, { stream: true })
    yield decoder.decode()
  } finally {
    // After the end it does nothing; before it, the provider need not go on.
    await reader.cancel().catch(() => undefined)
  }
}
