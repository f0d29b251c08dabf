import { draftMode } from 'next/headers'

export default async function Page() {
  const { isEnabled } = await draftMode()
  return <h1>{isEnabled ? 'Draft' : 'Published'}</h1>
}
