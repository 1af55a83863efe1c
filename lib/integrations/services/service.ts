import type { Providers } from '@/lib/messaging/provider'
import type { Question } from '../question'
import type { Reader } from './stored'

/** What the server does with an outside service; what people see of it is in ../types. */
export interface Service<Config> extends Reader<Config> {
  /** Questions about the settings; the connection works when the first is answered well. */
  questions: (config: Config) => Question[]
}

/** A service that sends messages. */
export interface Sender<Config> extends Service<Config> {
  /** What sends by each channel for which the settings name a sender. */
  providers: (config: Config) => Providers
}
