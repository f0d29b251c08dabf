import { approvalTexts } from '#lib/page/texts/approvals.ts'
import page from '../_ui/page.module.css'
import styles from './approvals.module.css'
import { ApprovalsView } from './approvals-view.tsx'

export const metadata = { title: approvalTexts.title }

/** Who may take what of the visitor. */
export default function ApprovalsPage() {
  return (
    <div className={page.page}>
      <div>
        <h1 className={page.title}>{approvalTexts.title}</h1>
        <p className={styles.intro}>{approvalTexts.intro}</p>
      </div>
      <ApprovalsView />
    </div>
  )
}
