/** Server-sent events as they came, their data parsed. */
export function eventsOf(text: string) {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      return { event, data: JSON.parse(data) }
    })
}
