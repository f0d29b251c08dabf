import { statusTexts } from '#lib/page/texts/status.ts'
import button from '../../_ui/button.module.css'

/** A plain form, so that it works without JavaScript. */
export function LogoutForm() {
  return (
    <form action="/api/operator/session" method="post">
      <button type="submit" name="end" value="1" className={button.bare}>
        {statusTexts.logout}
      </button>
    </form>
  )
}
