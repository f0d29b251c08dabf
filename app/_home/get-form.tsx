'use client'

import { useRouter } from 'next/navigation'

/** A GET form with client-side navigation, and a plain form without JavaScript. `next/form` does more but adds a kilobyte. */
export function GetForm(props: { action: string; className: string | undefined; children: React.ReactNode }) {
  const router = useRouter()
  return (
    <form
      {...props}
      method="get"
      onSubmit={(event) => {
        event.preventDefault()
        // The form has no file input, so all entries are strings.
        const fields = new FormData(event.currentTarget) as unknown as Record<string, string>
        router.push(`${props.action}?${new URLSearchParams(fields)}`)
      }}
    />
  )
}
