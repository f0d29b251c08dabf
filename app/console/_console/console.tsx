'use client'

import { type FormEvent, useState } from 'react'
import { methodHelp } from '#lib/console/methods.ts'
import { exampleOf, paramsOf, readParams, showParams } from '#lib/console/param-fields.ts'
import { type ConsoleReply, sendCall } from '#lib/console/send-call.ts'
import type { MethodFacts } from '#lib/engine/engine-reads.ts'
import { createFigures, type NumberMarks } from '#lib/page/format.ts'
import { gatewayPath } from '#lib/page/quorate.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { parseJson } from '#lib/parse-json.ts'
import { BusyButton } from '../../_ui/busy-button.tsx'
import button from '../../_ui/button.module.css'
import form from '../../_ui/form.module.css'
import { NetworkChoice } from '../../_ui/network-choice.tsx'
import { useEntered } from '../../_ui/use-entered.ts'
import { Outcome } from './call-result.tsx'
import styles from './console.module.css'
import { Copies } from './copies.tsx'
import { ParamField } from './param-field.tsx'

export interface ConsoleProps {
  readonly chains: readonly { readonly id: number; readonly name: string }[]
  /** The origin of the gateway; empty for this site. */
  readonly gateway: string
  readonly methods: readonly MethodFacts[]
  readonly marks: NumberMarks
  /** The values of a link: chain id, method, params as JSON. */
  readonly query: Readonly<Record<'chain' | 'method' | 'params', string>>
}

/** The call in the form. */
interface Draft {
  readonly chainId: number
  readonly method: string
  readonly fields: readonly string[]
}

const pastMax = 20

export function Console({ chains, gateway, methods, marks, query }: ConsoleProps) {
  const figures = createFigures(marks)
  const offered = Object.keys(methodHelp).filter((method) => methods.some((each) => each.method === method))
  const [draft, setDraft] = useState<Draft>(() => draftFrom(query, chains, offered))
  const [fault, setFault] = useState<{ readonly at: number; readonly text: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<ConsoleReply | null>(null)
  const [past, setPast] = useState<readonly Draft[]>([])
  const { chainId, method, fields } = draft
  const [about, ...params] = methodHelp[method] ?? ['']
  const facts = methods.find((each) => each.method === method)

  /** The call in the form; null if it is invalid, which the field reports. */
  function read(): ReadCall | null {
    const typed = readParams(params, fields)
    if ('fault' in typed) {
      setFault({ at: typed.at, text: typed.fault })
      document.getElementById(`param-${typed.at}`)?.focus()
      return null
    }
    setFault(null)
    return { method, params: typed.params }
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const call = busy ? null : read()
    if (call === null) return
    setBusy(true)
    history.replaceState(null, '', linkTo(draft, call))
    setPast([draft, ...past.filter((each) => keyOf(each) !== keyOf(draft))].slice(0, pastMax))
    setSent(await sendCall(gateway, chainId, call))
    setBusy(false)
  }

  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setFault(null)
  }

  /** Fields that were filled in for another method are left to it. */
  function enter(at: number, value: string) {
    setDraft((before) =>
      before.method === method
        ? { ...before, fields: params.map((_, each) => (each === at ? value : (before.fields[each] ?? ''))) }
        : before,
    )
    setFault(null)
  }

  return (
    <div className={styles.console}>
      <form className={`${styles.form} ${form.fields}`} onSubmit={(event) => void submit(event)} noValidate>
        <CallChoice chains={chains} methods={offered} draft={draft} onChange={change} />
        <p className={styles.about}>
          <span>{about}</span>
          {facts && (
            <small>
              <span>{consoleTexts.strategy[facts.strategy]}</span> <span>{consoleTexts.cost}</span>{' '}
              <span translate="no">{figures.weight(facts.cost)}</span>
            </small>
          )}
        </p>
        {params.length === 0 && <p className={styles.none}>{consoleTexts.noParams}</p>}
        {params.map((param, at) => (
          <ParamField
            key={param.name}
            id={`param-${at}`}
            param={param}
            value={fields[at] ?? ''}
            fault={fault?.at === at ? fault.text : null}
            onChange={(value) => enter(at, value)}
          />
        ))}
        <div className={styles.actions}>
          <BusyButton type="submit" className={button.primary} busy={busy && consoleTexts.sending}>
            {consoleTexts.send}
          </BusyButton>
          {params.length > 0 && (
            <button
              type="button"
              className={button.bare}
              onClick={() => change({ fields: exampleOf(method) })}
            >
              {consoleTexts.example}
            </button>
          )}
        </div>
        <Copies
          call={read}
          url={() => new URL(gatewayPath(gateway, chainId), location.origin).href}
          link={(call) => new URL(linkTo(draft, call), location.origin).href}
        />
      </form>
      <Outcome sent={sent} figures={figures} />
      <PastCalls past={past} chains={chains} onChoose={change} onClear={() => setPast([])} />
    </div>
  )
}

