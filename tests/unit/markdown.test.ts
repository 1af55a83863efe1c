import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import Markdown from '@/components/assistant/markdown/markdown'
import { MARKDOWN_PIECES } from '../bench/guards/pieces'

const html = (text: string) => {
  const whole = renderToStaticMarkup(createElement(Markdown, { text, tableLabel: 'Tabla' }))
  return whole.replace(/^<div[^>]*>/, '').replace(/<\/div>$/, '')
}

describe('Markdown', () => {
  it.each([
    ['Hola **24 reservas** y *poco* más', '<p>Hola <strong>24 reservas</strong> y <em>poco</em> más</p>'],
    ['***muy*** __así__ ~~no~~', '<p><em><strong>muy</strong></em> <strong>así</strong> <del>no</del></p>'],
    ['mesa_12_alta y 2 * 3 * 4', '<p>mesa_12_alta y 2 * 3 * 4</p>'],
    ['usa `**esto**` y ``a`b``', '<p>usa <code>**esto**</code> y <code>a`b</code></p>'],
    ['sin **cerrar y `tampoco', '<p>sin **cerrar y `tampoco</p>'],
    ['\\*literal\\* y \\x', '<p>*literal* y \\x</p>'],
    ['una\ndos<br>tres', '<p>una<br/>dos<br/>tres</p>'],
    ['# Sala\n### Mesa', '<h3>Sala</h3><h4>Mesa</h4>'],
    ['a\n\n---\n\nb', '<p>a</p><hr/><p>b</p>'],
    ['> cita\n> más', '<blockquote><p>cita<br/>más</p></blockquote>'],
    ['```js\n<b>&\n```', '<pre><code>&lt;b&gt;&amp;</code></pre>'],
    ['```\nsin fin', '<pre><code>sin fin</code></pre>'],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  it.each([
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['Antes:\n- a', '<p>Antes:</p><ul><li>a</li></ul>'],
    ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
    ['1. a\n   - b\n   - c\n2. d', '<ol start="1"><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol>'],
    ['- a\n\n- b\n\nfin', '<ul><li>a</li><li>b</li></ul><p>fin</p>'],
    ['- a\n\n  más\n- b', '<ul><li>a<p>más</p></li><li>b</li></ul>'],
    ['- a\n1. b', '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
  ])('list %j', (text, expected) => expect(html(text)).toBe(expected))

  it('tables align, keep to their columns and hold no blocks', () => {
    const text = 'Local:\n| Local | Pers. |\n|:--|--:|\n| **Norte** \\| Sur | 12 | de más |\n| Este |\n\nfin'
    expect(html(text).replace(/ class="[^"]*"/g, '')).toBe(
      '<p>Local:</p><section aria-label="Tabla" tabindex="0"><table><thead><tr>' +
        '<th scope="col" data-align="start">Local</th><th scope="col" data-align="end">Pers.</th></tr></thead><tbody>' +
        '<tr><td data-align="start"><strong>Norte</strong> | Sur</td><td data-align="end">12</td></tr>' +
        '<tr><td data-align="start">Este</td><td data-align="end"></td></tr></tbody></table></section><p>fin</p>',
    )
  })

  it('what is nested too deeply is shown as its source', () => {
    const deep = html(`${'*a _b '.repeat(500)}${'_ *'.repeat(500)}`)
    expect(deep.match(/<em>/g)?.length ?? 0).toBeLessThan(21)
    expect(html('> - > - > - > - hola')).toContain('&gt; - hola')
    expect(html('- - - - - - - -')).toBe('<hr/>')
  })

  // What shows while an answer is being written: the marks as they stand, and no element that turns into another.
  it.each([
    ['Hola **24 res', '<p>Hola **24 res</p>'],
    ['- a\n- ', '<ul><li>a</li><li></li></ul>'],
    ['Total\n-', '<p>Total<br/>-</p>'],
    ['Total\n--', '<p>Total<br/>--</p>'],
    ['| a | b |\n|--', '<p>| a | b |<br/>|--</p>'],
    ['[la carta](https://x.exam', '<p>[la carta](https://x.exam</p>'],
    ['```\n| a', '<pre><code>| a</code></pre>'],
    ['[1]: no es un enlace', '<p>[1]: no es un enlace</p>'],
    ['    sangrado', '<p>sangrado</p>'],
  ])('half-written %j', (text, expected) => expect(html(text)).toBe(expected))

  it('a line with a bar is no table without its rule', () => {
    expect(html('a | b\nc | d')).toBe('<p>a | b<br/>c | d</p>')
  })
})

describe('links', () => {
  const link = (href: string, label: string) =>
    `<p><a href="${href}" target="_blank" rel="noopener noreferrer nofollow" title="${href}">${label}</a></p>`

  it.each([
    ['[su **ficha**](/customers/7?a=b#c)', link('/customers/7?a=b#c', 'su <strong>ficha</strong>')],
    ['[hoy](/reservations?date=2026-11-20 "título")', link('/reservations?date=2026-11-20', 'hoy')],
    // No link within a link.
    ['[https://a.example](/customers)', link('/customers', 'https://a.example')],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  it.each([
    ['[banco ![](evil.example)](https://evil.example)', '<p>banco  (evil.example)</p>'],
    ['[la carta](https://x.example/a_(b)?q=secreto)', '<p>la carta (x.example)</p>'],
    ['[https://banco.example](https://evil.example/a)', '<p>https://banco.example (evil.example)</p>'],
    ['[https://x.example](https://x.example/a)', '<p>https://x.example</p>'],
    ['[a](//evil.example)', '<p>a (evil.example)</p>'],
    ['[a](/\\evil.example)', '<p>a (evil.example)</p>'],
    ['[a](https:evil.example)', '<p>a</p>'],
    ['[a](https://app.example@evil.example)', '<p>a (evil.example)</p>'],
    ['[escribe](mailto:sala@x.example)', '<p>escribe (sala@x.example)</p>'],
    ['(ver https://x.example/a_b_?c=1).', '<p>(ver https://x.example/a_b_?c=1).</p>'],
    ['<https://x.example/a>', '<p>https://x.example/a</p>'],
  ])('to another host are text that names it: %j', (text, expected) => expect(html(text)).toBe(expected))

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'java&#115;cript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    '//evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\tevil.example//x',
    'https://evil.example',
    'customers',
    '?a=b',
    '/api/auth/sign-out',
    '/x/../api/admin/seed-locations',
    '/%2e%2e/API/admin',
    '/u/abc',
    'tel:600',
  ])('to %j lead nowhere', (address) => {
    for (const text of [`[pulsa](${address})`, `![pulsa](${address})`])
      expect(html(text)).not.toMatch(/<a|<img|<script|href=/i)
    expect(html(`<${address}>`)).not.toMatch(/<script|<a|href=/i)
  })

  it('an image is its description: nothing is fetched', () => {
    expect(html('![foto](https://evil.example/?q=secreto)')).toBe('<p>foto (evil.example)</p>')
  })
})

describe('hostile texts', () => {
  const ALLOWED =
    /^<\/?(p|h3|h4|strong|em|del|code|pre|blockquote|hr|br|ul|ol|li|section|table|thead|tbody|tr|th|td|a)( (start="\d+"|class="[\w-]+"|aria-label="Tabla"|tabindex="0"|scope="col"|data-align="\w+"|href="\/[^/"][^"]*"|target="_blank"|rel="[\w ]+"|title="[^"]*"))*\/?>$/

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '| <svg onload=x> | b |\n|--|--|\n| <iframe> | c |',
    '- <a href="javascript:x">y</a>',
    '[a](https://x.example/"onmouseover="alert(1))',
    '&lt;script&gt; &#60;b&#62;',
  ])('%j stays text', (text) => {
    const found = html(text)
    for (const tag of found.match(/<[^>]*>/g) ?? []) expect(tag).toMatch(ALLOWED)
    expect(found).not.toMatch(/<(script|img|svg|iframe)/)
  })

  it('whatever comes, only the known elements and attributes go out', () => {
    const pieces = [
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      '](',
      ')',
      '<',
      '>',
      '|',
      '--|',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '> ',
      '#',
    ]
    const words = [
      'a',
      ' ',
      '    ',
      'javascript:x',
      'https://x.example',
      '"',
      "'",
      '\\',
      '!',
      '<b onclick=x>',
      '&',
    ]
    const text = fc
      .array(fc.constantFrom(...pieces, ...words), { maxLength: 60 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (hostile) => {
        const others = (html(hostile).match(/<[^>]*>/g) ?? []).filter((tag) => !ALLOWED.test(tag))
        expect(others).toEqual([])
      }),
      { numRuns: Number(process.env.MARKDOWN_TEXTS ?? 500), seed: Number(process.env.SEED ?? 1) },
    )
  })

  // How long the parser takes for these has its bound in `npm run bench -- guards`.
  it.each(MARKDOWN_PIECES)('much of %j is shown, at a bounded length', (piece) => {
    for (const text of [piece.repeat(10_000 / piece.length), `${piece}\n`.repeat(1000)])
      expect(html(text).length).toBeLessThanOrEqual(20 * text.length)
  })
})
