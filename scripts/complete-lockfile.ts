// `npm run lockfile`, after changing dependencies: a registry mirror may lack packages of other platforms, and npm then
// leaves them out of package-lock.json, which `npm ci` refuses. This adds them as npm would have written them.
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const FILE = 'package-lock.json'
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const LIBCS: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }
const CPUS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, LockEntry> }
const added: Record<string, LockEntry> = {}
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`]
    if (places.some((place) => lock.packages[place] ?? added[place])) continue
    added[`node_modules/${name}`] = {
      version: range.replace(/^[^\d]*/, ''),
      ...platform(name),
      ...flags(parent),
    }
  }
}

/** What the package is built for, by its name: every such package carries it there. */
function platform(name: string): LockEntry {
  const parts = name.split(/[-/]/)
  const os = SYSTEMS.filter((system) => parts.includes(system))
  const cpu = CPUS.filter((one) => parts.includes(one))
  const libc = parts.flatMap((part) => LIBCS[part] ?? [])
  return { ...(cpu.length ? { cpu } : {}), ...(libc.length ? { libc } : {}), ...(os.length ? { os } : {}) }
}

function flags(parent: LockEntry): LockEntry {
  return { ...(parent.dev ? { dev: true } : {}), optional: true }
}

const packages = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
console.log(`${Object.keys(added).length} packages of other platforms added`)
