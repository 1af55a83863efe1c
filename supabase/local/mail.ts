import { appendFileSync } from 'node:fs'

interface Mail {
  to: string
  subject: string
  html: string
}

/**
 * What the local stack does with Auth's mail: nothing leaves this machine. The link of a mail is printed, and kept in
 * the file for whoever missed it.
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
