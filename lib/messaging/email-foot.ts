/** The unsubscribe link that an e-mail still needs at its end; null when its text has it already, or it has none. */
export const missingLink = (body: string, link: string | null): string | null =>
  link === null || body.includes(link) ? null : link

/** The plain text of an e-mail with that link at its end. */
export const textWithLink = (body: string, link: string | null): string =>
  link === null ? body : `${body}\n\n--\nDarse de baja · Unsubscribe: ${link}\n`
