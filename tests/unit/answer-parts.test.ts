import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerPart, partsOf } from '@/lib/assistant/answer-parts'

/** The parts of an answer whose body comes in these pieces. */
async function parts(...pieces: Uint8Array[]): Promise<AnswerPart[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const found: AnswerPart[] = []
  for await (const part of partsOf(new Response(body))) found.push(part)
  return found
}
const bytes = (text: string) => new TextEncoder().encode(text)

describe('the parts of a model’s answer', () => {
  it('are the same however the connection cuts it', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    const cuts = fc.array(fc.nat(400), { maxLength: 12 })
    const law = fc.asyncProperty(texts, ends, cuts, fc.boolean(), async (contents, end, at, hasLast) => {
      const events = contents.map((content) => `: keep-alive${end}data: ${JSON.stringify({ content })}`)
      const sent = bytes(events.join(end + end) + (hasLast ? `${end}${end}data: [DONE]${end}${end}` : ''))
      const edges = [...new Set([0, ...at.map((n) => n % (sent.length + 1)), sent.length])]
      const sorted = edges.toSorted((one, other) => one - other)
      const pieces = sorted.slice(1).map((edge, index) => sent.slice(sorted[index], edge))
      expect(await parts(...pieces)).toEqual([
        ...contents.map((content) => ({ event: { content } })),
        ...(hasLast ? ['end'] : []),
      ])
    })
    await fc.assert(law, { numRuns: 300, seed: 1 })
  })

  it('are one where the server does not stream, however it is written', async () => {
    const whole = { choices: [{ message: { content: 'Sí' } }] }
    const text = `\n\n  ${JSON.stringify(whole, null, 2)}\n`
    expect(await parts(bytes(text))).toEqual([{ whole }])
    expect(await parts(bytes(text.slice(0, 1)), bytes(text.slice(1)))).toEqual([{ whole }])
  })

  it('are none of what says nothing, and an error of what is no JSON', async () => {
    for (const text of ['', '\n\n', ': ping\n\n', 'event: ping\n\n', 'data:\n\n', '<html>Hola</html>'])
      expect(await parts(bytes(text))).toEqual([])
    await expect(parts(bytes('data: {"a":\n\n'))).rejects.toThrow(SyntaxError)
    await expect(parts(bytes('{"a":'))).rejects.toThrow(SyntaxError)
  })

  it.each(['\n', '\r\n', '\r'])(
    'may have an event in several lines that end with %j, cut anywhere',
    async (end) => {
      const sent = bytes(['event: x', 'id: 1', 'data: {"a":', 'data: 1}', '', ''].join(end))
      for (let at = 0; at <= sent.length; at++)
        expect(await parts(sent.slice(0, at), sent.slice(at)), `cut at ${at}`).toEqual([{ event: { a: 1 } }])
    },
  )
})