interface CallChoiceProps {
  readonly chains: ConsoleProps['chains']
  readonly methods: readonly string[]
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

function CallChoice({ chains, methods, draft, onChange }: CallChoiceProps) {
  const chooseNetwork = (id: string) => onChange({ chainId: Number(id) })
  const choose = (method: string) => onChange({ method, fields: exampleOf(method) })
  const networkField = useEntered<HTMLSelectElement>(String(draft.chainId), chooseNetwork)
  const methodField = useEntered<HTMLSelectElement>(draft.method, choose)
  return (
    <div className={styles.choice}>
      <NetworkChoice
        label={consoleTexts.chain}
        ref={networkField}
        name="chain"
        chains={chains}
        value={draft.chainId}
        onChange={({ target }) => chooseNetwork(target.value)}
      />
      <label>
        <span>{consoleTexts.method}</span>
        <select
          ref={methodField}
          name="method"
          value={draft.method}
          onChange={({ target }) => choose(target.value)}
        >
          {methods.map((name) => (
            <option key={name} value={name} translate="no">
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface PastCallsProps {
  readonly past: readonly Draft[]
  readonly chains: ConsoleProps['chains']
  readonly onChoose: (draft: Draft) => void
  readonly onClear: () => void
}

/** The latest calls, to be made again. */
function PastCalls({ past, chains, onChoose, onClear }: PastCallsProps) {
  if (past.length === 0) return null
  return (
    <section className={styles.past} aria-labelledby="past">
      <h2 id="past">{consoleTexts.history}</h2>
      <ul>
        {past.map((each) => (
          <li key={keyOf(each)}>
            <button type="button" className={button.bare} onClick={() => onChoose(each)}>
              <span translate="no">{each.method}</span>
              <small>{chains.find(({ id }) => id === each.chainId)?.name}</small>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={button.bare} onClick={onClear}>
        {consoleTexts.clear}
      </button>
    </section>
  )
}

const keyOf = ({ chainId, method, fields }: Draft) => JSON.stringify([chainId, method, fields])

function linkTo({ chainId }: Draft, { method, params }: ReadCall): string {
  const query = new URLSearchParams({ chain: String(chainId), method, params: JSON.stringify(params) })
  return `/console?${query}`
}

/** A link fills in the form without sending, because some calls cost money. */
function draftFrom(
  query: ConsoleProps['query'],
  chains: ConsoleProps['chains'],
  offered: readonly string[],
): Draft {
  const chainId = chains.find(({ id }) => String(id) === query.chain)?.id ?? chains[0]?.id ?? 1
  const method = offered.find((name) => name === query.method) ?? offered[0] ?? ''
  const params = query.method === method ? parseJson(query.params) : null
  const fields = Array.isArray(params) ? showParams(paramsOf(method), params) : exampleOf(method)
  return { chainId, method, fields }
}
