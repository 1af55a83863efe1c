import 'server-only'
import {
  Body,
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
  Text,
} from '@react-email/components'
import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { EMAIL_WIDTH } from './limits'
import { readableOn, textOn } from './look'
import { ghost, withGhosts } from './outlook'
import { CARD, colorsOf, DIM, darkStyles, INK, PAPER, RULE, styles } from './shell-styles'

/** A part of the layout; numbers are the places of its values. */
export type Part =
  | { type: 'heading' | 'text' | 'footer'; value: number; dir: number; align?: 'left' | 'center' }
  | { type: 'image'; src: string; alt: number; href: number | null; width: number }
  | { type: 'button'; label: number; href: number; align: 'left' | 'center' }
  | { type: 'columns'; left: Part[]; right: Part[] }
  | { type: 'divider' }

/** What the e-mails of a brand have in common. */
export interface Frame {
  color: string
  button: string
  logo: string | null
  /** Without a place in it. */
  sender: string
  language: string
  /** The place of the preheader; null: none. */
  preheader: number | null
}

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif'
const PADDING = 32
const GAP = 12
const OFFICE = {
  xmlns: 'http://www.w3.org/1999/xhtml',
  'xmlns:o': 'urn:schemas-microsoft-com:office:office',
}
// Outlook for Windows shows what is hidden otherwise.
const HIDDEN = {
  display: 'none',
  overflow: 'hidden',
  lineHeight: '1px',
  fontSize: '1px',
  opacity: 0,
  maxHeight: 0,
  maxWidth: 0,
  msoHide: 'all',
} as CSSProperties

const at = (place: number) => `%%${place}%%`

/** The HTML around the values: `%%3%%` is the place of the fourth, `%%unsubscribe%%` that of the link. */
export const renderShell = async (parts: Part[], frame: Frame): Promise<string> =>
  withGhosts(await render(<Shell frame={frame} parts={parts} />))

function Shell({ frame, parts }: { frame: Frame; parts: Part[] }) {
  const { color, sender, language, preheader } = frame
  return (
    <Html lang={language} dir="ltr" {...OFFICE}>
      <Head>
        <title>{sender}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <style>{styles}</style>
        {/* Gmail drops a style sheet in which it does not know something. */}
        <style>{darkStyles(colorsOf(frame))}</style>
      </Head>
      {preheader !== null && <Preview style={HIDDEN}>{at(preheader)}</Preview>}
      <Body className="paper" style={{ margin: 0, padding: 0, fontFamily: FONT }}>
        {/* Body puts its background on a cell that no style of ours could reach in the dark. */}
        <Row className="paper" style={{ backgroundColor: PAPER }}>
          <Column style={{ padding: '24px 0' }}>
            {ghost.open(EMAIL_WIDTH)}
            <Container className="card" style={{ ...CARD_STYLE, borderTop: `4px solid ${color}` }}>
              <Row>
                <Column className="pad" style={{ padding: `28px ${PADDING}px`, ...WRAP }}>
                  <Masthead frame={frame} />
                  {parts.map((part, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a text.
                    <Fragment key={index}>{shown(part, frame)}</Fragment>
                  ))}
                  %%unsubscribe%%
                </Column>
              </Row>
            </Container>
            {ghost.close}
          </Column>
        </Row>
      </Body>
    </Html>
  )
}

const CARD_STYLE = { width: '100%', maxWidth: `${EMAIL_WIDTH}px`, backgroundColor: CARD }
// The first keeps a long address from widening its table; not every mail program knows both.
const WRAP = { wordBreak: 'break-word', overflowWrap: 'break-word' } as const
const P = { margin: '0 0 16px', fontSize: '16px', lineHeight: '1.55', color: INK } as const
const HEADING = { fontSize: '24px', lineHeight: '1.25', fontWeight: 700 } as const

const LOGO_WIDTH = 160
// As wide as there is room: one that is blocked, with its words in place, would keep its width otherwise.
const imageOf = (width: number) =>
  ({ margin: '0 0 16px', width: '100%', maxWidth: `${width}px`, height: 'auto', fontSize: '16px' }) as const

function Masthead({ frame: { logo, sender, color } }: { frame: Frame }) {
  return logo ? (
    <Img
      className="ink"
      src={logo}
      alt={sender}
      width={LOGO_WIDTH}
      style={{ ...imageOf(LOGO_WIDTH), color: INK }}
    />
  ) : (
    <Text className="link" style={{ ...P, color: readableOn(color, CARD), fontWeight: 600 }}>
      {sender}
    </Text>
  )
}

