/**
 * Takes the place of three modules of Next's client (next.config.mjs): its constants, of which the browser reads this one; its
 * polyfills; and its page for a failure of the router itself, whose styles this site's policy refuses.
 */
import { errorTexts } from '#lib/page/texts/notice.ts'

export const NEXT_NAV_DEPLOYMENT_ID_HEADER = 'x-nextjs-deployment-id'

// The rest of the polyfills is in every browser that Next builds for.
URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base))
  } catch {
    return false
  }
}

export default function RouterFailure() {
  return (
    <html lang="en" id="__next_error__">
      <body>
        <h1>{errorTexts.title}</h1>
        <form>
          <button type="submit">{errorTexts.reload}</button>
        </form>
      </body>
    </html>
  )
}
