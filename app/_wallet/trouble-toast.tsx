'use client'

import { useChainModal } from '@rainbow-me/rainbowkit'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAccount } from 'wagmi'
import { cannotSwitch, troubleOf } from '#lib/wallet/errors.ts'
import styles from './trouble-toast.module.css'

const shownMs = 8000
/** What RainbowKit's windows do through wagmi, whose failures they keep to themselves. */
const watched = new Set(['connect', 'switchChain'])

/**
 * Says why a connection or a switch failed, above RainbowKit's windows, and beforehand that a wallet cannot switch. What the
 * visitor declined is no failure.
 */
export function TroubleToast() {
  const mutations = useQueryClient().getMutationCache()
  const [sentence, setSentence] = useState('')
  const { chainModalOpen } = useChainModal()
  const { connector } = useAccount()
  const hint = chainModalOpen && connector && !connector.switchChain ? cannotSwitch : ''
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== 'updated' || !watched.has(String(event.mutation.options.mutationKey?.[0]))) return
        if (event.action.type === 'pending') setSentence('')
        if (event.action.type !== 'error') return
        const trouble = troubleOf(event.action.error)
        if (trouble.kind !== 'rejected') setSentence(trouble.sentence)
      }),
    [mutations],
  )
  useEffect(() => {
    if (!sentence) return
    const timer = setTimeout(() => setSentence(''), shownMs)
    return () => clearTimeout(timer)
  }, [sentence])

  return (
    <div className={styles.place} role="alert">
      {(sentence || hint) && <p className={styles.toast}>{sentence || hint}</p>}
    </div>
  )
}
