'use client'

import { useEffect, useState } from 'react'

/** Says when it is hydrated, in the words in which the other pages say that they are connected. */
export default function Page() {
  const [phase, setPhase] = useState('none')
  useEffect(() => setPhase('connected'), [])
  return (
    <main data-phase={phase}>
      <h1>Nothing</h1>
    </main>
  )
}
