import 'server-only'
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Img,
  Link,
  Preview,
  Row,
  render,
  Section,
  Text,
} from '@react-email/components'
import { Fragment, type ReactNode } from 'react'
import { escapeHtml } from './escape'
import { EMAIL_WIDTH, isSafeLink } from './limits'
import { readableOn, textOn, USUAL_COLOR } from './look'
import type { EmailLook } from './look-schema'
import { type Block, type EmailDesign, textsOfDesign } from './schema'

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
}

/** The place of the unsubscribe link in the HTML; `withUnsubscribe` fills it. Escaped texts cannot contain it. */
const UNSUBSCRIBE = '<!--unsubscribe-->'

/**
 * Renders a design to HTML and plain text. Texts are escaped; an address that is not https, mailto or tel is left out,
 * and a button without one too. The HTML has a place for the unsubscribe link (`withUnsubscribe`).
 */
export async function renderDesign(email: DesignedEmail): Promise<{ html: string; text: string }> {
  const { parts, values, lines } = prepare(email)
  const shell = await shellOf(parts, email)
  const html = shell.replace(/%%(\d+|unsubscribe)%%/g, (_, name: string) =>
    name === 'unsubscribe' ? UNSUBSCRIBE : (values[Number(name)] ?? ''),
  )
  const text = lines.filter((line) => line.trim() !== '').join('\n\n')
  return { html, text: `${text}\n` }
}

/** The HTML with the unsubscribe link, or without one (null). */
export function withUnsubscribe(html: string, url: string | null): string {
  if (url === null) return html.replace(UNSUBSCRIBE, '')
  const link = `<p class="dim" style="margin:12px 0 0;font-size:13px;color:${DIM}"><a class="dim" href="${escapeHtml(url)}" style="color:${DIM};text-decoration:underline">Darse de baja · Unsubscribe</a></p>`
  return html.replace(UNSUBSCRIBE, () => link)
}

/** A part of the layout; numbers are the places of its values. */
type Part =
  | { type: 'heading' | 'text' | 'footer'; value: number; align?: 'left' | 'center' }
  | { type: 'image'; src: string; alt: number; href: number | null; width: number }
  | { type: 'button'; label: number; href: number; align: 'left' | 'center' }
  | { type: 'columns'; left: Part[]; right: Part[] }
  | { type: 'divider' }

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
  const at = (path: string) => byPath.get(path) ?? ''
  const safe = (path: string) => {
    const address = at(path).trim()
    return isSafeLink(address) ? address : null
  }

  function partsOf(block: Block, path: string): Part[] {
    switch (block.type) {
      case 'heading':
        lines.push(at(`${path}.text`))
        return [{ type: 'heading', value: put(withLineBreaks(at(`${path}.text`))), align: block.align }]
      case 'footer':
        lines.push(at(`${path}.text`))
        return [{ type: 'footer', value: put(withLineBreaks(at(`${path}.text`))) }]
      case 'text': {
        const runs = block.runs.map((run, index) => {
          const text = at(`${path}.runs.${index}.text`)
          return { ...run, text, href: safe(`${path}.runs.${index}.href`) }
        })
        lines.push(runs.map(({ text, href }) => plainLink(text, href)).join(''))
        return [{ type: 'text', value: put(runs.map(runHtml).join('')), align: block.align }]
      }
      case 'image': {
        if (block.path === null) return []
        const [alt, href] = [at(`${path}.alt`), safe(`${path}.href`)]
        lines.push(href ? plainLink(alt, href) : alt)
        const place = href === null ? null : put(escapeHtml(href))
        const src = `${images}${block.path}`
        return [{ type: 'image', src, alt: put(escapeHtml(alt)), href: place, width: block.width }]
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
        const [left, right] = (['left', 'right'] as const).map((side) =>
          block[side].flatMap((inner, index) => partsOf(inner, `${path}.${side}.${index}`)),
        )
        return [{ type: 'columns', left: left ?? [], right: right ?? [] }]
      }
      default:
        lines.push('---')
        return [{ type: 'divider' }]
    }
  }

  put(escapeHtml(at('preheader')))
  const parts = design.blocks.flatMap((block, index) => partsOf(block, `blocks.${index}`))
  if (look.footer) {
    lines.push(look.footer)
    parts.push({ type: 'footer', value: put(withLineBreaks(look.footer)) })
  }
  // A footer may say it already.
  if (address && !lines.some((line) => oneLine(line).includes(oneLine(address)))) {
    lines.push(`${sender}\n${address}`)
    parts.push({ type: 'footer', value: put(withLineBreaks(`${sender}\n${address}`)) })
  }
  return { parts, values, lines }
}

function runHtml({
  text,
  href,
  bold,
  italic,
}: {
  text: string
  href: string | null
  bold?: boolean | undefined
  italic?: boolean | undefined
}): string {
  let html = withLineBreaks(text)
  if (bold) html = `<strong>${html}</strong>`
  if (italic) html = `<em>${html}</em>`
  return href === null ? html : `<a class="link" href="${escapeHtml(href)}">${html}</a>`
}

const plainAddress = (href: string) => href.replace(/^(mailto|tel):/i, '')

