import { createServer } from 'node:http'
import { told } from './told.ts'

/** Takes whatever is sent and answers `{}`: a collector that keeps nothing. */
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
})

told(server)
