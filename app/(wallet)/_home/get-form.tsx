'use client'

import { useRouter } from 'next/navigation'

/** A GET form that changes the page without a reload; without JavaScript it is a plain one. `next/form` does more and weighs a kilobyte. */
export function GetForm(props: { action: string; className: string | undefined; children: React.ReactNode }) {
  const router = useRouter()
  return (
    <form
      {...props}
      method="get"
      onSubmit={(event) => {
        event.preventDefault()
        // There is no file in it, so its entries are texts.
        const fields = new FormData(event.currentTarget) as unknown as Record<string, string>
        router.push(`${props.action}?${new URLSearchParams(fields)}`)
      }}
    />
  )
}
