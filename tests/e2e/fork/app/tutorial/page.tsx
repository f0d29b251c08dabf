import Link from 'next/link'
import { Account } from './account.tsx'
import { Reads } from './reads.tsx'
import { SendTransaction } from './send-transaction.tsx'

export default function Page() {
  return (
    <section>
      <h1>Tutorial</h1>
      <Account />
      <Reads />
      <SendTransaction />
      <Link href="/rainbow">Rainbow</Link>
    </section>
  )
}
