import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import { safeBaseUrl } from '@/lib/address/address'
import { type Refusal, RefusedAddress, refusalBehind } from '@/lib/address/refusals'

/** A failed call to the language model. `message` contains no key or credentials: it may be shown and logged. */
export class ProviderError extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message)
    this.name = 'ProviderError'
  }
}

const REFUSED: Record<Refusal, string> = {
  scheme: 'La dirección del proveedor debe empezar por https://',
  internal_name: 'La dirección del proveedor es de una red interna',
  loopback: 'La dirección del proveedor lleva a este mismo servidor',
  private: 'La dirección del proveedor lleva a una red privada',
  link_local: 'La dirección del proveedor lleva a una dirección de enlace local (metadatos)',
  reserved: 'La dirección del proveedor lleva a una dirección reservada',
}

/** The provider's base URL, validated. @throws ProviderError with the reason why it is refused. */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  try {
    return safeBaseUrl(value, allowLoopback)
  } catch (error) {
    throw error instanceof RefusedAddress ? new ProviderError(REFUSED[error.reason]) : error
  }
}

// A longer text is a document, not a message.
const MAX_MESSAGE = 500

/** The error for a failed call: the masked message of an OpenAI-style error, else only its status. */
export function providerError(error: unknown, key: string): ProviderError {
  if (error instanceof ProviderError) return error
  const refused = refusalBehind(error)
  if (refused) return new ProviderError(REFUSED[refused.reason])
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError)
    return new ProviderError('El proveedor no respondió a tiempo')
  if (error instanceof APIConnectionError) return new ProviderError('No se pudo conectar con el proveedor')
  if (error instanceof APIError) return new ProviderError(maskSecrets(ownMessage(error), key), error.status)
  return new ProviderError('La respuesta del proveedor llegó incompleta o no se entiende')
}

function ownMessage({ status, error }: APIError): string {
  const body: unknown = error
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  if (typeof message === 'string' && message.trim() !== '') return message.trim().slice(0, MAX_MESSAGE)
  return status === undefined ? 'El proveedor no pudo responder' : `El proveedor respondió con ${status}`
}

const MIN_ECHO = 8
const MASK = '[oculto]'
// A known key prefix or the word Bearer, and the key after it, also shortened with stars or dots.
const KEY_LIKE = /\b(?:sk|pk|rk|gsk|xai|key|org|proj)[-_][\w*.…-]{3,}|\bbearer\s+\S+/gi
const URL_LIKE = /\bhttps?:\/\/[^\s"'<>)\]]+/gi
const SHORTENED = /\*{2,}|\.{2,}|…|x{4,}/i

/**
 * A message of the provider that is safe to show and log: without the key (whole, in part or encoded), anything that
 * looks like a key, and credentials or queries in URLs. At most 500 characters.
 */
export function maskSecrets(message: string, key: string): string {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]
  // URLs first: a URL with a mask in it would no longer be recognized.
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

/** Whether a word repeats a part of the key, or is the shortened key: `abcd…wxyz`. */
function echoes(word: string, key: string): boolean {
  for (let start = 0; start + MIN_ECHO <= key.length; start++)
    if (word.includes(key.slice(start, start + MIN_ECHO))) return true
  return SHORTENED.test(word) && (word.includes(key.slice(0, 4)) || word.includes(key.slice(-4)))
}
