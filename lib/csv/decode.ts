const utf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')
// NUL and other control characters except tab and line ends, and invisible characters that files contain.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\ufeff]/g

/**
 * Text of bytes in UTF-8 or, when they are not valid UTF-8, Windows-1252; without byte order mark, NUL and
 * other control characters. Each record is decoded separately, so a file may mix both.
 */
export function decodeText(bytes: Uint8Array): string {
  return stripInvisible(decode(bytes))
}

/** The text without NUL, control and invisible characters; tabs and line ends stay. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

const DELIMITERS = [';', ',', '\t']

/** The delimiter of a header line: semicolon unless it has more commas or tabs outside of quotes. */
export function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best))
}
