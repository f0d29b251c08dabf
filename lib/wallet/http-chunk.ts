import { http as viemHttp } from 'viem'

/** For `import()`: importing viem itself there would load all of it. */
export const http = viemHttp
