import 'server-only'
import { GUEST_LANGUAGES, type GuestLanguage, languageOf } from '@/lib/i18n/guest-languages'
import { unsubscribeWords } from '@/lib/messaging/email-foot'
import { escapeHtml } from './escape'
import { isSafeLink } from './limits'
import { readableOn, USUAL_COLOR } from './look'
import type { EmailLook } from './look-schema'
import { type Block, type EmailDesign, textsOfDesign } from './schema'
import { type Frame, type Part, renderShell } from './shell'
import { CARD, DIM } from './shell-styles'

/** A design with its texts rendered, in the order of textsOfDesign; and whose e-mail it is. */
export interface DesignedEmail {
  design: EmailDesign
  texts: readonly string[]
  look: EmailLook
  /** Shown where there is no logo, and the logo's alternative text. */
  sender: string
  /** The sender's postal address, for the end of the e-mail; null: it needs none. */
  address?: string | null
  /** The address of the stored images, without the path. */
  images: string
  /** The language of the texts; 'es' without one. */
  language?: GuestLanguage | undefined
}

/** The place of the unsubscribe link in the HTML; `withUnsubscribe` fills it. Escaped texts cannot contain it. */
const UNSUBSCRIBE = '<!--unsubscribe-->'

/**
 * Renders a design to HTML and plain text. Texts are escaped; an address that is not https, mailto or tel is left out,
 * and a button without one too. The HTML has a place for the unsubscribe link (`withUnsubscribe`).
 */
export async function renderDesign(email: DesignedEmail): Promise<{ html: string; text: string }> {
  const prepared = prepare(email)
  const { values, lines } = prepared
  const shell = await shellOf(prepared, email)
  const html = shell.replace(/%%(\d+|unsubscribe)%%/g, (_, name: string) =>
    name === 'unsubscribe' ? UNSUBSCRIBE : (values[Number(name)] ?? ''),
  )
  const text = lines.filter((line) => line.trim() !== '').join('\n\n')
  return { html, text: `${text}\n` }
}

/** The HTML with the unsubscribe link in the e-mail's language, or without one (null). */
export function withUnsubscribe(html: string, url: string | null): string {
  if (url === null) return html.replace(UNSUBSCRIBE, '')
  const words = escapeHtml(unsubscribeWords(languageIn(html)))
  const link = `<p class="dim" style="margin:12px 0 0;font-size:13px;color:${DIM}"><a class="dim" href="${escapeHtml(url)}" style="color:${DIM};text-decoration:underline">${words}</a></p>`
  return html.replace(UNSUBSCRIBE, () => link)
}

/** The language of rendered HTML. */
const languageIn = (html: string): GuestLanguage =>
  languageOf(/<html[^>]* lang="([^"]+)"/.exec(html)?.[1] ?? '') ?? GUEST_LANGUAGES[0]

interface Prepared {
  parts: Part[]
  /** HTML, by place. 0 is the preheader. */
  values: string[]
  /** The paragraphs of the plain text. */
  lines: string[]
}

