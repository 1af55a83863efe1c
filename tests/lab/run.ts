// `npm run lab`: grows the lab, or says that it stands. `npm run lab -- serve`: runs it until Ctrl-C.
import { once } from 'node:events'
import { serveLab } from './cluster'
import { growLab } from './grow'
import { labDirectory, labHash, labSize, readLab } from './settings'

const directory = labDirectory()
if (process.argv[2] === 'serve') await serve()
else await stand()
process.exit(0)

async function stand(): Promise<void> {
  const [lab, size] = [readLab(directory), labSize()]
  const why = !lab
    ? 'There is none yet'
    : lab.hash !== labHash()
      ? 'The migrations, or what fills it, have changed since'
      : JSON.stringify(lab.size) !== JSON.stringify(size)
        ? `It has another size (${JSON.stringify(lab.size)})`
        : undefined
  if (!why) return console.log(`The lab in ${directory} stands, grown ${lab?.grownAt}.`)
  console.log(`${why}: growing ${JSON.stringify(size)} in ${directory}.`)
  const { seconds } = await growLab(directory, size)
  console.log(`Grown in ${seconds} s.`)
}

async function serve(): Promise<void> {
  const { lab, stack, connection, stop } = await serveLab(directory)
  const database = `postgres://${connection.superuser}:${connection.password}@${connection.host}:${connection.port}/sobremesa_lab`
  console.log(JSON.stringify({ url: stack.url, database, ...lab }, null, 2))
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await stop()
}
