'use client'

import { useState } from 'react'
import { actionTexts } from '#lib/page/texts/actions.ts'
import { lazyCode, useCode } from '../../_ui/lazy-code.ts'
import { LoadFailed } from '../../_ui/load-failed.tsx'
import { Spinner } from '../../_ui/spinner.tsx'
import styles from './node-actions-button.module.css'
import type { NodeDialogProps } from './node-dialog.tsx'

const dialogCode = lazyCode('node-dialog', () => import('./node-dialog.tsx'))

/** The button of a row. The code of its dialog is loaded on the first click. */
export function NodeActions(props: Omit<NodeDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const { module, isLoading, isFailed, load } = useCode(dialogCode, { isWanted: isOpen })
  return (
    <>
      <button
        type="button"
        className={styles.open}
        aria-label={actionTexts.open(props.node, props.chain)}
        onClick={() => setOpen(true)}
      >
        {isOpen && isLoading ? (
          <Spinner />
        ) : (
          <svg aria-hidden="true" width="18" height="18" viewBox="0 0 18 18" fill="currentColor">
            <circle cx="3" cy="9" r="1.6" />
            <circle cx="9" cy="9" r="1.6" />
            <circle cx="15" cy="9" r="1.6" />
          </svg>
        )}
      </button>
      {isOpen && isFailed && <LoadFailed text={actionTexts.late} onRetry={load} />}
      {isOpen && module && <module.NodeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
