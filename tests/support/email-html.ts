import { DomUtils, parseDocument } from 'htmlparser2'

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]
type Text = ReturnType<typeof parseDocument>['children'][number]

/** What a marketing e-mail must show. */
export interface Marketing {
  address: string
  /** What the address of the unsubscribe link begins with. */
  unsubscribe: string
}

interface Mail {
  html: string
  /** As everybody reads it, and as Outlook for Windows does. */
  elements: Element[]
  inOutlook: Element[]
  /** The style sheets, of everybody. */
  sheet: string
  marketing: Marketing | null
}

/** Gmail cuts off what is longer. */
const MAX_BYTES = 102_000
const MAX_WIDTH = 600
const SMALLEST_TEXT = 13
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const ACTIVE = 'script form iframe object embed video audio input button select textarea link base svg'.split(
  ' ',
)
const NOT_EVERYWHERE = /^(position|float|flex|grid|gap|transform|animation|background-image|z-index)/
const PADDED = new Set(['td', 'th'])

/** The e-mail's problems, each as `rule: where`; the rules are in docs/email.md. */
export function emailProblems(html: string, marketing: Marketing | null = null): string[] {
  const elements = elementsOf(html)
  const sheet = elements.filter(is('style')).map(textOf).join('\n')
  const mail: Mail = { html, elements, inOutlook: elementsOf(shownInOutlook(html)), sheet, marketing }
  return Object.entries(RULES).flatMap(([rule, problems]) =>
    problems(mail).map((problem) => `${rule}: ${problem}`),
  )
}

