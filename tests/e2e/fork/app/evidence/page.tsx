import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { readBalance, readContractQuery } from '#lib/reads/server.ts'
import { supply } from './call.ts'
import { Supply } from './supply.tsx'

export default async function Page() {
  const { value, block, evidence } = await readBalance(137, {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  const queries = new QueryClient()
  await queries.prefetchQuery(readContractQuery(137, supply))
  return (
    <section>
      <h1>Evidence</h1>
      <p data-testid="server">
        {value.toString()} at block {block}, agreed by {evidence?.operators} operators
      </p>
      <HydrationBoundary state={dehydrate(queries)}>
        <Supply />
      </HydrationBoundary>
    </section>
  )
}
