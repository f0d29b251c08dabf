'use client'

import { useState } from 'react'
import { Address } from '../_ui/address.tsx'
import button from '../_ui/button.module.css'
import { Dialog } from '../_ui/dialog.tsx'
import { DialogHead } from '../_ui/dialog-head.tsx'
import empty from '../_ui/empty.module.css'
import form from '../_ui/form.module.css'
import { NetworkChoice } from '../_ui/network-choice.tsx'
import page from '../_ui/page.module.css'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const rows = { display: 'grid', gap: 'var(--space-4)' }

/** The classes and components that docs/build/identity.md lists, each under its name. Its picture is of this page. */
export default function Looks() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={page.page}>
      <h1 className={page.title}>title</h1>
      <section className={page.panel}>
        <dl className={page.facts}>
          <dt>facts</dt>
          <dd>in a panel</dd>
          <dt>Address</dt>
          <dd>
            <Address address={account} />
          </dd>
        </dl>
      </section>
      <p className={empty.empty}>
        <strong>empty</strong>
        There are no rows.
      </p>
      <div>
        <button type="button" className={button.primary} onClick={() => setOpen(true)}>
          primary
        </button>{' '}
        <button type="button" className={button.quiet}>
          quiet
        </button>{' '}
        <button type="button" className={button.bare}>
          bare
        </button>
      </div>
      {isOpen && (
        <Dialog name={{ id: 'looks-title' }} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <DialogHead id="looks-title" title="Dialog" onClose={close} />
              <form className={form.fields} style={rows}>
                <label>
                  <span>fields</span>
                  <input defaultValue="1.5.0" aria-invalid="true" aria-describedby="looks-error" />
                </label>
                <p id="looks-error" className={form.error}>
                  error
                </p>
                <NetworkChoice label="NetworkChoice" chains={[{ id: 1, name: 'Ethereum' }]} />
                <button type="button" className={button.submit} onClick={close}>
                  submit
                </button>
                <button type="button" className={button.danger} onClick={close}>
                  danger
                </button>
              </form>
            </>
          )}
        </Dialog>
      )}
    </div>
  )
}
