import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { IMPORT_FILES } from './lib/imports/files'
import { hintCompilation } from './scripts/compile-hints'

// The build compiles the texts, so that no page brings the parser of plurals along.
const withNextIntl = createNextIntlPlugin({
  requestConfig: './lib/i18n/request.ts',
  experimental: { messages: { path: './lib/i18n', format: 'json', locales: ['es', 'en'], precompile: true } },
})

const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
]

// The files of POST /api/admin/import-csv are found at run time: nothing in the code names them to the build.
const importFiles = IMPORT_FILES.map(({ file }) => `./${file}`)

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  outputFileTracingIncludes: { '/api/admin/import-csv': importFiles, '/settings/import': importFiles },
  compiler: { runAfterProductionCompile: hintCompilation },
  // Before anything is sent: a page that redirects has begun its answer, and the browser has to load another.
  redirects: async () => [{ source: '/settings', destination: '/settings/general', permanent: false }],
  // Where a proxy has joined the slashes of `/api/automations//run`, the id is missing all the same.
  rewrites: async () => ({
    beforeFiles: [{ source: '/api/automations/run', destination: '/api/automations/%20/run' }],
    afterFiles: [],
    fallback: [],
  }),
  headers: async () => [{ source: '/(.*)', headers: securityHeaders }],
}

export default withNextIntl(config)
