import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
const BUCKET = 'email-images'
const PREFIX = '/storage/v1/'
// Also keeps paths from leaving the directory.
const SAFE_PATH = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*\.[a-z]+$/

/** Files by path; in memory without a directory. */
interface Files {
  get: (path: string) => Uint8Array | undefined
  set: (path: string, bytes: Uint8Array) => void
  remove: (path: string) => boolean
  names: (folder: string) => string[]
}

function inMemory(): Files {
  const files = new Map<string, Uint8Array>()
  return {
    get: (path) => files.get(path),
    set: (path, bytes) => void files.set(path, bytes),
    remove: (path) => files.delete(path),
    names: (folder) =>
      [...files.keys()]
        .filter((path) => dirname(path) === folder)
        .map((path) => path.slice(folder.length + 1)),
  }
}

function onDisk(directory: string): Files {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  return {
    get: (path) => attempt(() => readFileSync(join(directory, path))),
    set: (path, bytes) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), bytes)
    },
    remove: (path) => attempt(() => rmSync(join(directory, path))) !== undefined,
    names: (folder) => attempt(() => readdirSync(join(directory, folder))) ?? [],
  }
}

/**
 * The part of Supabase Storage that the app uses, for the local stacks: upload, download, list and remove in one public
 * bucket, which the service may read, delete and create. Only the secret key may write or list.
 * @returns a handler that answers null for requests that are not about Storage.
 */
export function localStorage(secretKey: string, directory?: string) {
  const files = directory ? onDisk(directory) : inMemory()
  let hasBucket = true

  return async (request: Request): Promise<Response | null> => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(PREFIX)) return null
    const [kind = '', ...rest] = decodeURIComponent(pathname.slice(PREFIX.length)).split('/')
    const isOpen = kind === 'object' && rest[0] === 'public' && request.method === 'GET'
    if (!isOpen && request.headers.get('apikey') !== secretKey)
      return refusal(403, 'Unauthorized', 'new row violates row-level security policy')
    if (kind === 'bucket' && request.method === 'GET')
      return hasBucket && rest[0] === BUCKET
        ? Response.json({ id: BUCKET, name: BUCKET, public: true })
        : refusal(404, 'Bucket not found', 'Bucket not found')
    if (kind === 'bucket') {
      hasBucket = request.method !== 'DELETE'
      return Response.json({ name: BUCKET, message: 'done' })
    }
    const named = isOpen || rest[0] === 'list' ? rest.slice(1) : rest
    const [bucket, path] = [named[0], named.slice(1).join('/')]
    if (kind !== 'object' || bucket !== BUCKET || !hasBucket)
      return refusal(404, 'Bucket not found', 'Bucket not found')
    if (rest[0] === 'list') {
      const { prefix = '' } = (await request.json()) as { prefix?: string }
      return Response.json(files.names(prefix.replace(/\/$/, '')).map((name) => ({ name, id: name })))
    }
    if (request.method === 'DELETE') {
      const { prefixes } = (await request.json()) as { prefixes: string[] }
      const gone = prefixes.filter((one) => SAFE_PATH.test(one) && files.remove(one))
      return Response.json(gone.map((name) => ({ name })))
    }
    if (!SAFE_PATH.test(path)) return refusal(400, 'InvalidKey', `Invalid key: ${path}`)
    const known = files.get(path)
    if (request.method === 'POST') {
      if (known) return refusal(409, 'Duplicate', 'The resource already exists')
      files.set(path, new Uint8Array(await request.arrayBuffer()))
      return Response.json({ Key: `${bucket}/${path}`, Id: path })
    }
    if (!known) return refusal(404, 'not_found', 'Object not found')
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    return new Response(new Uint8Array(known), {
      headers: {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
      },
    })
  }
}

// Storage reports the status in the body too.
const refusal = (status: number, error: string, message: string) =>
  Response.json({ statusCode: String(status), error, message }, { status: 400 })
