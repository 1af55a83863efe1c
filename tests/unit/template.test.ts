import { afterEach, expect, it, vi } from 'vitest'
import { parseTemplate, renderTemplate, TemplateError } from '@/lib/messaging/template'

afterEach(() => vi.restoreAllMocks())

/** A machine that gives the process no time: so many readings of the clock are a second apart. */
function pauseFor(readings: number): void {
  let now = 0
  let left = readings
  vi.spyOn(performance, 'now').mockImplementation(() => {
    if (left-- > 0) now += 1000
    return now
  })
}

it('renders although the process had to pause once', () => {
  pauseFor(2)
  expect(renderTemplate(parseTemplate('Hola {{ name }}'), { name: 'Ana' })).toBe('Hola Ana')
})

it('gives up a template that takes too long every time', () => {
  pauseFor(Number.POSITIVE_INFINITY)
  expect(() => renderTemplate(parseTemplate('Hola {{ name }}'), { name: 'Ana' })).toThrow(TemplateError)
})

it('tells the line of what cannot be rendered', () => {
  const template = parseTemplate(
    'Hola\n{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}',
  )
  expect(() => renderTemplate(template, {})).toThrow(expect.objectContaining({ line: 2 }))
})
