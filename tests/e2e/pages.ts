import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** What asks the API as the person who looks: Playwright's request context, or `fetch` with a cookie. */
interface Asker {
  get: (path: string) => Promise<{ json: () => Promise<unknown> }>
}

/** A page of the app: who looks at it, and where it is when its route has parameters. */
export interface AppPage {
  route: string
  /** A demo person, or nobody for pages that need no session. */
  as?: string
  path?: (request: Asker) => Promise<string>
}

const SUPER = 'super@demo.example'

/** Every page. One without an entry fails tests/e2e/axe.spec.ts. */
export const PAGES: AppPage[] = [
  { route: '/sign-in' },
  { route: '/sign-up' },
  { route: '/forgot-password' },
  { route: '/reset-password', path: async () => '/reset-password?token_hash=none' },
  { route: '/docs' },
  { route: '/u/[token]', path: unsubscribePath },
  { route: '/', as: SUPER },
  { route: '/reservations', as: SUPER },
  { route: '/customers', as: SUPER },
  { route: '/customers/[id]', as: SUPER, path: firstOf('/api/customers?limit=1&sort=spend', '/customers') },
  { route: '/assistant', as: SUPER },
  { route: '/settings', as: SUPER },
  { route: '/settings/integrations', as: SUPER },
  { route: '/settings/import', as: SUPER },
  { route: '/settings/locations', as: SUPER },
  { route: '/settings/team', as: SUPER },
  { route: '/settings/jobs', as: SUPER },
]

/** Where to go for a page; the request context is of the person who looks. */
export function pathOf(page: AppPage, request: Asker): Promise<string> {
  return page.path ? page.path(request) : Promise.resolve(page.route)
}

/** The routes of the app's page files, without their groups. */
export function routesInCode(): string[] {
  return globSync('app/**/page.tsx').map((file) =>
    file
      .replace(/^app|\/page\.tsx$/g, '')
      .replace(/\/\([^)]+\)/g, '')
      .replace(/^$/, '/'),
  )
}

/** `<prefix>/<id>` of the first record that an endpoint lists. */
function firstOf(endpoint: string, prefix: string) {
  return async (request: Asker) => {
    const { data } = (await (await request.get(endpoint)).json()) as { data: { id: string }[] }
    if (!data[0]) throw new Error(`${endpoint} lists nothing`)
    return `${prefix}/${data[0].id}`
  }
}

/** An unsubscribe link of the demo's group, sealed with the key of its data directory. */
async function unsubscribePath(): Promise<string> {
  const script = ['--conditions=react-server', '--import', 'tsx', 'tests/e2e/unsubscribe-path.ts']
  return execFileSync(process.execPath, script, { encoding: 'utf8' }).trim()
}
