import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and a certificate of localhost that no client trusts, made for each run: no key lies in the repository. */
export function selfSigned(): { key: Buffer; cert: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-tls-'))
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
    const subject = ['-subj', '/CN=localhost', ...names, '-days', '1', '-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
