export interface Confirmation {
  readonly title: string
  readonly rows: readonly (readonly [string, string])[]
  readonly action: string
  readonly account: string
  readonly chainId: number
}

const looks = `
  :host { all: initial }
  dialog { margin: 16px 16px auto auto; width: min(360px, calc(100vw - 32px)); box-sizing: border-box; padding: 0; border: 1px solid #d9d2c1; border-radius: 18px; background: #fbf8f1; color: #231c0c; font: 15px/1.45 system-ui, sans-serif; box-shadow: 0 24px 64px -12px rgb(0 0 0 / 60%); overflow: hidden }
  dialog::backdrop { background: rgb(0 0 0 / 35%) }
  .head { display: flex; justify-content: space-between; gap: 8px; padding: 12px 18px; background: #efe7d3; font-size: 13px; font-weight: 600 }
  .head span:last-child { font-weight: 400; font-variant-numeric: tabular-nums }
  h2 { margin: 16px 18px 10px; font-size: 19px }
  dl { display: grid; gap: 10px; margin: 0 18px 16px; max-height: 50vh; overflow: auto }
  dt { color: #6b5f45; font-size: 13px }
  dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; font-variant-numeric: tabular-nums }
  .foot { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; padding: 12px 18px 18px }
  button { min-height: 44px; border: 1px solid #d9d2c1; border-radius: 12px; background: #fff; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
  button:last-child { border-color: #231c0c; background: #231c0c; color: #ffe7ae }
  :focus-visible { outline: 3px solid #b98a2c; outline-offset: 2px }
`

/** Asks the user in a dialog that the page cannot style. Escape means no. */
export function confirm({ title, rows, action, account, chainId }: Confirmation): Promise<boolean> {
  const host = document.createElement('demo-wallet')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(looks)
  root.adoptedStyleSheets = [sheet]

  const dialog = make('dialog', '', [
    make(
      'div',
      '',
      [
        make('span', 'Demo wallet'),
        make('span', `${account.slice(0, 6)}…${account.slice(-4)} · chain ${chainId}`),
      ],
      'head',
    ),
    make('h2', title),
    make(
      'dl',
      '',
      rows.map(([name, value]) => make('div', '', [make('dt', name), make('dd', value)])),
    ),
  ]) as HTMLDialogElement
  const no = make('button', 'Reject')
  const yes = make('button', action)
  dialog.append(make('div', '', [no, yes], 'foot'))
  dialog.setAttribute('aria-label', `Demo wallet: ${title}`)
  root.append(dialog)
  document.body.append(host)
  dialog.showModal()
  yes.focus()

  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      host.remove()
      resolve(agreed)
    }
    yes.addEventListener('click', () => answer(true))
    no.addEventListener('click', () => answer(false))
    dialog.addEventListener('cancel', () => answer(false))
  })
}

function make(tag: string, text: string, children: readonly HTMLElement[] = [], name = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = name
  element.textContent = text
  element.append(...children)
  return element
}
