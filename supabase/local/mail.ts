import { appendFileSync } from 'node:fs'

interface Mail {
  to: string
  subject: string
  html: string
}

/**
 * Handles Auth's mails in the local stack, which sends none: the link of a mail is printed, and stored in a file for
 * later.
 */
export function printedMail(file?: string) {
  return {
    send: async ({ to, subject, html }: Mail) => {
      const link = /href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const line = `Mail for ${to} (${subject}): ${link}`
      if (!file) return
      console.log(line)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    },
  }
}
