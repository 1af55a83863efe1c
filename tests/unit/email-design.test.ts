import { beforeAll, describe, expect, it } from 'vitest'
import { isSafeLink } from '@/lib/email-design/limits'
import { contrast, NO_LOOK, readableOn, textOn } from '@/lib/email-design/look'
import type { EmailLook } from '@/lib/email-design/look-schema'
import { renderDesign, withUnsubscribe } from '@/lib/email-design/render'
import { type EmailDesign, emailDesignSchema, textsOfDesign } from '@/lib/email-design/schema'

const IMAGE = `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}/${'1'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.png`
const BASE = 'https://files.example/email-images/'

const design = (...blocks: unknown[]): EmailDesign =>
  emailDesignSchema.parse({ preheader: 'Antes de nada', blocks })
const render = (of: EmailDesign, look: Partial<EmailLook> = {}, texts?: string[]) =>
  renderDesign({
    design: of,
    texts: texts ?? textsOfDesign(of).map(({ text }) => text),
    look: { ...NO_LOOK, ...look },
    sender: 'Casa Lumbre',
    images: BASE,
  })

const FULL = () =>
  design(
    { id: 'a', type: 'heading', text: 'Feliz cumpleaños' },
    {
      id: 'b',
      type: 'text',
      runs: [
        { text: 'Ven con ' },
        { text: 'tu gente', bold: true },
        { text: '\n\nMira la ' },
        { text: 'carta', href: 'https://casa.example/carta', italic: true },
      ],
    },
    { id: 'c', type: 'image', path: IMAGE, alt: 'El comedor', href: 'https://casa.example/', width: 400 },
    { id: 'd', type: 'button', label: 'Reservar', href: 'https://casa.example/reserva', align: 'center' },
    {
      id: 'e',
      type: 'columns',
      left: [{ id: 'f', type: 'text', runs: [{ text: 'Izquierda' }] }],
      right: [{ id: 'g', type: 'button', label: 'Llamar', href: 'tel:+34600000001' }],
    },
    { id: 'h', type: 'divider' },
    { id: 'i', type: 'footer', text: 'Calle Mayor 1' },
  )

let html: string
let text: string
beforeAll(async () => {
  ;({ html, text } = await render(FULL(), { color: '#004d40', button_color: '#ffeb3b', logo: IMAGE }))
})

