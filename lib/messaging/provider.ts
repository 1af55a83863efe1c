import type { Gate } from './gate'
import type { Channel, Content } from './schema'

/** A message whose content is frozen, as a provider gets it. */
export interface OutboundMessage {
  id: string
  channel: Channel
  recipient: string
  content: Content
  /** The same at every attempt: a provider that knows it never sends twice. Shared by what goes in one request. */
  idempotencyKey: string
}

/** What a provider made of a message. Reasons hold no personal data: they are shown and logged. */
export type Outcome =
  | { kind: 'accepted'; providerId: string }
  /** Refused for good: the address is wrong, the content is not allowed. */
  | { kind: 'permanent'; reason: string }
  /** Surely not accepted (429, connection refused): may be tried again, after so many seconds. */
  | { kind: 'retryable'; reason: string; afterSeconds?: number }
  /** Perhaps accepted (timeout, 5xx): resent only under an idempotency key. */
  | { kind: 'ambiguous'; reason: string }

export interface Provider {
  /** What `messages.provider` says. */
  name: string
  /** Messages a second over all instances; without one: as fast as they go. */
  pace?: number
  /** One of the organization's integrations: nothing more is claimed for it once that is switched off. */
  isIntegration?: boolean
  /** The most messages it takes in one request; without one: a request a message. */
  batchSize?: number
  /**
   * Sends a batch; one outcome a message, in order. May send several at once, must end by itself (timeouts), and what
   * it throws counts as ambiguous for the whole batch. Each request passes the gate, which batches under way share.
   */
  send: (batch: OutboundMessage[], gate?: Gate) => Promise<Outcome[]>
}

/** Who sends what goes by each channel; nothing goes by one that is not there. */
export type Providers = Partial<Record<Channel, Provider>>
