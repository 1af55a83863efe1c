import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
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

/** What a failed call becomes: the provider's own message where it gave one, masked. */
export function providerError(error: unknown, key: string): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError)
    return new ProviderError('El proveedor no respondió a tiempo')
  if (error instanceof APIConnectionError) return new ProviderError('No se pudo conectar con el proveedor')
  if (error instanceof APIError) return new ProviderError(maskSecrets(ownMessage(error), key), error.status)
  return new ProviderError('La respuesta del proveedor llegó incompleta o no se entiende')
}

function ownMessage({ status, error }: APIError): string {
  const body: unknown = error
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body
  if (typeof message === 'string' && message.trim() !== '') return message.trim()
  return status === undefined ? 'El proveedor no pudo responder' : `El proveedor respondió con ${status}`
}
