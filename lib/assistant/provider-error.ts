import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import { safeBaseUrl } from '@/lib/outgoing/address'
import { type Refusal, RefusedAddress, refusalBehind } from '@/lib/outgoing/refusals'
import { maskSecrets } from './mask-secrets'

/** The language model could not be asked. `message` has neither key nor credentials: it may be shown and logged. */
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

/** The provider's base URL, checked. @throws ProviderError with the reason why it is refused. */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  try {
    return safeBaseUrl(value, allowLoopback)
  } catch (error) {
    throw error instanceof RefusedAddress ? new ProviderError(REFUSED[error.reason]) : error
  }
}

// Longer, it is no message but a document.
const MAX_MESSAGE = 500

/** What a failed call becomes: the message of an error in OpenAI's form, masked; of anything else its status alone. */
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
