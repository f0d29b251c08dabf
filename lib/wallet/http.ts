import { http as viemHttp } from 'viem'

/** A door for `import()`: naming viem itself there would bring all of it. */
export const http = viemHttp
