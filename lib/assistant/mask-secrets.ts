const MIN_ECHO = 8
const MASK = '[oculto]'
// What keys look like: a known prefix, or the word Bearer, and what follows; stars and dots where shortened.
const KEY_LIKE = /\b(?:sk|pk|rk|gsk|xai|key|org|proj)[-_][\w*.…-]{3,}|\bbearer\s+\S+/gi
const URL_LIKE = /\bhttps?:\/\/[^\s"'<>)\]]+/gi
const SHORTENED = /\*{2,}|\.{2,}|…|x{4,}/i

/**
 * A message of the provider that may be shown and logged: without the key, also in part or encoded, without
 * anything that looks like one, and without credentials or query in addresses. At most 500 characters.
 */
export function maskSecrets(message: string, key: string): string {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]
  // Addresses first: a mask within one would no longer be an address.
  const plain = message.replace(URL_LIKE, withoutCredentials)
  const masked = forms
    .reduce((text, form) => text.replaceAll(form, MASK), plain)
    .replace(KEY_LIKE, MASK)
    .replace(/[^\s"'`,;()[\]{}<>]+/g, (word) => (echoes(word, key) ? MASK : word))
  return masked.slice(0, 500)
}

function withoutCredentials(text: string): string {
  const url = URL.parse(text)
  return url ? `${url.origin}${url.pathname}` : MASK
}

/** Whether a word repeats a piece of the key, or is the key shortened: `abcd…wxyz`. */
function echoes(word: string, key: string): boolean {
  for (let start = 0; start + MIN_ECHO <= key.length; start++)
    if (word.includes(key.slice(start, start + MIN_ECHO))) return true
  return SHORTENED.test(word) && (word.includes(key.slice(0, 4)) || word.includes(key.slice(-4)))
}