describe('a design', () => {
  it('is HTML of 600 px with preheader, logo, colours, alternative texts, both kinds of dark mode and stacking', () => {
    expect(html).toContain('max-width:600px')
    // Each surface has a class by which the dark style sheet reaches it.
    for (const [tag] of html.matchAll(/<[^>]*background-color:#f7f5f2[^>]*>/g)) expect(tag).toContain('paper')
    expect(html).toContain('border-top:4px solid #004d40')
    expect(html).toMatch(/background-color:#ffeb3b[^>]*color:#000000/)
    expect(html).toContain(`src="${BASE}${IMAGE}"`)
    expect(html).toContain('alt="Casa Lumbre"')
    expect(html).toContain('alt="El comedor"')
    expect(html).toContain('Antes de nada')
    expect(html).toContain('<strong>tu gente</strong>')
    expect(html).toContain(
      '<a class="link" href="https://casa.example/carta" style="color:#004d40;text-decoration:underline"><em>carta</em></a>',
    )
    expect(html).toContain('@media (prefers-color-scheme:dark)')
    expect(html).toContain('.col{max-width:100%!important')
    expect(html).toContain('name="color-scheme"')
    expect(html).not.toContain('%%')
  })

  it('is plain text too', () => {
    expect(text).toBe(
      [
        'Feliz cumpleaños',
        'Ven con tu gente',
        'Mira la carta (https://casa.example/carta)',
        'El comedor (https://casa.example/)',
        'Reservar: https://casa.example/reserva',
        'Izquierda',
        'Llamar: +34600000001',
        '---',
        'Calle Mayor 1\n',
      ].join('\n\n'),
    )
  })

  it('gets the unsubscribe link in its place, or none', () => {
    expect(withUnsubscribe(html, 'https://crm.example/u/a&b')).toContain(
      'href="https://crm.example/u/a&amp;b"',
    )
    expect(withUnsubscribe(html, null)).not.toContain('unsubscribe')
  })

  it('leaves out paragraphs without words, and links without any', async () => {
    const of = FULL()
    const texts = textsOfDesign(of).map(({ isLink, text }) => (isLink ? text : ' '))
    const { html: empty } = await render(of, {}, texts)
    expect(empty).not.toMatch(/<(p|h1)[^>]*class="(ink|dim)|class="col"|display:none/)
    expect(empty.match(/<a /g)).toHaveLength(1)
    expect(empty).toContain('alt="casa.example"')
  })

  it('links to web addresses in its texts, and to https only', async () => {
    const of = design({
      id: 'a',
      type: 'text',
      runs: [{ text: 'Ve a https://a.example/?b=1&c. O http://b.example', bold: true }],
    })
    const { html: linked } = await render(of)
    expect(linked).toMatch(
      /<strong>Ve a <a class="link" href="https:\/\/a\.example\/\?b=1&amp;c"[^>]*>https:\/\/a\.example\/\?b=1&amp;c<\/a>\. O http:\/\/b\.example<\/strong>/,
    )
  })

  it.each([
    ['عمر, te esperamos el viernes', 'ltr'],
    ['مرحبا بكم في مطعمنا Ana', 'rtl'],
    ['¡123!', 'ltr'],
  ])('%j is written from where most of its letters are', async (words, dir) => {
    const { html: written } = await render(design({ id: 'a', type: 'text', runs: [{ text: words }] }))
    expect(written).toContain(`dir="${dir}" style="font-size`)
  })

  it('has the language of its texts', async () => {
    const { html: french } = await renderDesign({
      ...{ design: FULL(), texts: [], look: NO_LOOK, sender: 'Casa', images: BASE, language: 'fr' },
    })
    expect(french).toMatch(/<html[^>]* lang="fr"/)
    expect(html).toMatch(/<html[^>]* lang="es"/)
  })

  it('keeps hostile values inert, wherever they stand', async () => {
    const hostile = `<script>alert(1)</script>" onload="x" %%1%% <!--unsubscribe--> ' &`
    const of = FULL()
    const texts = textsOfDesign(of).map(({ isLink }) => (isLink ? 'javascript:alert(1)' : hostile))
    const rendered = await render(of, { footer: hostile }, texts)
    expect(rendered.html).not.toMatch(/<script|" onload=|javascript:/)
    // Only our own place for the link is left.
    expect(rendered.html.split('<!--unsubscribe-->')).toHaveLength(2)
    expect(rendered.html).toContain('%%1%% &lt;!--unsubscribe--&gt;')
    // A button without an address is none.
    expect(rendered.html).not.toContain('class="button')
    expect(rendered.text).not.toContain('javascript:')
  })

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://a.example/',
    '//a.example',
    'https://',
    'https://user@a.example/',
    'https://a.example/\nx',
    'https://a.example/"onload="',
    'mailto:',
    '',
  ])('does not link to %j', (address) => {
    expect(isSafeLink(address)).toBe(false)
  })

  it.each(['https://a.example/b?c=d&e=f', 'mailto:hola@a.example', 'tel:+34600000001', 'HTTPS://A.example/'])(
    'links to %s',
    (address) => {
      expect(isSafeLink(address)).toBe(true)
    },
  )

  it.each([
    [{ type: 'button', label: 'x', href: 'javascript:alert(1)' }, 'link_scheme'],
    [{ type: 'image', path: '../secreto.png' }, ''],
    [{ type: 'image', path: IMAGE.replace('.png', '.svg') }, ''],
    [{ type: 'text', runs: [{ text: 'x', href: 'http://a.example' }] }, 'link_scheme'],
    [{ type: 'html', html: '<b>' }, ''],
    [{ type: 'columns', left: [{ id: 'z', type: 'columns', left: [], right: [] }], right: [] }, ''],
    [{ type: 'heading', text: 'x'.repeat(301) }, ''],
  ])('refuses %j', (block, code) => {
    const result = emailDesignSchema.safeParse({ blocks: [{ id: 'a', ...block }] })
    expect(result.success).toBe(false)
    if (code) expect(JSON.stringify(result.error?.issues)).toContain(code)
  })

  it('has limits', () => {
    const long = { type: 'text', runs: [{ text: 'x'.repeat(4000) }] }
    const blocks = Array.from({ length: 11 }, (_, at) => ({ id: `b${at}`, ...long }))
    expect(emailDesignSchema.safeParse({ blocks }).success).toBe(false)
    expect(emailDesignSchema.safeParse({ blocks: blocks.slice(0, 9) }).success).toBe(true)
    expect(emailDesignSchema.safeParse({ blocks: [] }).success).toBe(false)
  })
})

describe('colours', () => {
  it('get the text that can be read on them', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21)
    expect(textOn('#ffeb3b')).toBe('#000000')
    expect(textOn('#a94a34')).toBe('#ffffff')
    for (let grey = 0; grey < 256; grey++) {
      const color = `#${grey.toString(16).padStart(2, '0').repeat(3)}`
      expect(contrast(color, textOn(color))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readableOn(color, '#ffffff'), '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readableOn(color, '#211d1b'), '#211d1b')).toBeGreaterThanOrEqual(4.5)
    }
  })
})