function plainLink(text: string, href: string | null): string {
  if (href === null || text.includes(plainAddress(href))) return text
  return text.trim() === '' ? plainAddress(href) : `${text} (${plainAddress(href)})`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const withLineBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

// Rendering React for each e-mail would be the slowest step: the e-mails of one design share a shell with places.
const MAX_SHELLS = 100
const shells = new Map<string, Promise<string>>()

function shellOf(parts: Part[], { look, sender, images }: DesignedEmail): Promise<string> {
  const frame: Frame = {
    color: look.color ?? USUAL_COLOR,
    button: look.button_color ?? look.color ?? USUAL_COLOR,
    logo: look.logo && `${images}${look.logo}`,
    // It must not contain a place.
    sender: sender.replaceAll('%%', '%'),
  }
  const key = JSON.stringify([frame, parts])
  const known = shells.get(key)
  if (known) return known
  if (shells.size >= MAX_SHELLS) shells.delete(shells.keys().next().value ?? '')
  const shell = render(<Shell frame={frame} parts={parts} />).then((html) => html)
  shells.set(key, shell)
  shell.catch(() => shells.delete(key))
  return shell
}

interface Frame {
  color: string
  button: string
  logo: string | null
  sender: string
}

const [PAPER, CARD, INK, DIM, RULE] = ['#f7f5f2', '#ffffff', '#1f1b19', '#6b635d', '#e6e1db']
const DARK_CARD = '#211d1b'
const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif'
const PADDING = 32
const GAP = 12

// Only characters that React leaves as they are in a text.
const styles = (link: string, darkLink: string) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.paper{background-color:${PAPER}}
.link{color:${link};text-decoration:underline}
@media (max-width:480px){
.pad{padding:20px 18px!important}
.col{display:block!important;width:100%!important;padding:0 0 8px!important;box-sizing:border-box!important}
img{max-width:100%!important;height:auto!important}
}
@media (prefers-color-scheme:dark){
.paper{background-color:#141210!important}
.card{background-color:${DARK_CARD}!important}
.ink{color:#f2ece6!important}
.dim{color:#b8aea6!important}
.link{color:${darkLink}!important}
.rule{border-color:#453e39!important}
}`

function Shell({ frame, parts }: { frame: Frame; parts: Part[] }) {
  const { color, logo, sender } = frame
  const link = readableOn(color, CARD)
  return (
    <Html lang="es" dir="ltr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{styles(link, readableOn(color, DARK_CARD))}</style>
      </Head>
      <Preview>%%0%%</Preview>
      <Body className="paper" style={{ margin: 0, padding: 0, fontFamily: FONT }}>
        {/* Body puts its background on a cell that no style of ours could reach in the dark. */}
        <Section className="paper" style={{ padding: '24px 0', backgroundColor: PAPER }}>
          <Container
            className="card"
            style={{
              width: '100%',
              maxWidth: `${EMAIL_WIDTH}px`,
              margin: '0 auto',
              backgroundColor: CARD,
              borderTop: `4px solid ${color}`,
            }}
          >
            <Section className="pad" style={{ padding: `28px ${PADDING}px` }}>
              {logo ? (
                <Img src={logo} alt={sender} width={160} style={{ margin: '0 0 20px', maxWidth: '160px' }} />
              ) : (
                <Text className="link" style={{ ...P, color: link, fontWeight: 600, textDecoration: 'none' }}>
                  {sender}
                </Text>
              )}
              {parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a text.
                <Fragment key={index}>{shown(part, frame)}</Fragment>
              ))}
              %%unsubscribe%%
            </Section>
          </Container>
        </Section>
      </Body>
    </Html>
  )
}

const P = { margin: '0 0 16px', fontSize: '16px', lineHeight: '1.55', color: INK } as const
const at = (place: number) => `%%${place}%%`

function shown(part: Part, frame: Frame, width = EMAIL_WIDTH - 2 * PADDING): ReactNode {
  switch (part.type) {
    case 'heading':
      return (
        <Heading as="h1" className="ink" style={{ ...P, ...HEADING, textAlign: part.align }}>
          {at(part.value)}
        </Heading>
      )
    case 'text':
      return (
        <Text className="ink" style={{ ...P, textAlign: part.align }}>
          {at(part.value)}
        </Text>
      )
    case 'footer':
      return (
        <Text className="dim" style={{ ...P, margin: '16px 0 0', fontSize: '13px', color: DIM }}>
          {at(part.value)}
        </Text>
      )
    case 'image':
      return <Picture {...part} width={Math.min(part.width, width)} />
    case 'button':
      return (
        <Section style={{ margin: '0 0 16px', textAlign: part.align }}>
          <Button
            href={at(part.href)}
            style={{
              padding: '13px 22px',
              borderRadius: '6px',
              backgroundColor: frame.button,
              color: textOn(frame.button),
              fontSize: '16px',
              fontWeight: 600,
              textDecoration: 'none',
            }}
          >
            {at(part.label)}
          </Button>
        </Section>
      )
    case 'columns': {
      const half = Math.floor((width - 2 * GAP) / 2)
      return (
        <Section style={{ margin: '0 0 8px' }}>
          <Row>
            {[part.left, part.right].map((side, index) => (
              <Column
                // biome-ignore lint/suspicious/noArrayIndexKey: always left and right.
                key={index}
                className="col"
                style={{
                  width: '50%',
                  verticalAlign: 'top',
                  padding: index === 0 ? `0 ${GAP}px 0 0` : `0 0 0 ${GAP}px`,
                }}
              >
                {side.map((inner, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a text.
                  <Fragment key={place}>{shown(inner, frame, half)}</Fragment>
                ))}
              </Column>
            ))}
          </Row>
        </Section>
      )
    }
    default:
      return <Hr className="rule" style={{ margin: '20px 0', borderColor: RULE }} />
  }
}

const HEADING = { fontSize: '24px', lineHeight: '1.25', fontWeight: 700 } as const

function Picture({
  src,
  alt,
  href,
  width,
}: {
  src: string
  alt: number
  href: number | null
  width: number
}) {
  const style = { display: 'block', margin: '0 0 16px', maxWidth: '100%', height: 'auto' }
  const image = <Img src={src} alt={at(alt)} width={width} style={style} />
  return href === null ? image : <Link href={at(href)}>{image}</Link>
}
