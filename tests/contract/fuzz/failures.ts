import type { Generated } from './requests'

const SHOWN = 20

/** What went wrong, each kind once with its first request: one run shows all that is to mend. */
export class Failures {
  readonly #kinds = new Map<string, { count: number; request: string }>()

  add(request: Generated, cause: unknown): void {
    const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    const kind = `${callOf(request)}: ${message.slice(0, 300)}`
    const { path, headers, body } = request
    const known = this.#kinds.get(kind)
    const sent = known?.request ?? `${path} ${JSON.stringify({ headers, body })}`.slice(0, 2000)
    this.#kinds.set(kind, { count: (known?.count ?? 0) + 1, request: sent })
  }

  /** One line each, with its first request; empty without any. */
  text(): string {
    const lines = [...this.#kinds].map(([kind, { count, request }]) => `${count} × ${kind}\n    ${request}`)
    return lines.slice(0, SHOWN).join('\n')
  }
}

/** Method and path without ids and query: `GET /api/customers/…`. */
export function callOf({ method, path }: Pick<Generated, 'method' | 'path'>): string {
  return `${method} ${path.split('?')[0]?.replaceAll(/\/[^/]*[\d%][^/]*/g, '/…')}`
}
