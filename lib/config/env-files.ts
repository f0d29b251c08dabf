import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Loads the `.env` files of this folder in Next's order. A variable that is already set stays. */
export function loadEnvFiles(folder: string, mode: 'development' | 'production'): void {
  for (const name of [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env'])
    if (existsSync(join(folder, name))) process.loadEnvFile(join(folder, name))
}
