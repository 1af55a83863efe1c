import { beforeAll, describe, expect, it } from 'vitest'
import { plainHtml } from '@/lib/email-design/content'
import { NO_LOOK } from '@/lib/email-design/look'
import { renderDesign, withUnsubscribe } from '@/lib/email-design/render'
import { emailDesignSchema, textsOfDesign } from '@/lib/email-design/schema'
import { emailProblems } from '../support/email-html'
import { generatedEmails, POSTAL_ADDRESS, UNSUBSCRIBE } from '../support/generated-emails'

const MARKETING = { address: POSTAL_ADDRESS, unsubscribe: UNSUBSCRIBE }
const IMAGE = '00000000-0000-4000-8000-000000000000/11111111-0000-4000-8000-000000000000.png'
const DESIGN = emailDesignSchema.parse({
  preheader: 'Antes de nada',
  blocks: [
    { id: 'a', type: 'heading', text: 'Feliz cumpleaños' },
    { id: 'b', type: 'text', runs: [{ text: 'Mira ' }, { text: 'la carta', href: 'https://casa.example/' }] },
    { id: 'c', type: 'image', path: IMAGE, alt: 'El comedor' },
    { id: 'd', type: 'button', label: 'Reservar', href: 'https://casa.example/reserva' },
    {
      ...{ id: 'e', type: 'columns' },
      left: [{ id: 'f', type: 'text', runs: [{ text: 'Izquierda' }] }],
      right: [{ id: 'g', type: 'text', runs: [{ text: 'Derecha' }] }],
    },
    { id: 'h', type: 'divider' },
  ],
})
let html: string
beforeAll(async () => {
  const rendered = await renderDesign({
    ...{ design: DESIGN, texts: textsOfDesign(DESIGN).map(({ text }) => text), look: NO_LOOK },
    ...{ sender: 'Casa Lumbre', address: POSTAL_ADDRESS, images: 'https://files.example/', language: 'fr' },
  })
  html = withUnsubscribe(rendered.html, `${UNSUBSCRIBE}abc`)
})

describe('the e-mails that leave', () => {
  it('keep every rule: designed, plain, and those of the app itself', async () => {
    expect(emailProblems(html, MARKETING)).toEqual([])
    expect(html).toMatch(/<html[^>]* lang="fr"/)
    const notice = withUnsubscribe(await plainHtml('Hola:\n\nhttps://crm.example/x', 'Casa'), null)
    expect(emailProblems(notice)).toEqual([])
    expect(notice).toContain('<a class="link" href="https://crm.example/x"')
    expect(notice).not.toContain('Unsubscribe')
  })

  it('keep every rule whatever the template, the guest and the look', async () => {
    for (const one of await generatedEmails(300)) expect(emailProblems(one, MARKETING), one).toEqual([])
  })
})

/** What breaks each rule: the piece of the e-mail, and what it becomes. */
const BREAKS: [rule: string, from: string | RegExp, to: string][] = [
  ['doctype', /^<!DOCTYPE[^>]*>/, ''],
  ['language', ' lang="fr"', ''],
  ['language', ' dir="ltr"', ''],
  ['title', /<title>.*?<\/title>/, ''],
  ['title', /<title>.*?<\/title>/, '<title> </title>'],
  ['meta', 'charset=UTF-8', 'charset=latin1'],
  ['meta', 'name="viewport"', 'name="view"'],
  ['meta', 'name="color-scheme" content="light dark"', 'name="color-scheme" content="light"'],
  ['meta', /<meta name="supported-color-schemes"[^>]*>/, ''],
  ['dark', 'prefers-color-scheme:dark', 'prefers-color-scheme:light'],
  ['dark', '[data-ogsc] .ink', '.ink'],
  ['dark', /\[data-ogsb\] \.card\{[^}]*\}/, ''],
  ['dark', '<h1 class="ink"', '<h1 class="inky"'],
  ['comments', '<![endif]-->', ''],
  ['comments', '</td></tr></table><![endif]-->', '</td></tr><![endif]-->'],
  ['comments', '</h1>', ''],
  ['ghost', '<td width="600"', '<td width="700"'],
  [
    'ghost',
    /<!--\[if mso\]><table.*?<!\[endif\]-->(.*)<!--\[if mso\]><\/td><\/tr><\/table><!\[endif\]-->/s,
    '$1',
  ],
  ['ghost', '<td width="268"', '<td'],
  [
    'padding',
    'role="presentation" class="paper" style="',
    'role="presentation" class="paper" style="padding:24px 0;',
  ],
  ['padding', 'style="max-width:600px', 'style="margin:10px auto;max-width:600px'],
  ['padding', ';mso-padding-alt:13px 22px', ''],
  ['padding', '<div class="col" style="', '<div class="col" style="padding-left:4px;'],
  ['padding', '<p class="ink" dir="ltr" style="', '<p class="ink" dir="ltr" style="padding:1px;'],
  ['tables', ' role="presentation"', ''],
  ['tables', ' cellPadding="0"', ''],
  [
    'tables',
    '<table role="presentation" align="center" width="600" border="0"',
    '<table role="presentation" align="center" width="600"',
  ],
  ['images', ' alt="El comedor"', ''],
  ['images', 'width="536"', 'width="700"'],
  ['images', 'width="536"', ''],
  ['images', 'src="https:', 'src="http:'],
  ['images', 'width:100%;max-width:536px', 'max-width:100%'],
  ['links', 'href="https://casa.example/"', 'href="http://casa.example/"'],
  ['links', 'href="https://casa.example/"', 'href="javascript:alert(1)"'],
  ['links', '>la carta</a>', '> </a>'],
  ['active', '</head>', '<link rel="stylesheet" href="https://casa.example/a.css"/></head>'],
  ['active', '</head>', '<script>1</script></head>'],
  ['active', '<h1 ', '<form></form><h1 '],
  ['active', '<h1 ', '<iframe></iframe><h1 '],
  ['active', '<h1 ', '<h1 onclick="x" '],
  ['active', '<style>', '<style>@import "a";'],
  ['css', '<h1 class="ink" dir="ltr" style="', '<h1 class="ink" dir="ltr" style="position:absolute;'],
  ['css', '<h1 class="ink" dir="ltr" style="', '<h1 class="ink" dir="ltr" style="display:flex;'],
  ['css', '<h1 class="ink" dir="ltr" style="', '<h1 class="ink" dir="ltr" style="float:left;'],
  ['css', '<h1 class="ink" dir="ltr" style="', '<h1 class="ink" dir="ltr" style="width:calc(1px + 2px);'],
  ['size', '</body>', `${' '.repeat(102_000)}</body>`],
  ['text', 'font-size:13px', 'font-size:11px'],
  ['text', 'word-break:break-word', 'word-break:normal'],
  ['empty', '>Feliz cumpleaños<', '>\u200b <'],
  ['hidden', ';mso-hide:all', ''],
  ['sender', /<p class="dim"[^>]*><a .*?<\/p>/, ''],
  ['sender', /(<p class="dim"[^>]*><a .*?<\/p>)/, '$1$1'],
  ['sender', /(<p class="dim"[^>]*><a .*?<\/p>)/, '$1<!--unsubscribe-->'],
  ['sender', 'Calle Mayor 1', 'Calle Menor 1'],
]

it.each(BREAKS)('the checker finds a break of “%s”: %s', (rule, from, to) => {
  const broken = html.replace(from, to)
  expect(broken).not.toBe(html)
  expect(emailProblems(broken, MARKETING).map((problem) => problem.split(':')[0])).toContain(rule)
})
