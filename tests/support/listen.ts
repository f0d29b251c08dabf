import type { Server } from 'node:net'
import { listenOn } from '../../demo/ports.ts'

/** Has a server listen on loopback; returns its port. */
export const listen = (server: Server): Promise<number> => listenOn(server, { port: 0, host: '127.0.0.1' })
