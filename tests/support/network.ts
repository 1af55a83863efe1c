import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net, { isIP } from 'node:net'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import ipaddr from 'ipaddr.js'
import { http, passthrough } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { afterEach } from 'vitest'

// Nothing that a test does leaves this machine. msw refuses what goes by the global `fetch`; sockets and DNS refuse the
// rest, such as node:http and undici with a dispatcher of its own. msw stays away from sockets: it would put its own
// between the app and the local servers, and what has been written when is what some tests are about.

const HERE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/

/** Whether a host is this machine, by its IP or by the name that is always it. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0) return bare === 'localhost' || bare.endsWith('.localhost')
  return ['loopback', 'unspecified'].includes(ipaddr.process(bare).range())
}

function refused(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`Tests do not leave this machine: ${host}`), { code: 'EACCES' })
}

function guardSockets(): void {
  const connect = net.Socket.prototype.connect
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    // `net.connect` passes its arguments on as one array.
    const given = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
    const [first, second] = given
    const options = typeof first === 'object' ? (first as net.TcpNetConnectOpts & { path?: string }) : null
    const host = options ? options.host : typeof second === 'string' ? second : undefined
    const isLocal = Boolean(options?.path) || typeof first === 'string' || !host || isLoopback(host)
    // A name with a lookup of its own: the lookup's answer counts.
    if (isLocal || (options?.lookup && isIP(host) === 0)) {
      if (!isLocal && options?.lookup) options.lookup = guardedLookup(options.lookup)
      return Reflect.apply(connect, this, args)
    }
    process.nextTick(() => this.destroy(refused(host)))
    return this
  } as typeof connect
}

type Lookup = net.LookupFunction

function guardedLookup(lookup: Lookup): Lookup {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      const foreign = error ? undefined : addresses.find((address) => !isLoopback(address))
      if (foreign) callback(refused(`${hostname} (${foreign})`), '', 0)
      else callback(error, found, family)
    })
}

function guardNames(): void {
  const { lookup } = dns
  const { lookup: lookupLater } = dns.promises
  dns.lookup = Object.assign((hostname: string, ...rest: unknown[]) => {
    if (isLoopback(hostname) || isIP(hostname)) return Reflect.apply(lookup, dns, [hostname, ...rest])
    const callback = rest.at(-1) as (error: Error) => void
    process.nextTick(() => callback(refused(hostname)))
  }, lookup) as typeof lookup
  dns.promises.lookup = (async (
    hostname: string,
    options: object,
  ): Promise<LookupAddress | LookupAddress[]> => {
    if (isLoopback(hostname) || isIP(hostname)) return lookupLater(hostname, options)
    throw refused(hostname)
  }) as typeof lookupLater
  syncBuiltinESMExports()
}

type Listener = (request: Request) => void
type WayBehind = (path: string, headers: Headers) => string | null
// One guard for a worker, which goes from file to file.
const worker = globalThis as {
  network?: ReturnType<typeof guard>
  listeners?: Set<Listener>
  waysBehind?: Map<string, WayBehind>
}
worker.listeners ??= new Set()
worker.waysBehind ??= new Map()
const { listeners, waysBehind } = worker

/** Shows a test what goes to this machine by `fetch`, until the function that it returns is called. */
export function watchRequests(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Sends what goes by `fetch` to a gateway in this process straight to the server behind it, until the function that it
 * returns is called.
 */
export function passBy(gateway: string, behind: WayBehind): () => void {
  waysBehind.set(gateway, behind)
  return () => void waysBehind.delete(gateway)
}

/**
 * What goes to this machine goes past msw, which copies the request: an abort does not reach the copy once the garbage
 * collector has taken the original, and the request hangs.
 */
function spareThisMachine(direct: typeof fetch): void {
  const watched = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!HERE.test(url)) return watched(input, init)
    for (const listener of listeners)
      listener(new Request(input instanceof Request ? input.clone() : input, init))
    const path = url.indexOf('/', 'https://'.length)
    const behind = waysBehind.get(url.slice(0, path))
    if (!behind || input instanceof Request) return direct(input, init)
    const headers = new Headers(init?.headers)
    const target = behind(url.slice(path), headers)
    return target ? direct(target, { ...init, headers }) : direct(input, init)
  }
}

function guard() {
  guardSockets()
  guardNames()
  const direct = globalThis.fetch
  // The browser's interceptor, by its types another class: it replaces `fetch`, the one for Node every socket.
  const source = new InterceptorSource({ interceptors: [new FetchInterceptor() as never] })
  const defined = defineNetwork({
    sources: [source],
    handlers: [http.all(HERE, () => passthrough())],
    onUnhandledFrame: 'error',
  })
  defined.enable()
  spareThisMachine(direct)
  return defined
}

worker.network ??= guard()

/** The network of the tests: a test plays a host with a handler, `network.use(http.get(…))`, which ends with the test. */
export const network: ReturnType<typeof guard> = worker.network

afterEach(() => network.resetHandlers())