/** Each gives what is wrong. */
const RULES: Record<string, (mail: Mail) => string[]> = {
  doctype: ({ html }) => (/^<!doctype html/i.test(html) ? [] : [html.slice(0, 30)]),
  language: ({ elements }) => {
    const { lang = '', dir = '' } = elements.find(is('html'))?.attribs ?? {}
    return /^[a-z]{2,3}(-[A-Za-z]+)?$/.test(lang) && /^(ltr|rtl)$/.test(dir) ? [] : [`${lang} ${dir}`]
  },
  title: ({ elements }) => (elements.filter(is('title')).some((title) => hasWords(title)) ? [] : ['none']),
  meta: ({ elements }) => {
    const metas = elements.filter(is('meta')).map(({ attribs }) => attribs)
    const content = (name: string) => metas.find((meta) => meta.name === name)?.content ?? ''
    const charset = metas.some((meta) => /utf-8/i.test(`${meta.charset} ${meta.content}`))
    return [
      ...(charset ? [] : ['charset']),
      ...(content('viewport').includes('width=device-width') ? [] : ['viewport']),
      ...['color-scheme', 'supported-color-schemes'].filter((name) => !/light dark/.test(content(name))),
    ]
  },
  dark: ({ elements, sheet }) => {
    const [, system = ''] = /prefers-color-scheme:\s*dark\)\s*\{([\s\S]*?\})\s*\}/.exec(sheet) ?? []
    const outlookCom = sheet
      .split('\n')
      .filter((line) => /\[data-ogs[cb]\]/.test(line))
      .join('\n')
    return elements.flatMap((element) => {
      if (is('html')(element)) return []
      const colours = Object.keys(styleOf(element)).filter((name) => /^(background-)?color$/.test(name))
      const classes = (element.attribs.class ?? '').split(' ')
      const isDark = (rules: string, name: string) =>
        classes.some((one) => new RegExp(`\\.${one}\\s*\\{[^}]*(?<!-)${name}:`).test(rules))
      return colours.filter((name) => !isDark(system, name) || !isDark(outlookCom, name)).map(said(element))
    })
  },
  comments: ({ html }) => {
    const [opened, closed] = [/<!--\[if/g, /<!\[endif\]-->/g].map((one) => html.match(one)?.length ?? 0)
    return [
      ...(opened === closed ? [] : [`${opened} begin, ${closed} end`]),
      ...unbalanced(html).map((tag) => `${tag} for everybody`),
      ...unbalanced(shownInOutlook(html)).map((tag) => `${tag} in Outlook`),
    ]
  },
  ghost: ({ inOutlook }) =>
    inOutlook.flatMap((element) => {
      const width = Number(/^(\d+)px$/.exec(styleOf(element)['max-width'] ?? '')?.[1] ?? 0)
      if (width === 0 || is('img')(element)) return []
      const cell = element.parent as Element | null
      return cell?.name === 'td' && Number(cell.attribs.width) === width ? [] : [said(element)('max-width')]
    }),
  padding: ({ elements }) =>
    elements.flatMap((element) => {
      const style = styleOf(element)
      const inset = Object.keys(style).filter((name) => /^padding/.test(name) && !isZero(style[name]))
      const outset = Object.keys(style).filter((name) => /^margin/.test(name) && !isZero(style[name]))
      const cell = element.parent as Element | null
      const isButton = is('a')(element) && cell?.name === 'td' && 'mso-padding-alt' in styleOf(cell)
      return [
        ...(PADDED.has(element.name) || isButton ? [] : inset),
        ...(['table', 'tr', 'td', 'div'].includes(element.name) ? outset : []),
      ].map(said(element))
    }),
  tables: ({ inOutlook }) =>
    inOutlook.filter(is('table')).flatMap((table) => {
      const { role, border, cellpadding, cellspacing } = table.attribs
      return role === 'presentation' && [border, cellpadding, cellspacing].every((one) => one === '0')
        ? []
        : [said(table)('')]
    }),
  images: ({ inOutlook }) =>
    inOutlook.filter(is('img')).flatMap((image) => {
      const { alt, width = '', src = '' } = image.attribs
      const isRight =
        alt !== undefined && /^\d+$/.test(width) && Number(width) > 0 && Number(width) <= MAX_WIDTH
      const style = styleOf(image)
      const isFluid = style.width === '100%' && style['max-width'] === `${width}px`
      return isRight && isFluid && /^https:\/\//.test(src) ? [] : [`${src} ${width} ${alt}`]
    }),
  links: ({ elements }) =>
    elements.filter(is('a')).flatMap((link) => {
      const href = link.attribs.href ?? ''
      const isRight = /^(https:\/\/[^\s/]|mailto:\S|tel:\S)/i.test(href) && !/[\s"<>\\]/.test(href)
      const images = DomUtils.getElementsByTagName('img', link)
      return isRight && (hasWords(link) || images.some(({ attribs }) => attribs.alt?.trim()))
        ? []
        : [href || 'none']
    }),
  active: ({ inOutlook, sheet }) => [
    ...inOutlook.filter(({ name }) => ACTIVE.includes(name)).map(({ name }) => name),
    ...inOutlook.flatMap(({ attribs }) => Object.keys(attribs).filter((name) => name.startsWith('on'))),
    ...(/@import|url\(/.test(sheet) ? ['a style sheet loads something'] : []),
  ],
  css: ({ elements }) =>
    elements.flatMap((element) =>
      Object.entries(styleOf(element))
        .filter(([name, value]) => NOT_EVERYWHERE.test(name) || /^(flex|grid|calc\(|var\()/.test(value))
        .map(([name]) => said(element)(name)),
    ),
  size: ({ html }) => {
    const bytes = Buffer.byteLength(html)
    return bytes < MAX_BYTES ? [] : [`${bytes} bytes`]
  },
  text: ({ elements }) =>
    shownTexts(elements).flatMap((text) => {
      const above = ancestors(text)
      const size = above.map((one) => styleOf(one)['font-size']).find(Boolean) ?? '16px'
      const wraps = above.some((one) => styleOf(one)['word-break'] === 'break-word')
      const what = textOf(text).trim().slice(0, 30)
      return [
        ...(Number.parseFloat(size) >= SMALLEST_TEXT ? [] : [`“${what}” in ${size}`]),
        ...(wraps ? [] : [`“${what}” does not wrap`]),
      ]
    }),
  empty: ({ elements }) =>
    elements
      .filter(({ name }) => /^(p|h[1-6]|li)$/.test(name))
      .filter((element) => !hasWords(element) && DomUtils.getElementsByTagName('img', element).length === 0)
      .map((element) => said(element)('')),
  hidden: ({ elements }) =>
    elements
      .filter((element) => styleOf(element).display === 'none' && styleOf(element)['mso-hide'] !== 'all')
      .map((element) => said(element)('display')),
  sender: ({ elements, html, marketing }) => {
    if (html.includes('<!--unsubscribe-->')) return ['a place without its link']
    if (!marketing) return []
    const links = elements
      .filter(is('a'))
      .filter((link) => link.attribs.href?.startsWith(marketing.unsubscribe))
    const words = oneLine(shownTexts(elements).map(textOf).join(' '))
    return [
      ...(links.length === 1 ? [] : [`${links.length} unsubscribe links`]),
      ...(words.includes(oneLine(marketing.address)) ? [] : ['no postal address']),
    ]
  },
}

const is = (name: string) => (element: Element) => element.name === name
const said =
  ({ name, attribs }: Element) =>
  (what: string) =>
    `<${name} class="${attribs.class ?? ''}"> ${what}`.trim()
const isZero = (value = '') => value.split(' ').every((one) => Number.parseFloat(one) === 0)
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const textOf = (node: Text) => DomUtils.textContent(node)
const hasWords = (element: Element) => /[^\s\p{Cf}]/u.test(textOf(element))

const elementsOf = (html: string): Element[] =>
  DomUtils.filter((node) => DomUtils.isTag(node), parseDocument(html).children) as Element[]

const shownInOutlook = (html: string) => html.replace(/<!--\[if mso\]>([\s\S]*?)<!\[endif\]-->/g, '$1')

function styleOf({ attribs }: Element): Record<string, string> {
  const pairs = (attribs.style ?? '').split(';').map((one) => one.split(':').map((half) => half.trim()))
  return Object.fromEntries(pairs.filter(([name]) => name).map(([name, value]) => [name, value ?? '']))
}

function ancestors(node: Text): Element[] {
  const above: Element[] = []
  for (let one = node.parent; one && DomUtils.isTag(one as Text); one = one.parent) above.push(one as Element)
  return above
}

/** The texts of the body that people see. */
function shownTexts(elements: Element[]): Text[] {
  const body = elements.find(is('body'))
  const texts = body ? DomUtils.filter((node) => DomUtils.isText(node), body.children) : []
  return texts.filter(
    (text) =>
      /[^\s\p{Cf}]/u.test(textOf(text)) &&
      ancestors(text).every((one) => styleOf(one).display !== 'none' && one.name !== 'style'),
  )
}

/** The tags that are not closed in the order in which they were opened. */
function unbalanced(html: string): string[] {
  const wrong: string[] = []
  const open: string[] = []
  const plain = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<style>[\s\S]*?<\/style>/g, '')
  for (const [, slash, name = '', end] of plain.matchAll(/<(\/?)([a-z][a-z0-9:]*)\b[^>]*?(\/?)>/gi)) {
    if (VOID.has(name) || end) continue
    if (!slash) open.push(name)
    else if (open.at(-1) === name) open.pop()
    else wrong.push(`</${name}>`)
  }
  return [...wrong, ...open.map((name) => `<${name}>`)]
}
