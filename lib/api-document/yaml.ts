import 'server-only'
import { stringify } from 'yaml'
import { openApiDocument } from './document'

/** The description without its server. Half a second to write, so a process writes it once. */
let written: string | undefined

/** GET /api/docs/openapi.yaml: the description, with the request's own address as its server. */
export function openApiYaml(request: Request): Response {
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host')
  const protocol = request.headers.get('x-forwarded-proto') ?? new URL(request.url).protocol.replace(':', '')
  const server = host ? `${protocol}://${host}` : new URL(request.url).origin
  written ??= stringify(
    { ...openApiDocument(server), servers: undefined },
    { aliasDuplicateObjects: false, lineWidth: 110 },
  )
  const yaml = written + stringify({ servers: [{ url: server }] })
  return new Response(yaml, { headers: { 'Content-Type': 'application/x-yaml' } })
}
