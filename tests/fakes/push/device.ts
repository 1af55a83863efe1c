import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A browser's side of Web Push: its keys, and what it reads of a message. */
export interface FakeDevice {
  keys: { p256dh: string; auth: string }
  /** Decrypts a message (RFC 8291, aes128gcm). @throws Error when it is for another device, or damaged. */
  read(body: Buffer): string
}

/** A device with keys of its own. */
export function makeDevice(): FakeDevice {
  const curve = createECDH('prime256v1')
  const own = curve.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const salt = body.subarray(0, 16)
      const recordSize = body.readUInt32BE(16)
      const idLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + idLength)
      const record = body.subarray(21 + idLength)
      if (record.length > recordSize) throw new Error('More than one record')
      const derive = (key: Buffer, salted: Buffer, info: Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salted, info, length))
      const shared = curve.computeSecret(sender)
      const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const input = derive(shared, auth, keyInfo, 32)
      const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const open = createDecipheriv('aes-128-gcm', key, nonce)
      open.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([open.update(record.subarray(0, -16)), open.final()])
      const end = padded.lastIndexOf(2)
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Bad padding')
      return padded.subarray(0, end).toString('utf8')
    },
  }
}

/** What is wrong with a request's VAPID identity (RFC 8292); null: nothing. */
export function vapidProblem(
  headers: IncomingHttpHeaders,
  { origin, publicKey }: { origin: string; publicKey: string },
): string | null {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), ?k=(\S+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== publicKey) return 'another key than the device subscribed with'
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!signed) return 'a wrong signature'
  const parsed = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  if (parsed(head).alg !== 'ES256') return 'another algorithm'
  const { aud, exp, sub } = parsed(claims)
  if (aud !== origin) return `for ${aud}`
  const left = exp - Date.now() / 1000
  if (!(left > 0 && left <= 86_400)) return 'expired, or valid for more than a day'
  return /^(mailto:|https:)/.test(sub) ? null : 'no subject'
}
