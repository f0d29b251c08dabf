import { type FormEvent, useRef, useState } from 'react'
import { addressTexts } from '#lib/page/texts/address.ts'
import { chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { portfolioTexts } from '#lib/page/texts/portfolio.ts'
import { type LabelDoubt, tokenTexts } from '#lib/page/texts/token.ts'
import { onNetworks, readTyped } from '#lib/page/typed-address.ts'
import { readFigure } from '#lib/reads/figure.ts'
import { readToken, type TokenFacts, tokenQuestions } from '#lib/token/erc20.ts'
import { labelDoubts } from '#lib/token/label-doubts.ts'
import { addedMax, keyOf, type ListedToken } from '#lib/token/token-list.ts'
import { BusyButton } from '../_ui/busy-button.tsx'
import { Dialog } from '../_ui/dialog.tsx'
import { DialogHead } from '../_ui/dialog-head.tsx'
import form from '../_ui/form.module.css'
import { NetworkChoice } from '../_ui/network-choice.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useSite, useVisitor } from '../_wallet/wallet.ts'
import styles from './portfolio.module.css'
import { addedTokens, tokensOf } from './token-lists.ts'

interface AddTokenProps {
  readonly onAdd: (token: ListedToken) => void
  readonly onClose: () => void
}

/** Adds a token by its address, once it has answered what it is. */
export function AddToken({ onAdd, onClose }: AddTokenProps) {
  const { chains } = useSite()
  const { chain } = useVisitor()
  const readChain = useReadChain()
  const [chainId, setChainId] = useState(chain?.id ?? chains[0]?.id ?? 0)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  /** A token whose name is in doubt: it takes a second press. */
  const [doubtful, setDoubtful] = useState<Doubtful | null>(null)
  /** Increases when the form changes or closes. Results of an earlier edition are ignored. */
  const edition = useRef(0)

  async function submit(event: FormEvent, close: () => void): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const submitted = edition.current
    const found = doubtful ?? (await find())
    setBusy(false)
    if (edition.current !== submitted) return
    if (typeof found === 'string') return setError(found)
    if (found.doubts.length > 0 && doubtful === null) return setDoubtful(found)
    onAdd(found.token)
    close()
  }

  /** The token, or why it is not added. */
  async function find(): Promise<Doubtful | string> {
    const typed = onNetworks(readTyped(text), [chainId])
    if (typed.kind !== 'address') return addressTexts[typed.kind === 'refused' ? typed.why : 'shape']
    const { address } = typed
    if (tokensOf(chainId).some((token) => keyOf(token) === keyOf({ chainId, address })))
      return portfolioTexts.isListed
    if (addedTokens.all().filter((token) => token.chainId === chainId).length >= addedMax)
      return portfolioTexts.isFull(addedMax)
    const { known, why } = await readFigure(async () =>
      readToken({ chainId, address }, await readChain(chainId, tokenQuestions(address, undefined))),
    )
    if (known) return foundOf(chainId, known.value)
    return why === 'refused' ? tokenTexts.notAToken : failureTexts[why === 'waiting' || !why ? 'silent' : why]
  }

  function change(next: () => void): void {
    edition.current += 1
    next()
    setError(null)
    setDoubtful(null)
  }

  return (
    <Dialog name={{ id: 'add-token-title' }} onClose={() => change(onClose)}>
      {(close) => (
        <form className={styles.form} onSubmit={(event) => void submit(event, close)} noValidate>
          <DialogHead id="add-token-title" title={portfolioTexts.add} onClose={close} />
          <NetworkChoice
            chains={chains}
            value={chainId}
            onChange={({ target }) => change(() => setChainId(Number(target.value)))}
          />
          <label>
            <span>{portfolioTexts.address}</span>
            <input
              data-first-focus
              value={text}
              onChange={({ target }) => change(() => setText(target.value))}
              placeholder={tokenTexts.addressExample}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              aria-invalid={error !== null}
              aria-describedby="add-token-error"
            />
          </label>
          <div id="add-token-error" role="alert" className={form.error}>
            <Worded text={error} />
            {doubtful && (
              <>
                <strong translate="no">{`${doubtful.token.name} (${doubtful.token.symbol})`}</strong>
                {doubtful.doubts.map((doubt) => (
                  <p key={doubt}>{tokenTexts.doubts[doubt]}</p>
                ))}
              </>
            )}
          </div>
          <BusyButton type="submit" busy={isBusy && chainTexts.waiting}>
            {doubtful ? portfolioTexts.addAnyway : portfolioTexts.addAction}
          </BusyButton>
        </form>
      )}
    </Dialog>
  )
}

interface Doubtful {
  readonly token: ListedToken
  readonly doubts: readonly LabelDoubt[]
}

function foundOf(chainId: number, { address, name, symbol, decimals }: TokenFacts): Doubtful {
  // A list has no symbol of several words, and none that is empty.
  const short = [...symbol.replaceAll(/\s/g, '')].slice(0, 20).join('') || '?'
  const token = { chainId, address, symbol: short, name: name || tokenTexts.nameless, decimals }
  return { token, doubts: labelDoubts({ ...token, name, symbol }) }
}
