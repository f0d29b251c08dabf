'use client'

import { useActionState } from 'react'
import { greet } from './actions.ts'

export default function Page() {
  const [greeting, action, isPending] = useActionState(greet, '')
  return (
    <form action={action}>
      <h1>Greet</h1>
      <label>
        Name <input name="name" required />
      </label>
      <button disabled={isPending}>Greet</button>
      <p role="status">{greeting}</p>
    </form>
  )
}
