'use client'

import { approvalTexts } from '#lib/page/texts/approvals.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { LoadFailed } from '../_ui/failure.tsx'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { useVisitor } from '../_wallet/wallet.ts'

const listCode = lazyCode('approvals', () => import('./approval-list.tsx'))

/** The visitor's approvals, whose code is loaded with a wallet. */
export function ApprovalsView() {
  const { address } = useVisitor()
  const { module, isFailed, load } = useCode(listCode, {
    isWanted: address !== undefined,
    isAfterPaint: true,
  })
  if (address === undefined) return <p>{approvalTexts.connectFirst}</p>
  if (isFailed) return <LoadFailed text={approvalTexts.failed} onRetry={load} />
  if (module === undefined) return <p role="status">{chainTexts.waiting}</p>
  return <module.ApprovalList key={address} owner={address} />
}
