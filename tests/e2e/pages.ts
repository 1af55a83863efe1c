import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'
import { DEFINITIONS } from '../../scripts/demo/automations'

/** What asks the API as the person who looks: Playwright's request context, or `fetch` with a cookie. */
interface Asker {
  get: (path: string) => Promise<{ json: () => Promise<unknown> }>
}

/** A page of the app: who looks at it, and where it is when its route has parameters. */
export interface AppPage {
  route: string
  /** A demo person; absent for pages that need no session. */
  as?: string
  path?: (request: Asker) => Promise<string>
  /** A demo person who may not see it. */
  notFor?: string
}

const SUPER = 'super@demo.example'
const ADMIN = 'admin@demo.example'
const FLOOR_MANAGER = 'operaciones@demo.example'
const HUMAN_RESOURCES = 'rrhh@demo.example'

/** Every page. One without an entry fails tests/e2e/every-page.spec.ts. */
export const PAGES: AppPage[] = [
  { route: '/sign-in' },
  { route: '/sign-up' },
  // Closed once there is a group: it leads to the sign-in.
  { route: '/setup' },
  { route: '/forgot-password' },
  { route: '/reset-password', path: async () => '/reset-password?token_hash=none' },
  // Without a session, and with one that lacks nothing, it leads on.
  { route: '/second-factor' },
  { route: '/docs' },
  // What a device keeps for the time without a connection: a visitor gets it without any list.
  { route: '/offline/service' },
  { route: '/u/[token]', path: () => linkPath('unsubscribe-path') },
  { route: '/f/[token]', path: () => linkPath('survey-path') },
  { route: '/', as: SUPER },
  { route: '/morning', as: SUPER },
  { route: '/reservations', as: SUPER, notFor: HUMAN_RESOURCES },
  { route: '/print/reservations', as: SUPER },
  { route: '/service', as: SUPER, path: firstOf('/api/locations?limit=1', '/service', '', '?location_id=') },
  {
    route: '/service/tables',
    as: SUPER,
    path: firstOf('/api/locations?limit=1', '/service/tables', '', '?location_id='),
  },
  {
    route: '/service/guests/[id]',
    as: SUPER,
    path: firstOf('/api/customers?limit=1&sort=spend', '/service/guests'),
  },
  { route: '/customers', as: SUPER, notFor: HUMAN_RESOURCES },
  {
    route: '/customers/[id]',
    as: SUPER,
    notFor: HUMAN_RESOURCES,
    path: firstOf('/api/customers?limit=1&sort=spend', '/customers'),
  },
  { route: '/customers/duplicates', as: SUPER, notFor: HUMAN_RESOURCES },
  { route: '/customers/duplicates/compare', as: SUPER, notFor: HUMAN_RESOURCES, path: firstPair },
  { route: '/customers/duplicates/different', as: SUPER, notFor: HUMAN_RESOURCES },
  { route: '/customers/segments', as: SUPER },
  {
    route: '/customers/segments/new',
    as: SUPER,
    path: async () => '/customers/segments/new?example=allergies',
  },
  { route: '/customers/segments/[id]', as: SUPER, path: firstOf('/api/segments', '/customers/segments') },
  { route: '/feedback', as: SUPER },
  { route: '/conversations', as: SUPER, notFor: HUMAN_RESOURCES },
  {
    route: '/conversations/[id]',
    as: SUPER,
    notFor: HUMAN_RESOURCES,
    path: firstOf('/api/conversations?limit=1', '/conversations'),
  },
  { route: '/automations', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/automations/new', as: SUPER, notFor: FLOOR_MANAGER },
  {
    route: '/automations/[id]',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: birthdayAutomation(),
  },
  {
    route: '/automations/[id]/edit',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: birthdayAutomation('/edit'),
  },
  { route: '/campaigns', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/campaigns/look', as: SUPER, notFor: FLOOR_MANAGER },
  {
    route: '/campaigns/new',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: firstOf('/api/segments', '/campaigns/new', '', '?segment_id='),
  },
  {
    route: '/campaigns/[id]',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: demoCampaign('finished'),
  },
  {
    route: '/campaigns/[id]/edit',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: demoCampaign('draft', '/edit'),
  },
  { route: '/loyalty', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/reports', as: SUPER, notFor: HUMAN_RESOURCES },
  { route: '/calendar', as: SUPER },
  { route: '/tickets', as: SUPER },
  { route: '/tickets/[id]', as: SUPER, path: firstOf('/api/tickets?limit=1', '/tickets') },
  { route: '/assistant', as: SUPER },
  { route: '/account', as: SUPER },
  { route: '/settings/general', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/setup', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/integrations', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/import', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/locations', as: SUPER, notFor: FLOOR_MANAGER },
  {
    route: '/settings/locations/[id]',
    as: SUPER,
    notFor: FLOOR_MANAGER,
    path: firstOf('/api/locations?limit=1', '/settings/locations'),
  },
  { route: '/settings/team', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/tokens', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/identity', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/jobs', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/audit', as: SUPER, notFor: FLOOR_MANAGER },
  { route: '/settings/installation', as: SUPER, notFor: ADMIN },
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

/** `<prefix>/<id><suffix>` of the first record that an endpoint lists. */
function firstOf(endpoint: string, prefix: string, suffix = '', joint = '/') {
  return async (request: Asker) => {
    const { data } = (await (await request.get(endpoint)).json()) as { data: { id: string }[] }
    if (!data[0]) throw new Error(`${endpoint} lists nothing`)
    return `${prefix}${joint}${data[0].id}${suffix}`
  }
}

/** The page of one of the demo's own automations: what a journey made in the meantime may have Spanish texts. */
function birthdayAutomation(suffix = '') {
  return oldestOf('/api/automations', ({ name }) => name === DEFINITIONS[0]?.name, '/automations', suffix)
}

/** The same of the oldest campaign with that status. */
function demoCampaign(status: string, suffix = '') {
  return oldestOf(`/api/campaigns?status=${status}`, () => true, '/campaigns', suffix)
}

interface Named {
  id: string
  name: string
  created_at: string
}

function oldestOf(endpoint: string, is: (one: Named) => boolean, prefix: string, suffix: string) {
  return async (request: Asker) => {
    const joint = endpoint.includes('?') ? '&' : '?'
    const { data } = (await (await request.get(`${endpoint}${joint}limit=100`)).json()) as { data: Named[] }
    const [found] = data.filter(is).sort((one, other) => one.created_at.localeCompare(other.created_at))
    if (!found) throw new Error(`${endpoint} has none of the demo's`)
    return `${prefix}/${found.id}${suffix}`
  }
}

/** Two customers of the first group of suspected duplicates, beside each other. */
async function firstPair(request: Asker): Promise<string> {
  const answer = await request.get('/api/customers/duplicates?limit=1')
  const { data } = (await answer.json()) as { data: { customers: { id: string }[] }[] }
  const [kept, gone] = data[0]?.customers ?? []
  if (!kept || !gone) throw new Error('The demo has no suspected duplicates')
  return `/customers/duplicates/compare?keep=${kept.id}&merge=${gone.id}`
}

/** A link of the demo's group, sealed with the key of its data directory by a script of this folder. */
export async function linkPath(name: 'unsubscribe-path' | 'survey-path', ...more: string[]): Promise<string> {
  const script = ['--conditions=react-server', '--import', 'tsx', `tests/e2e/${name}.ts`, ...more]
  // Beside us: the database it asks may be behind this very process.
  const { stdout } = await promisify(execFile)(process.execPath, script)
  return stdout.trim()
}
