import 'server-only'
import { Body, Container, Head, Hr, Html, Link, render, Text } from '@react-email/components'

const ACCENT = '#a94a34'
const TEXT = '#1f1b19'
const DIM = '#6b635d'
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif'

/** What fills the layout, as HTML; `null`: that part is left out. */
export interface LayoutParts {
  body: string
  sender: string | null
  unsubscribeUrl: string | null
}

// The layout is rendered once with these in the places; rendering React for each e-mail would be the slowest part.
const MARK = {
  body: '%%body%%',
  sender: '%%sender%%',
  unsubscribeUrl: 'https://unsubscribe.invalid/',
} as const
const MARKS = new RegExp(Object.values(MARK).join('|'), 'g')
const shells = new Map<string, Promise<string>>()

/** The HTML of an e-mail: the sender's name, its paragraphs, and where to unsubscribe. */
export async function layOut(parts: LayoutParts): Promise<string> {
  const [hasSender, hasFoot] = [parts.sender !== null, parts.unsubscribeUrl !== null]
  const key = `${hasSender} ${hasFoot}`
  const known = shells.get(key) ?? render(<Layout hasSender={hasSender} hasFoot={hasFoot} />)
  shells.set(key, known)
  const values = new Map(
    (['body', 'sender', 'unsubscribeUrl'] as const).map((name) => [MARK[name] as string, parts[name] ?? '']),
  )
  return (await known).replace(MARKS, (mark) => values.get(mark) ?? '')
}

function Layout({ hasSender, hasFoot }: { hasSender: boolean; hasFoot: boolean }) {
  return (
    <Html lang="es">
      <Head />
      <Body style={{ margin: 0, padding: '24px 16px', backgroundColor: '#f7f5f2', fontFamily: FONT }}>
        <Container
          style={{
            maxWidth: '560px',
            margin: '0 auto',
            padding: '28px 32px',
            backgroundColor: '#ffffff',
            borderTop: `4px solid ${ACCENT}`,
          }}
        >
          {hasSender && (
            <Text style={{ margin: '0 0 20px', color: ACCENT, fontSize: '15px', fontWeight: 600 }}>
              {MARK.sender}
            </Text>
          )}
          <div style={{ color: TEXT, fontSize: '16px', lineHeight: '1.55' }}>{MARK.body}</div>
          {hasFoot && (
            <>
              <Hr style={{ margin: '28px 0 16px', borderColor: '#e6e1db' }} />
              <Text style={{ margin: 0, color: DIM, fontSize: '13px' }}>
                <Link href={MARK.unsubscribeUrl} style={{ color: DIM, textDecoration: 'underline' }}>
                  Darse de baja · Unsubscribe
                </Link>
              </Text>
            </>
          )}
        </Container>
      </Body>
    </Html>
  )
}
