import 'server-only'
import { stringify } from 'yaml'
import { openApiDocument } from './document'

/** GET /api/docs/openapi.yaml: the description, with the request's own address as its server. */
export function openApiYaml(request: Request): Response {
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host')
  const protocol = request.headers.get('x-forwarded-proto') ?? new URL(request.url).protocol.replace(':', '')
  const server = host ? `${protocol}://${host}` : new URL(request.url).origin
  const yaml = stringify(openApiDocument(server), { aliasDuplicateObjects: false, lineWidth: 110 })
  return new Response(yaml, { headers: { 'Content-Type': 'application/x-yaml' } })
}
