import { env } from '#lib/config/env.ts'
import { colours, site, theme } from '#site'

/** The web app manifest. Any origin may read it, because Safe does so before it frames the app. */
export function GET(): Response {
  const { APP_NAME } = env()
  // A manifest has one theme.
  const ground = colours.ground[theme === 'light' ? 'light' : 'dark']
  return Response.json(
    {
      name: APP_NAME,
      short_name: APP_NAME,
      description: site.description,
      start_url: '/',
      display: 'standalone',
      background_color: ground,
      theme_color: ground,
      iconPath: site.logo.slice(1),
      icons: [{ src: site.logo, type: 'image/svg+xml', sizes: 'any' }],
    },
    { headers: { 'access-control-allow-origin': '*' } },
  )
}

export const dynamic = 'force-dynamic'
