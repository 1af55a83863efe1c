import { expect, it } from 'vitest'
import { nameInMessage } from '@/lib/messaging/template'

const ADDRESSES = [
  'https://evil.example',
  'http:evil.example',
  'evil.example/x',
  'evil.example',
  'EVIL.EXAMPLE',
  'Evil.Example',
  'www.evil.example',
  'Ana www.evil.example Ruiz',
  'pincha en evil.example',
  'evil\u200b.example',
  'evil.\u2060example',
  'evil\u00ad.example',
  'evil\n.example'.replace('\n', '\u0007'),
  '\u202eelpmaxe.live',
  'evil。example',
  'evil．example',
  'evil｡example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'evil․example',
  'xn--evil-1ma.example',
  '192.168.0.1',
  '3232235521',
  '[evil](//evil.example)',
  '//evil.example',
  '／／evil',
  'evil℀',
  'ana@evil.example',
  'mailto:ana',
  'tel:+34900123456',
  'Llame al 900 123 456',
  'Llame al ٩٠٠١٢٣٤٥٦',
  '<a href=x>Ana</a>',
  't.me',
  'a.co',
  'bit.ly',
  'Bit.Ly',
  'x'.repeat(500),
  'evil.example '.repeat(40),
]

it.each(ADDRESSES)('takes %j for no name', (name) => {
  expect(nameInMessage(name)).toBe('')
})

it.each([
  ['Ana', 'Ana'],
  ['  Ana\n\tRuiz ', 'Ana Ruiz'],
  ['Ana\r\nBcc: x', ''],
  ['José María', 'José María'],
  ['Mª Carmen', 'Mª Carmen'],
  ['Mª.Carmen', 'Mª. Carmen'],
  ['A.CO', 'A. CO'],
  ['J.R. Ewing', 'J. R. Ewing'],
  ['Sra. Ruiz', 'Sra. Ruiz'],
  ['Dr.Ruiz', 'Dr. Ruiz'],
  ['O’Brien-Núñez', 'O’Brien-Núñez'],
  ['Marcel·lí', 'Marcel·lí'],
  ['李小龍', '李小龍'],
  ['Ана', 'Ана'],
  ['\u202eAna\u200b', 'Ana'],
  ['Ana 2', 'Ana 2'],
  ['.example', 'example'],
  ['Ramírez.', 'Ramírez'],
  [null, ''],
])('keeps %j as %j', (name, kept) => {
  expect(nameInMessage(name)).toBe(kept)
})
