import { describe, expect, it } from 'vitest'
import { closeGaps, GAP, withoutGaps } from '@/lib/messaging/gaps'

/** The texts as a guest without a name gets them; `_` is where the name would stand. */
const nameless = (...texts: string[]) => closeGaps(texts.map((text) => text.replaceAll('_', GAP)))

describe('a text for a guest without a name', () => {
  it.each([
    ['Hola _, tienes 3 puntos', 'Hola, tienes 3 puntos'],
    ['_, reserva tu cena', 'Reserva tu cena'],
    ['¡_, te esperamos!', '¡Te esperamos!'],
    ['¡Feliz cumpleaños, _!', '¡Feliz cumpleaños!'],
    ['Hola _ y familia', 'Hola y familia'],
    ['Hola _\nTe esperamos', 'Hola\nTe esperamos'],
    ['Te esperamos, _', 'Te esperamos'],
    ['Gracias, _, por venir', 'Gracias, por venir'],
    ['Te esperamos, _\nHasta pronto', 'Te esperamos\nHasta pronto'],
    ['Hola _ _, ven', 'Hola, ven'],
    ['_, _, ven', 'Ven'],
    ['Hola _, _, ven', 'Hola, ven'],
    ['Ven a _.', 'Ven a.'],
    ['Buenas.\n\n_: élite', 'Buenas.\n\nÉlite'],
    ['_', ''],
    ['Sin nombre', 'Sin nombre'],
    ['Hola _', 'Hola'],
    ['«_»', '«»'],
    ['¿_? ¡Ven!', '¡Ven!'],
  ])('%s → %s', (text, expected) => expect(nameless(text)).toEqual([expected]))

  it('closes a gap between the runs of a paragraph', () => {
    expect(nameless('Hola ', '_', ', tienes 3 puntos')).toEqual(['Hola', '', ', tienes 3 puntos'])
    expect(nameless('_', ', reserva')).toEqual(['', 'Reserva'])
    expect(nameless('Hola ', '_', ' y familia').join('')).toBe('Hola y familia')
  })

  it('leaves a text without gaps alone, also one with spaces of its own', () => {
    expect(closeGaps(['Hola , ven', ' . '])).toEqual(['Hola , ven', ' . '])
    expect(withoutGaps(`a${GAP}b`)).toBe('ab')
  })
})
