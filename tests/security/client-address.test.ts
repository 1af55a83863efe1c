import { afterEach, describe, expect, it, vi } from 'vitest'
import { generateKeys } from '../../supabase/local/keys'
import { pointAppAt } from '../support/app'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** The network that a request counts as, from a connection of `socket`. */
async function network(headers: Record<string, string>, settings: Record<string, string>, socket = '') {
  vi.resetModules()
  pointAppAt('http://127.0.0.1:9', await generateKeys())
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const { socketAddressHeader } = await import('@/lib/address/proxies')
  const { clientNetwork } = await import('@/lib/auth/client-address')
  const request = new Request('http://localhost', { headers })
  if (socket) request.headers.set(socketAddressHeader(), socket)
  return clientNetwork(request)
}
const FORGED = {
  'x-forwarded-for': '1.2.3.4',
  'x-real-ip': '1.2.3.4',
  'x-vercel-forwarded-for': '1.2.3.4',
  forwarded: 'for=1.2.3.4',
  'x-socket-address': '1.2.3.4',
}

describe('the client’s address', () => {
  it('is the connection’s, whatever the headers say', async () => {
    expect(await network(FORGED, {}, '203.0.113.7')).toBe('203.0.113.7')
    expect(await network(FORGED, {}, '::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(await network(FORGED, {})).toBe('unknown')
  })

  it('is what Vercel says there, and only there', async () => {
    const sent = { 'x-vercel-forwarded-for': '203.0.113.7', 'x-forwarded-for': '1.2.3.4' }
    expect(await network(sent, { VERCEL: '1' }, '10.0.0.1')).toBe('203.0.113.7')
    expect(await network({ 'x-real-ip': '203.0.113.8' }, { VERCEL: '1' })).toBe('203.0.113.8')
  })

  it.each([
    ['1.2.3.4, 203.0.113.7', '10.0.0.1', '203.0.113.7'],
    ['1.2.3.4, 203.0.113.7, 10.1.2.3', '::ffff:10.0.0.1', '203.0.113.7'],
    ['1.2.3.4, 203.0.113.7:4711', '10.0.0.1', '203.0.113.7'],
    ['1.2.3.4, [2001:DB8:0:1::9]:4711', '2001:db8:ffff::7', '2001:db8:0:1::/64'],
    ['1.2.3.4', '192.0.2.1', '192.0.2.1'],
    ['1.2.3.4, nonsense', '10.0.0.1', '10.0.0.1'],
    ['10.0.0.9', '10.0.0.1', '10.0.0.9'],
  ])(
    'behind trusted proxies is the last one in %j that is none (%s)',
    async (forwarded, socket, expected) => {
      const settings = { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8:ffff::7' }
      expect(await network({ ...FORGED, 'x-forwarded-for': forwarded }, settings, socket)).toBe(expected)
    },
  )

  it.each([
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s by its network', async (socket, expected) => {
    expect(await network({}, {}, socket)).toBe(expected)
  })

  it('comes from a list that is checked when the app starts', async () => {
    await expect(network({}, { TRUSTED_PROXIES: '10.0.0.0/8, everyone' }, '10.0.0.1')).rejects.toThrow(
      'TRUSTED_PROXIES',
    )
    await expect(network({}, { TRUSTED_PROXIES: '2' }, '10.0.0.1')).rejects.toThrow('TRUSTED_PROXIES')
    await expect(network({}, { TRUSTED_PROXIES: '10.0.0.0/99' }, '10.0.0.1')).rejects.toThrow(
      'TRUSTED_PROXIES',
    )
  })
})
