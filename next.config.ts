import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { hintCompilation } from './scripts/compile-hints'

const withNextIntl = createNextIntlPlugin('./lib/i18n/request.ts')

const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
]

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  compiler: { runAfterProductionCompile: hintCompilation },
  headers: async () => [{ source: '/(.*)', headers: securityHeaders }],
}

export default withNextIntl(config)
