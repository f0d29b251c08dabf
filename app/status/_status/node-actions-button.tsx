'use client'

import { useState } from 'react'
import { actionTexts } from '#lib/page/texts/actions.ts'
import { LoadFailed } from '../../_ui/failure.tsx'
import { IconButton, morePath } from '../../_ui/icon-button.tsx'
import { lazyCode, useCode } from '../../_ui/lazy-code.ts'
import { Spinner } from '../../_ui/spinner.tsx'
import type { NodeDialogProps } from './node-dialog.tsx'

const dialogCode = lazyCode('node-dialog', () => import('./node-dialog.tsx'))

/** The button of a row. The code of its dialog is loaded on the first click. */
export function NodeActions(props: Omit<NodeDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const { module, isLoading, isFailed, load } = useCode(dialogCode, { isWanted: isOpen })
  return (
    <>
      <IconButton
        label={actionTexts.open(props.node, props.chain)}
        path={morePath}
        onClick={() => setOpen(true)}
      >
        {isOpen && isLoading && <Spinner />}
      </IconButton>
      {isOpen && isFailed && <LoadFailed text={actionTexts.late} onRetry={load} />}
      {isOpen && module && <module.NodeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
