import { CHOSEN } from './colleague'
import { expect, test } from './fixtures'
import { connectResend } from './resend'

/** Whether Auth makes links: the embedded one does not. */
const HAS_ADMIN_API = process.env.STACK === 'postgres'

test.describe('a team', () => {
  // A link to a new password is refused where Auth makes none.
  test.use({ expectedNoise: HAS_ADMIN_API ? /(?!)/ : /status of 501/ })

  test('a colleague is invited, signs up, sees what the role allows, and is removed', async ({
    page,
    signIn,
    browser,
  }) => {
    const email = `e2e-${Date.now()}@grupo.example`
    await signIn('admin@demo.example')
    await page.goto('/settings/team')
    await page.getByRole('button', { name: 'Invitar a alguien' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Correo electrónico').fill('operaciones@demo.example')
    await form.getByRole('button', { name: 'Invitar', exact: true }).click()
    await expect(form.getByText('Este correo ya es de alguien del equipo.')).toBeVisible()
    await form.getByLabel('Correo electrónico').fill(email)
    await form.getByLabel('Nombre y apellidos').fill('Elena Pruebas')
    await form.getByLabel('Perfil').selectOption('Recursos Humanos')
    await form.getByRole('button', { name: 'Invitar', exact: true }).click()
    await expect(
      page.getByRole('dialog', { name: 'Invitación creada con el perfil Recursos Humanos' }),
    ).toBeVisible()
    const old = await form.getByLabel('Enlace para crear la cuenta').inputValue()
    await expect(form.getByText('Solo se muestra ahora.', { exact: false })).toBeVisible()
    await form.getByRole('button', { name: 'Hecho' }).click()

    const context = await browser.newContext()
    const colleague = await context.newPage()
    const sent: string[] = []
    colleague.on('request', (request) => {
      sent.push(`${request.method()} ${request.url()} ${request.headers().referer ?? ''}`)
    })
    const follow = async (address: string) => {
      await colleague.goto('about:blank')
      await colleague.goto(new URL(address).pathname + new URL(address).hash)
    }
    const password = colleague.getByRole('textbox', { name: 'Contraseña' })
    const create = colleague.getByRole('button', { name: 'Crear la cuenta' })
    await follow(old)
    await expect(colleague.getByText('Te invita', { exact: false })).toBeVisible()
    await password.fill(CHOSEN)

    const open = page.getByRole('table', { name: 'Invitaciones abiertas' })
    await expect(open).toContainText(email)
    // Nothing left while no e-mail was connected; once it is, with one click.
    const mailNow = page.getByRole('button', { name: `Enviar por correo la invitación de ${email}` })
    await expect(mailNow).toHaveCount(0)
    const resend = await connectResend(page.request)
    try {
      await page.reload()
      await mailNow.click()
      await expect(page.getByText(`Invitación enviada a ${email}`)).toBeVisible()
      await expect(open.getByRole('row', { name: email })).toContainText('correo enviado')
      await expect(mailNow).toHaveCount(0)
      expect(resend.accepted.map((mail) => mail.email.to)).toEqual([email])
    } finally {
      await resend.close()
    }
    await page.getByRole('button', { name: `Retirar la invitación de ${email}` }).click()
    const confirmation = page.getByRole('alertdialog')
    await expect(confirmation).toContainText('el perfil Recursos Humanos')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Enviar un enlace nuevo a ${email}` }).click()
    await expect(confirmation).toContainText('da el perfil Recursos Humanos')
    await confirmation.getByRole('button', { name: 'Enviar enlace nuevo' }).click()
    await expect(
      page.getByRole('dialog', { name: 'Enlace nuevo para el perfil Recursos Humanos' }),
    ).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await form.getByRole('button', { name: 'Copiar enlace' }).click()
    await expect(form.getByRole('button', { name: 'Copiado' })).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/sign-up#token=[\w-]{43}$/)
    expect(link).not.toBe(old)
    await form.getByRole('button', { name: 'Hecho' }).click()
    await page.reload()
    await expect(open).toContainText('El enlace vale hasta')
    expect(await page.content()).not.toContain(String(link.split('token=')[1]))

    // Open since before the new link was made.
    await create.click()
    await expect(colleague.getByText('El enlace no vale para estos datos', { exact: false })).toBeVisible()
    await expect(password).toHaveValue(CHOSEN)
    await expect(colleague.getByRole('link', { name: 'Cámbiala', exact: false })).toBeVisible()
    await follow(old)
    await expect(colleague.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
    await expect(create).toHaveCount(0)
    await follow(link)
    // Name and address are there: only the password is typed.
    const address = colleague.getByLabel('Correo electrónico')
    await expect(address).toHaveValue(email)
    await expect(address).not.toBeEditable()
    await expect(password).toBeFocused()
    const ownName = colleague.getByLabel('Nombre y apellidos')
    await expect(ownName).toHaveValue('Elena Pruebas')
    await ownName.fill('Elena Prueba')
    await password.fill('corta')
    await create.click()
    await expect(colleague.getByText('entre 10 y 72 caracteres', { exact: false })).toBeVisible()
    await password.fill(CHOSEN)
    await create.click()
    await expect(colleague.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
    const nav = colleague.getByRole('navigation', { name: 'Navegación principal' })
    await expect(nav.getByRole('link', { name: 'Configuración' })).toHaveCount(0)
    await expect(nav.getByRole('link', { name: 'Clientes' })).toHaveCount(0)
    await colleague.goto('/settings/team')
    await expect(colleague.getByRole('heading', { name: 'No tienes acceso a esta página' })).toBeVisible()
    // Neither an address asked for nor a Referer held the token.
    expect(sent.filter((line) => line.includes('token='))).toEqual([])

    await page.reload()
    await page.getByRole('button', { name: 'Crear enlace para una nueva contraseña de Elena Prueba' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByText('dáselo solo a ella', { exact: false })).toBeVisible()
    // Its words stay inside, although the dialog stands in a table's cell.
    expect(await question.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
    await question.getByRole('button', { name: 'Crear enlace' }).click()
    if (HAS_ADMIN_API) {
      const reset = new URL(await form.getByLabel('Enlace de Elena Prueba').inputValue())
      await form.getByRole('button', { name: 'Hecho' }).click()
      await colleague.goto(reset.pathname + reset.search)
      await colleague.getByRole('textbox', { name: 'Contraseña nueva' }).fill(`${CHOSEN}!`)
      await colleague.getByRole('button', { name: 'Guardar la contraseña' }).click()
      await expect(colleague.getByText('Contraseña cambiada', { exact: false })).toBeVisible()
      await colleague.getByRole('link', { name: 'Iniciar sesión' }).click()
      await address.fill(email)
      await password.fill(`${CHOSEN}!`)
      await colleague.getByRole('button', { name: 'Entrar' }).click()
      await expect(colleague.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
    } else {
      await expect(
        question.getByText('Esta instalación no puede crear enlaces', { exact: false }),
      ).toBeVisible()
      await page.keyboard.press('Escape')
    }
    await context.close()

    await page.getByRole('button', { name: 'Quitar a Elena Prueba' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar del equipo' }).click()
    await expect(page.getByText('Elena Prueba ya no está en el equipo')).toBeVisible()
    await expect(page.getByRole('row', { name: /Elena Prueba/ })).toHaveCount(0)
  })
})

test('signing up requires an invitation', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Crear tu cuenta' })).toBeVisible()
  await expect(page.getByText('abre el enlace de tu invitación', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crear la cuenta' })).toHaveCount(0)
  await page.goto(`/sign-up#token=${'x'.repeat(43)}`)
  await expect(page.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crear la cuenta' })).toHaveCount(0)
  const silent = '**/api/auth/invitation'
  const busy = { status: 429, json: { error: 'Rate limit exceeded', code: 'RATE_LIMITED' } }
  await page.route(silent, (route) => route.fulfill(busy))
  await page.reload()
  await expect(page.getByText('Ahora mismo no se puede leer tu invitación', { exact: false })).toBeVisible()
  await page.unroute(silent)
  await page.getByRole('button', { name: 'Volver a intentarlo' }).click()
  await expect(page.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
})
