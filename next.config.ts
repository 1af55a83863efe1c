import { createHash } from 'node:crypto'
import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { PROBLEM_STYLE } from './lib/guests/problem-style'
import { importGlobs } from './lib/imports/files'

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
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Origin-Agent-Cluster', value: '?1' },
  // No page of an installation is for search engines, and no link of a message: app/robots.ts says why not there.
  { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
]

// Over http it would mean nothing: browsers take it from an encrypted answer only.
const https = [{ type: 'header' as const, key: 'x-forwarded-proto', value: 'https(,.*)?' }]
const stayEncrypted = [{ key: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' }]

// What is no page loads nothing. Pages have their policy from proxy.ts, whose matcher names the same files.
const noPage = [{ key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" }]
const NO_PAGES = [
  '/api/:path*',
  '/_next/:path*',
  '/((?![uUfF]/)[^%]*\\.(?:css|html|ico|jpe?g|js|json|map|png|svg|txt|webmanifest|webp|woff2?|xml))',
]

// A service worker asks the network for every page; the page it shows without one has a style sheet and a script.
const policy = (value: string) => [
  { key: 'Content-Security-Policy', value: `default-src 'none'; ${value}; frame-ancestors 'none'` },
]
const worker = [...policy("connect-src 'self'"), { key: 'Cache-Control', value: 'no-cache' }]
// What a guest's form is answered with when it failed.
const problem = policy(
  `style-src 'sha256-${createHash('sha256').update(PROBLEM_STYLE).digest('base64')}'; base-uri 'none'`,
)
const offline = policy("style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'")

// The files of POST /api/admin/import-csv are found at run time: nothing in the code names them to the build.
const importFiles = importGlobs(process.env.IMPORT_DIR ?? '')

// What lib/paper/fonts.ts reads: 17 MB, of which a report loads what its texts need.
const PAPER_FONTS = [
  'pdfkit/js/standard-fonts/**',
  'harfbuzzjs/dist/harfbuzz-subset.wasm',
  '@fontsource-variable/{noto-sans*,vazirmatn}/unicode.json',
  '@fontsource-variable/{noto-sans*,vazirmatn}/files/*-wght-normal.woff2',
  '@fontsource/unifontex/files/*.woff2',
].map((files) => `./node_modules/${files}`)

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run verify` checks them first, with the tests' own.
  typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === '1' },
  experimental: {
    optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'],
    // Nothing reads the maps of the server's code, which are four fifths of a built app.
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // CI builds once on a clean machine and throws the cache away; Vercel keeps it.
    turbopackFileSystemCacheForBuild: !process.env.CI || Boolean(process.env.VERCEL),
  },
  // They find fonts and tools in WebAssembly beside themselves.
  serverExternalPackages: ['pdfkit', 'fontkit', 'fontverter', 'subset-font'],
  outputFileTracingIncludes: {
    '/api/morning/pdf': PAPER_FONTS,
    '/api/admin/import-csv': importFiles,
    '/settings/import': importFiles,
  },
  // Before anything is sent: a page that redirects has begun its answer, and the browser has to load another.
  redirects: async () => [
    { source: '/settings', destination: '/settings/general', permanent: false },
    // Password managers lead people there (W3C: A Well-Known URL for Changing Passwords).
    { source: '/.well-known/change-password', destination: '/account', permanent: false },
    { source: '/security.txt', destination: '/.well-known/security.txt', permanent: false },
  ],
  // Where a proxy has joined the slashes of `/api/automations//run`, the id is missing all the same.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/api/automations/run', destination: '/api/automations/%20/run' },
      // Where phones look without reading the page.
      {
        source: '/apple-touch-icon:size(-precomposed|-\\d+x\\d+|-\\d+x\\d+-precomposed)?.png',
        destination: '/apple-icon.png',
      },
    ],
    afterFiles: [],
    fallback: [],
  }),
  headers: async () => [
    { source: '/(.*)', headers: securityHeaders },
    { source: '/(.*)', has: https, headers: stayEncrypted },
    ...NO_PAGES.map((source) => ({ source, headers: noPage })),
    // Of two values of a header the last counts.
    { source: '/sw.js', headers: worker },
    { source: '/offline.html', headers: offline },
    { source: '/api/:link(u|f)/:token', headers: problem },
  ],
}

export default withNextIntl(config)
