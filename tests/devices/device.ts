import { useService } from '@/components/service/use-service'
import type { Service, Tap, TapAnswer } from '@/lib/service/schema'
import { inTab, mountHook, outsideTabs, rendered, type Tab, tell } from './browser'
import { stateOf } from './witness'

/** What becomes of a request with taps: it does not arrive, its answer is lost, or it is given up while it is under way. */
export type Fate = 'passes' | 'request_lost' | 'answer_lost' | 'given_up'

export interface Answered {
  status: number
  text: string
  headers: Headers
  /** The size of the body as it was sent, compressed. */
  bytes: number
}
/** Sends a request with the session of a person. */
export type Ask = (
  method: string,
  path: string,
  body?: string,
  headers?: Record<string, string>,
) => Promise<Answered>

/** A tap and what its device knows of it. */
export interface Sent {
  tap: Tap
  sent: number
  /** What the device was answered, at last. */
  outcome?: TapAnswer['outcome']
}

/** What a list that a device read changed: the parties that differ from the list before it. */
export interface Read {
  at: number
  changed: [id: string, state: string][]
}

interface DeviceOptions {
  name: string
  person: string
  ask: Ask
  /** The fate of the next request with taps. */
  fate: () => Fate
  timed: boolean
}

/** A device with the board open: the page's own hook, its queue in this device's storage, and a network that fails. */
export class Device {
  readonly name: string
  readonly taps = new Map<string, Sent>()
  readonly reads: Read[] = []
  /** Since when it has been connected without a loss, and null while it is not. */
  readonly connected: { from: number; until: number }[] = []
  onlineSince: number | null = null
  readonly refusals = new Map<string, number>()
  board!: ReturnType<typeof useService>
  /** Milliseconds of each answer. */
  readonly waits: number[] = []
  bytes = 0
  readonly lost = { request_lost: 0, answer_lost: 0, given_up: 0 }
  private readonly states = new Map<string, string>()
  private readonly tab: Tab
  private readonly underWay = new Set<Promise<unknown>>()
  private close = async () => {}

  constructor(private readonly options: DeviceOptions) {
    this.name = options.name
    const { timed } = options
    this.tab = { fetch: this.fetch, storage: new Map(), listeners: new Map(), timed }
  }

  /** Opens the board, as the page does with the list that came with it. */
  async open(initial: Service): Promise<void> {
    const { person } = this.options
    this.onlineSince = Date.now()
    this.close = await mountHook(
      this.tab,
      () => useService(initial, person),
      (board) => {
        this.board = board
      },
    )
  }

  /** Ends the page and opens it again, as a reload does; the queue is in the browser. */
  async reload(initial: Service): Promise<void> {
    await this.close()
    await this.open(initial)
  }

  /** Closes the page, when all that it has begun is done. */
  async end(): Promise<void> {
    await this.close()
    await this.settled()
  }

  /** Taps as the page does. */
  act<T>(work: (board: Device['board']) => T): T {
    return inTab(this.tab, () => work(this.board))
  }

  /** The person looks at the page again: it sends what waits and reads the list. */
  look(): void {
    tell(this.tab, 'focus')
  }

  get isOnline(): boolean {
    return this.onlineSince !== null
  }

  goOffline(): void {
    this.breakConnection()
    this.onlineSince = null
  }

  goOnline(): void {
    this.onlineSince = Date.now()
    tell(this.tab, 'online')
  }

  /** Waits until nothing is under way, also what an answer has started. */
  async settled(): Promise<void> {
    do {
      await Promise.allSettled(this.underWay)
      await rendered()
    } while (this.underWay.size > 0)
  }

  private breakConnection(): void {
    if (this.onlineSince !== null) this.connected.push({ from: this.onlineSince, until: Date.now() })
    if (this.onlineSince !== null) this.onlineSince = Date.now()
  }

  private fetch = (path: string, init: RequestInit): Promise<Response> => {
    const exchange = outsideTabs(() => this.exchange(path, init))
    this.underWay.add(exchange)
    const done = () => this.underWay.delete(exchange)
    exchange.then(done, done)
    return exchange
  }

  private async exchange(path: string, init: RequestInit): Promise<Response> {
    const body = init.body as string | undefined
    const taps: Tap[] = body ? JSON.parse(body).taps : []
    const fate = this.isOnline ? (taps.length > 0 ? this.options.fate() : 'passes') : 'request_lost'
    for (const tap of taps) {
      const known = this.taps.get(tap.key)
      this.taps.set(tap.key, { ...known, tap, sent: (known?.sent ?? 0) + (this.isOnline ? 1 : 0) })
    }
    if (this.isOnline && fate !== 'passes') {
      this.lost[fate]++
      this.breakConnection()
    }
    if (fate === 'request_lost') throw new TypeError('fetch failed')
    const headersSent = Object.fromEntries(new Headers(init.headers))
    const began = performance.now()
    const asked = this.options.ask(init.method ?? 'GET', path, body, headersSent)
    if (fate === 'given_up') {
      // The server goes on with it, and meanwhile the page sends the taps again.
      const later = asked.then(() => {})
      this.underWay.add(later)
      void later.finally(() => this.underWay.delete(later))
      setImmediate(() => this.look())
      throw new TypeError('fetch failed')
    }
    const { status, text, headers, bytes } = await asked
    this.waits.push(performance.now() - began)
    this.bytes += bytes
    // The device went out of reach before the answer came.
    if (!this.isOnline || fate === 'answer_lost') throw new TypeError('fetch failed')
    if (taps.length > 0 && status !== 200) this.refusals.set(text, (this.refusals.get(text) ?? 0) + 1)
    if (taps.length > 0 && status === 200)
      for (const { key, outcome } of JSON.parse(text).data as TapAnswer[]) {
        const known = this.taps.get(key)
        if (known) known.outcome = outcome
      }
    if (taps.length === 0) {
      if (status !== 200 && status !== 304) throw new Error(`${path}: ${status} ${text}`)
      this.note(status === 200 ? JSON.parse(text).data.parties : [])
    }
    return { ok: status === 200, status, headers, json: async () => JSON.parse(text) } as Response
  }

  private note(parties: Service['parties']): void {
    const changed = parties
      .map((party) => [party.id, stateOf(party)] as [string, string])
      .filter(([id, state]) => this.states.get(id) !== state)
    for (const [id, state] of changed) this.states.set(id, state)
    this.reads.push({ at: Date.now(), changed })
  }
}
