'use client'

import { useEffect, useState } from 'react'
import { useConfig } from 'wagmi'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { askWallet } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { ChainMark } from '../../_ui/chain-mark.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import styles from './activity.module.css'
import { StatusSign } from './status-sign.tsx'
import { transactions, useTransactions } from './store.ts'

const shownAtFirst = 3

/** What was sent from this browser with this account; follows whatever is still pending, in every tab that shows it. */
export default function Activity({ address }: { address: `0x${string}` }) {
  const { chains, gateway } = useWallet()
  const [all, setAll] = useState(false)
  const mine = useTransactions().filter(({ from }) => from === address)
  const config = useConfig()
  useEffect(
    () => follow(transactions, { gateway, askWallet: (record) => askWallet(record, config) }),
    [gateway, config],
  )

  if (mine.length === 0) return <p className={styles.none}>{activityTexts.none}</p>
  return (
    <>
      <ul className={styles.list}>
        {mine.slice(0, all ? undefined : shownAtFirst).map((record) => {
          const chain = chains.find(({ id }) => id === record.chainId)
          return (
            <li key={record.hash} className={styles.item} data-status={record.status}>
              <span className={styles.sign}>
                <StatusSign status={record.status} size={20} />
              </span>
              <span className={styles.words}>
                <strong>{record.description}</strong>
                <span>
                  {activityTexts[record.status]}
                  {record.status === 'pending' && record.sentAs === null && `, ${sendTexts.withOwners}`}
                  {record.status === 'pending' &&
                    record.block !== null &&
                    `, ${sendTexts.deep(record.seen, record.confirmations)}`}
                </span>
              </span>
              {chain && (
                <span className={styles.chain}>
                  <ChainMark id={chain.id} name={chain.name} size={22} />
                  <span className={styles.chainName}>{chain.name}</span>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {mine.length > shownAtFirst && (
        <button type="button" className={styles.more} onClick={() => setAll(!all)}>
          {all ? activityTexts.fewer : activityTexts.all(mine.length)}
        </button>
      )}
    </>
  )
}