function shown(part: Part, frame: Frame, width = EMAIL_WIDTH - 2 * PADDING): ReactNode {
  switch (part.type) {
    case 'heading':
      return (
        <Heading as="h1" className="ink" dir={at(part.dir)} style={{ ...P, ...HEADING, ...aligned(part) }}>
          {at(part.value)}
        </Heading>
      )
    case 'text':
      return (
        <Text className="ink" dir={at(part.dir)} style={{ ...P, ...aligned(part) }}>
          {at(part.value)}
        </Text>
      )
    case 'footer':
      return (
        <Text className="dim" dir={at(part.dir)} style={{ ...P, ...FOOT }}>
          {at(part.value)}
        </Text>
      )
    case 'image':
      return <Picture {...part} width={Math.min(part.width, width)} color={readableOn(frame.color, CARD)} />
    case 'button':
      return <Action {...part} color={frame.button} />
    case 'columns':
      return <Columns sides={[part.left, part.right]} frame={frame} width={width} />
    default:
      return <Hr className="rule" style={{ margin: '20px 0', borderColor: RULE }} />
  }
}

const FOOT = { margin: '16px 0 0', fontSize: '13px', color: DIM } as const
// On the left by itself, and on the right where a text is written from there.
const aligned = ({ align }: { align?: 'left' | 'center' }) =>
  align === 'center' ? ({ textAlign: align } as const) : {}

/** Outlook for Windows pads cells only: there the cell has the padding of the link. */
function Action({ label, href, align, color }: Part & { type: 'button' } & { color: string }) {
  const padding = '13px 22px'
  const surface = { backgroundColor: color, borderRadius: '6px' }
  const cell = { ...surface, msoPaddingAlt: padding } as CSSProperties
  const link = {
    ...surface,
    ...{ display: 'inline-block', maxWidth: '100%', boxSizing: 'border-box', padding, msoPaddingAlt: '0' },
    ...{
      color: textOn(color),
      fontSize: '16px',
      lineHeight: '1.25',
      fontWeight: 600,
      textDecoration: 'none',
    },
  } as CSSProperties
  return (
    <Row>
      <Column align={align} style={{ padding: '0 0 16px' }}>
        {/* Aligned to the left a table would float. */}
        <Row width={undefined} align={align === 'center' ? align : undefined}>
          <Column align="center" className="button" style={cell}>
            <Link href={at(href)} className="button action" style={link}>
              {at(label)}
            </Link>
          </Column>
        </Row>
      </Column>
    </Row>
  )
}

/** Beside each other where there is room, else one below the other, also where style sheets are dropped. */
function Columns({ sides, frame, width }: { sides: Part[][]; frame: Frame; width: number }) {
  const half = Math.floor(width / 2)
  const style = { display: 'inline-block', width: '100%', maxWidth: `${half}px`, verticalAlign: 'top' }
  return (
    <Row>
      {/* A line break between both would be as wide as a letter. */}
      <Column style={{ padding: '0 0 8px', fontSize: 0 }}>
        {ghost.open(2 * half, half)}
        {sides.map((side, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: always left and right.
          <Fragment key={index}>
            {index > 0 && ghost.next(half)}
            <div className="col" style={style}>
              <Row>
                <Column
                  className="gap"
                  valign="top"
                  style={{ padding: index === 0 ? `0 ${GAP}px 0 0` : `0 0 0 ${GAP}px` }}
                >
                  {side.map((inner, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a text.
                    <Fragment key={place}>{shown(inner, frame, half - GAP)}</Fragment>
                  ))}
                </Column>
              </Row>
            </div>
          </Fragment>
        ))}
        {ghost.close}
      </Column>
    </Row>
  )
}

function Picture({ src, alt, href, width, color }: Part & { type: 'image' } & { color: string }) {
  const image = (
    <Img
      src={src}
      alt={at(alt)}
      width={width}
      className="ink"
      style={{ ...imageOf(width), color: href === null ? INK : color }}
    />
  )
  return href === null ? (
    image
  ) : (
    <Link href={at(href)} className="link" style={{ color }}>
      {image}
    </Link>
  )
}
