import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as it arrived. */
export interface ArrivedMail {
  /** The envelope's recipients. */
  to: string[]
  subject: string
  html: string
  /** Where its links lead, in order. */
  links: string[]
}

/** A mail server that delivers nothing. */
export interface FakeMailServer {
  port: number
  /** What arrived, in order. */
  mails: ArrivedMail[]
  close: () => Promise<void>
}

/** Starts an SMTP server without authentication on a free loopback port; it keeps every mail and calls `onMail` with it. */
export async function startFakeMailServer(onMail?: (mail: ArrivedMail) => void): Promise<FakeMailServer> {
  const mails: ArrivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, { envelope }, done) {
      const chunks: Uint8Array[] = []
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.once('error', done)
      stream.once('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then(({ subject = '', html = '' }) => {
          const to = envelope.rcptTo.map(({ address }) => address)
          const mail = { to, subject, html, links: linksOf(html) }
          mails.push(mail)
          onMail?.(mail)
          done()
        }, done)
      })
    },
  })
  // A sender that hangs up is its own affair.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
