import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { actionTexts } from '#lib/page/texts/actions.ts'
import { BusyButton } from '../../_ui/busy-button.tsx'
import button from '../../_ui/button.module.css'
import { Dialog } from '../../_ui/dialog.tsx'
import fields from '../../_ui/form.module.css'
import styles from './node-dialog.module.css'

export interface NodeDialogProps {
  readonly chainId: number
  readonly chain: string
  readonly node: string
  readonly isCordoned: boolean
  /** Whether faults can be injected into nodes: in demo and dev. */
  readonly faults: boolean
  readonly onClose: () => void
}

/** The last entered name of the operator, kept between dialogs. */
let lastName = ''

type Action =
  | { readonly action: 'cordon' | 'uncordon'; readonly by?: string }
  | { readonly action: 'fault'; readonly faultProfile: string }

/** Operator actions for a node: cordon, uncordon and, in the demo, inject a fault. */
export function NodeDialog({ chainId, chain, node, isCordoned, faults, onClose }: NodeDialogProps) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [by, setBy] = useState(lastName)
  const cordonText = isCordoned ? actionTexts.uncordon : actionTexts.cordon

  async function act(action: Action, close: () => void) {
    if (busy) return
    setBusy(true)
    setError(null)
    const failure = await send(`/api/rpc/nodes/${chainId}/${encodeURIComponent(node)}`, action)
    setBusy(false)
    setError(failure)
    if (failure !== null) return
    close()
    router.refresh()
  }

  function cordon(event: FormEvent, close: () => void) {
    event.preventDefault()
    lastName = by.trim()
    void act({ action: isCordoned ? 'uncordon' : 'cordon', ...(lastName !== '' && { by: lastName }) }, close)
  }

  return (
    <Dialog name={{ text: actionTexts.title(node, chain) }} onClose={onClose}>
      {(close) => (
        <div className={styles.dialog}>
          <h2>{actionTexts.title(node, chain)}</h2>
          <form className={fields.fields} onSubmit={(event) => cordon(event, close)}>
            <p className={fields.note}>{isCordoned ? actionTexts.uncordonText : actionTexts.cordonText}</p>
            <label>
              <span>{actionTexts.by}</span>
              <input
                value={by}
                maxLength={64}
                autoComplete="name"
                onChange={(event) => setBy(event.target.value)}
              />
            </label>
            <BusyButton type="submit" className={button.quiet} busy={busy && cordonText}>
              {cordonText}
            </BusyButton>
          </form>
          {faults && (
            <fieldset>
              <legend>{actionTexts.faults}</legend>
              <p className={fields.note}>{actionTexts.faultsText}</p>
              <div>
                {actionTexts.faultProfiles.map(([faultProfile, label]) => (
                  <button
                    key={faultProfile}
                    type="button"
                    className={button.quiet}
                    aria-disabled={busy}
                    onClick={() => void act({ action: 'fault', faultProfile }, close)}
                  >
                    {label}
                  </button>
                ))}
              </div>
            </fieldset>
          )}
          <p role="alert" className={fields.error}>
            {error}
          </p>
          <button type="button" className={button.bare} onClick={close}>
            {actionTexts.close}
          </button>
        </div>
      )}
    </Dialog>
  )
}

/** Null on success, else the reason of the failure. */
async function send(path: string, action: Action): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    })
    if (response.ok) return null
    return response.status === 401 ? actionTexts.loggedOut : actionTexts.refused(response.status)
  } catch {
    return actionTexts.unreachable
  }
}