/** Splits an e-mail into its layout, which many e-mails share, and its own values. */
function prepare({ design, texts, look, sender, address = null, images }: DesignedEmail): Prepared {
  const byPath = new Map(textsOfDesign(design).map(({ path }, at) => [path, texts[at] ?? '']))
  const values: string[] = []
  const lines: string[] = []
  const put = (html: string) => values.push(html) - 1
  // A paragraph of which nothing is left for this guest is none.
  const paragraph = (
    type: 'heading' | 'text' | 'footer',
    text: string,
    html: string,
    align: 'left' | 'center' = 'left',
  ): Part[] => (text.trim() === '' ? [] : [{ type, value: put(html), dir: put(directionOf(text)), align }])
  const at = (path: string) => byPath.get(path) ?? ''
  const safe = (path: string) => {
    const address = at(path).trim()
    return isSafeLink(address) ? address : null
  }

  function partsOf(block: Block, path: string): Part[] {
    switch (block.type) {
      case 'heading':
      case 'footer': {
        const text = at(`${path}.text`)
        lines.push(text)
        return paragraph(block.type, text, withLineBreaks(text), 'align' in block ? block.align : 'left')
      }
      case 'text': {
        const runs = block.runs.map((run, index) => {
          const text = at(`${path}.runs.${index}.text`)
          return { ...run, text, href: safe(`${path}.runs.${index}.href`) }
        })
        lines.push(runs.map(({ text, href }) => plainLink(text, href)).join(''))
        const text = runs.map((run) => run.text).join('')
        return paragraph('text', text, runs.map((run) => runHtml(run, link)).join(''), block.align)
      }
      case 'image': {
        if (block.path === null) return []
        const [alt, href] = [at(`${path}.alt`), safe(`${path}.href`)]
        lines.push(href ? plainLink(alt, href) : alt)
        const place = href === null ? null : put(escapeHtml(href))
        const src = `${images}${block.path}`
        // A link needs words for those who do not see the image.
        const words = alt.trim() === '' && href !== null ? siteOf(href) : alt
        return [{ type: 'image', src, alt: put(escapeHtml(words)), href: place, width: block.width }]
      }
      case 'button': {
        const [label, href] = [at(`${path}.label`), safe(`${path}.href`)]
        if (href === null || label.trim() === '') return []
        lines.push(`${label}: ${plainAddress(href)}`)
        return [
          { type: 'button', label: put(escapeHtml(label)), href: put(escapeHtml(href)), align: block.align },
        ]
      }
      case 'columns': {
        const [left = [], right = []] = (['left', 'right'] as const).map((side) =>
          block[side].flatMap((inner, index) => partsOf(inner, `${path}.${side}.${index}`)),
        )
        return left.length + right.length === 0 ? [] : [{ type: 'columns', left, right }]
      }
      default:
        lines.push('---')
        return [{ type: 'divider' }]
    }
  }

  const link = readableOn(look.color ?? USUAL_COLOR, CARD)
  put(escapeHtml(at('preheader')))
  const parts = design.blocks.flatMap((block, index) => partsOf(block, `blocks.${index}`))
  if (look.footer) {
    lines.push(look.footer)
    parts.push(...paragraph('footer', look.footer, withLineBreaks(look.footer)))
  }
  // A footer may say it already.
  if (address && !lines.some((line) => oneLine(line).includes(oneLine(address)))) {
    const text = `${sender}\n${address}`
    lines.push(text)
    parts.push(...paragraph('footer', text, withLineBreaks(text)))
  }
  return { parts, values, lines }
}

interface ShownRun {
  text: string
  href: string | null
  bold?: boolean | undefined
  italic?: boolean | undefined
}

function runHtml({ text, href, bold, italic }: ShownRun, color: string): string {
  const isLink = href !== null && text.trim() !== ''
  // Without words there is nothing to press.
  let html = isLink ? withLineBreaks(text) : withLinks(text, color)
  if (bold) html = `<strong>${html}</strong>`
  if (italic) html = `<em>${html}</em>`
  return isLink ? linkHtml(href, html, color) : html
}

const linkHtml = (href: string, html: string, color: string) =>
  `<a class="link" href="${escapeHtml(href)}" style="color:${color};text-decoration:underline">${html}</a>`

const WEB_ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/

/** A text with its web addresses as links. */
const withLinks = (text: string, color: string) =>
  text
    .split(WEB_ADDRESS)
    .map((part) => (isSafeLink(part) ? linkHtml(part, escapeHtml(part), color) : withLineBreaks(part)))
    .join('')

const plainAddress = (href: string) => href.replace(/^(mailto|tel):/i, '')

function plainLink(text: string, href: string | null): string {
  if (href === null || text.includes(plainAddress(href))) return text
  return text.trim() === '' ? plainAddress(href) : `${text} (${plainAddress(href)})`
}

const siteOf = (href: string) =>
  href.toLowerCase().startsWith('https:') ? new URL(href).hostname : plainAddress(href)

// Not `auto`: that follows the first letter, and "عمر, te esperamos" is Spanish. Outlook for Windows knows only these.
function directionOf(text: string): 'ltr' | 'rtl' {
  const leftward = text.match(/[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/gu)?.length ?? 0
  return leftward > 0 && leftward * 2 > (text.match(/\p{L}/gu)?.length ?? 0) ? 'rtl' : 'ltr'
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const withLineBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

// Rendering React for each e-mail would be the slowest step: the e-mails of one design share a shell with places.
const MAX_SHELLS = 100
const shells = new Map<string, Promise<string>>()

function shellOf({ parts, values }: Prepared, email: DesignedEmail): Promise<string> {
  const { look, sender, images, language = GUEST_LANGUAGES[0] } = email
  const frame: Frame = {
    color: look.color ?? USUAL_COLOR,
    button: look.button_color ?? look.color ?? USUAL_COLOR,
    logo: look.logo && `${images}${look.logo}`,
    // It must not contain a place.
    sender: sender.replace(/%{2,}/g, '%'),
    language,
    preheader: values[0]?.trim() ? 0 : null,
  }
  const key = JSON.stringify([frame, parts])
  const known = shells.get(key)
  if (known) return known
  if (shells.size >= MAX_SHELLS) shells.delete(shells.keys().next().value ?? '')
  const shell = renderShell(parts, frame)
  shells.set(key, shell)
  shell.catch(() => shells.delete(key))
  return shell
}
