// A stand-in for a program that no package provides. Arguments: its name, then its ports.
import { createServer } from 'node:http'

const [name, ...ports] = process.argv.slice(2)
// Compose adds the arguments of the program that it stands for.
for (const port of ports.filter(Number))
  createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'text/plain').end(`This is a stand-in for ${name}, not ${name}.\n`)
  }).listen(Number(port), '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
