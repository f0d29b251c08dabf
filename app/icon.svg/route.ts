import { isDev } from '#lib/config/env.ts'
import { colours } from '#site'

/** The site's icon. It has a ground of its own, because wallets show it on any. */
export function GET(): Response {
  const { field, surface, accent, 'accent-strong': strong } = colours
  const arc = 'cx="16" cy="15.4" r="9" pathLength="60"'
  return new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none"><rect width="32" height="32" rx="8" fill="${surface.dark}"/><g stroke-width="4"><circle ${arc} stroke="${accent.dark}" stroke-dasharray="17 3 17 3 17 3"/><circle ${arc} stroke="${field.dark}" stroke-dasharray="17 43" stroke-dashoffset="-40"/><path d="m19.6 19.4 5.4 6.4" stroke="${strong.dark}" stroke-linecap="round"/></g></svg>`,
    {
      headers: {
        'content-type': 'image/svg+xml',
        'cache-control': isDev() ? 'no-store' : 'public, max-age=3600',
      },
    },
  )
}

export const dynamic = 'force-static'
